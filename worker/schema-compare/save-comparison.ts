// The differences of a comparison as a patch: a changeset, or SQL.
import { groupBy } from '#shared/group-by.ts';
import { counted } from '#shared/counted.ts';
import type { Connection } from '../engines/engine.ts';
import type { NetChange } from '../history/net-changes.ts';
import { writeChangeset } from '../history/patch/write-changeset.ts';
import type { ChangesetTable } from '../history/patch/write-changeset.ts';
import { writeSql } from '../history/patch/write-sql.ts';
import type { SqlPatchTitle } from '../history/patch/write-sql.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { ChosenChanges } from './collected-changes.ts';

interface ComparisonPatch {
  readonly bytes: Uint8Array;
  /** Omissions, with reasons. */
  readonly notes: readonly string[];
}

export function patchOfComparison(
  connection: Connection,
  { changes, notes }: ChosenChanges,
  format: 'changeset' | 'sql',
  title: SqlPatchTitle,
): ComparisonPatch {
  if (format === 'sql') return { bytes: writeSql(title, ordered(changes), {}), notes };
  const tables = [...groupBy(changes, ({ table }) => table.name).values()].map((group) =>
    changesetTable(connection, group),
  );
  return {
    bytes: writeChangeset(tables.flatMap((table) => ('note' in table ? [] : [table]))),
    notes: [...notes, ...tables.flatMap((table) => ('note' in table ? [table.note] : []))],
  };
}

const ORDER = { delete: 0, update: 1, insert: 2 } as const;

/** Deletions make room for insertions. */
export const ordered = (changes: readonly NetChange[]): readonly NetChange[] =>
  [...changes].sort((one, other) => ORDER[one.kind] - ORDER[other.kind]);

/** Changesets name rows by the declared primary key, and columns by their places. */
function changesetTable(
  connection: Connection,
  changes: readonly NetChange[],
): ChangesetTable | { readonly note: string } {
  const { name, columns } = changes[0]!.table;
  const stored = describeTable(connection, name).columns.filter(({ generated }) => generated === 'no');
  const primaryKey = stored.map(({ primaryKeyIndex }) => primaryKeyIndex);
  const isWhole = stored.length === columns.length && stored.every((column, at) => column.name === columns[at]);
  if (isWhole && primaryKey.some((place) => place > 0)) return { name, primaryKey, changes };
  const why = isWhole ? 'has no primary key' : 'does not have the same columns on both sides';
  return {
    note: `Not in the patch: ${counted(changes.length, 'changed row')} of “${name}”, because the table ${why}. Changesets name rows by primary key; the SQL form has them.`,
  };
}
