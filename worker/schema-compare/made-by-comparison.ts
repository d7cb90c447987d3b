// The differences of a comparison as changes of rows, each with the values that it rests on: for a database on a server, where they are made
// in one batch.
import { byName } from '#shared/by-name.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { MadeChange, RowImage } from '#shared/protocol/edit.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { NetChange, PartialRow } from '../history/net-changes.ts';
import { describeTable, keyNames, type TableShape } from '../schema/table-shape.ts';
import { groupBy } from '#shared/group-by.ts';
import { counted } from '#shared/counted.ts';
import { writeChangeset, type ChangesetTable } from '../history/patch/write-changeset.ts';
import { writeSql, type SqlPatchTitle } from '../history/patch/write-sql.ts';
import type { ChosenChanges } from './collected-changes.ts';

/** @throws AppError `unavailable` */
export function madeByComparison(connection: Connection, changes: readonly NetChange[]): readonly MadeChange[] {
  const names = [...new Set(changes.map(({ table }) => table.name))];
  const shapes = new Map(names.map((name) => [name, describeTable(connection, name)]));
  const parentsFirst = inOrderOfReferences(connection, names);
  const rank = ({ table, kind }: NetChange): number => parentsFirst.indexOf(table.name) * (kind === 'delete' ? -1 : 1);
  const sorted = [...changes].sort((one, other) => rank(one) - rank(other));
  return ordered(sorted).map((change) => madeOf(change, shapes.get(change.table.name)!));
}

function madeOf({ table, before, after, keyBefore, keyAfter }: NetChange, shape: TableShape): MadeChange {
  const side = (row: PartialRow, key: readonly Value[]): NonNullable<MadeChange['before']> => ({
    key: ownKey(shape, table, key, row),
    image: imageOf(table.columns, row, after ?? row),
  });
  return {
    table: shape.name,
    before: before && side(before, keyBefore!),
    // For an update, unchanged values are those from before.
    after:
      after && side(before ? after.map((value, at) => (value === undefined ? before[at] : value)) : after, keyAfter!),
  };
}

/** Image of the columns that `changed` has a value for. */
function imageOf(columns: readonly string[], row: PartialRow, changed: PartialRow): RowImage {
  const image = byName<Value>();
  columns.forEach((column, at) => {
    if (changed[at] !== undefined) image[column] = row[at]!;
  });
  return image;
}

/** The key by which edits find the row, which may not be the one it was matched by. */
function ownKey(
  { name, key: own, rowidColumn }: TableShape,
  { key, columns }: NetChange['table'],
  values: readonly Value[],
  row: PartialRow,
): readonly Value[] {
  const names = rowidColumn === null ? keyNames(own) : [rowidColumn];
  const matched = key.kind === 'rowid' ? [key.name] : key.columns;
  if (names.length === matched.length && names.every((one, at) => sameName(one, matched[at]!))) return values;
  const found = names.map((one) => row[columns.findIndex((column) => sameName(column, one))]);
  if (names.length > 0 && found.every((value) => value !== undefined)) return found;
  throw AppError.unavailable(
    `Rows of “${name}” were matched by columns that are not their key, and the key was not compared. Nothing was changed. Save the differences as SQL instead.`,
  );
}

/** Tables that others refer to come first, as far as references do not go in a circle. */
function inOrderOfReferences(connection: Connection, names: readonly string[]): readonly string[] {
  const order: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (order.includes(name) || path.includes(name)) return;
    for (const [parent] of connection.all('SELECT "table" FROM temp.pragma_foreign_key_list(?)', [name])) {
      const known = names.find((other) => sameName(other, String(parent)));
      if (known !== undefined) visit(known, [...path, name]);
    }
    order.push(name);
  };
  for (const name of names) visit(name, []);
  return order;
}

// The differences of a comparison as a patch: a changeset, or SQL.

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
const ordered = (changes: readonly NetChange[]): readonly NetChange[] =>
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
