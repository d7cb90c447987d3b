// Pairs the columns of two tables for comparison, and chooses those by which their rows belong together.
import { sameName } from '#shared/ddl/names.ts';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { ComparedTables } from '#shared/protocol/row-comparison.ts';
import type { Connection } from '../engines/engine.ts';
import { storedColumns } from '../library/source/compare-databases.ts';
import { describeTable, type TableShape, virtualTable } from '../schema/table-shape.ts';
import { lookupKeysOf } from '../schema/unique-keys.ts';

interface ColumnPair {
  readonly from: string;
  readonly to: string;
}

export interface TablePair {
  readonly from: TableShape;
  readonly to: TableShape;
  /** Columns in the order of the first table. */
  readonly columns: readonly ColumnPair[];
  /** Null: the row id. */
  readonly key: readonly ColumnPair[] | null;
  /** No two rows of the first table have the same key, unless there is a NULL in it. */
  readonly isUnique: boolean;
}

/** Why the rows of two tables are not compared, as the end of a sentence. */
export interface NotCompared {
  readonly why: string;
  /** Its rows are computed, or are those of another table. */
  readonly isElsewhere?: true;
}

/** @throws AppError `not-found`, `sql` for a table that cannot be read */
export function pairTables(mine: Connection, theirs: Connection, tables: ComparedTables): TablePair | NotCompared {
  const [from, to] = [describeTable(mine, tables.from), describeTable(theirs, tables.to)];
  const without = whyWithoutRows(mine, from) ?? whyWithoutRows(theirs, to);
  if (without !== null) return without;
  // No index can be made of another key.
  if (tables.key !== null && to.kind === 'virtual')
    return { why: 'virtual tables are compared by their row ids only.' };
  const theirColumns = storedColumns(to);
  const columns = storedColumns(from).flatMap((name): ColumnPair[] => {
    const other = theirColumns.find((candidate) => sameName(candidate, name));
    return other === undefined ? [] : [{ from: name, to: other }];
  });
  if (columns.length === 0) return { why: 'the tables have no columns in common.' };
  const key = keyFor(mine, theirs, { from, to, columns, chosen: tables.key });
  return 'why' in key ? key : { from, to, columns, ...key };
}

interface KeyRequest extends Pick<TablePair, 'from' | 'to' | 'columns'> {
  readonly chosen: readonly string[] | null;
}

function keyFor(
  mine: Connection,
  theirs: Connection,
  { from, to, columns, chosen }: KeyRequest,
): Pick<TablePair, 'key' | 'isUnique'> | NotCompared {
  const pairsOf = (names: readonly string[]): readonly ColumnPair[] | null => {
    const found = names.map((name) => columns.find((column) => sameName(column.from, name)));
    return found.every((column) => column !== undefined) ? found : null;
  };
  const keysHere = keysOf(mine, from);
  if (chosen !== null) {
    const key = pairsOf(chosen);
    if (key === null) return { why: `not all of the chosen columns (${chosen.join(', ')}) are in both tables.` };
    return { key, isUnique: keysHere.some((names) => isSubset(names, key.map((column) => column.from))) }; // prettier-ignore
  }
  const keysThere = keysOf(theirs, to);
  for (const names of keysHere) {
    const key = pairsOf(names);
    if (
      key &&
      keysThere.some((others) =>
        sameNames(
          others,
          key.map((column) => column.to),
        ),
      )
    )
      // prettier-ignore
      return { key, isUnique: true };
  }
  if (from.key.kind === 'rowid' && to.key.kind === 'rowid') return { key: null, isUnique: true };
  return { why: 'they have no key in common. Choose the columns of one.' };
}

/** Lists the primary key first. */
function keysOf(connection: Connection, { name, columns }: TableShape): readonly (readonly string[])[] {
  const primary = primaryKeyOf(columns).map((column) => column.name);
  const unique = lookupKeysOf(connection, name).map((key) => key.columns);
  return primary.length > 0 ? [primary, ...unique] : unique;
}

const isSubset = (names: readonly string[], of: readonly string[]): boolean =>
  names.every((name) => of.some((other) => sameName(name, other)));
const sameNames = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && isSubset(one, other);

/**
 * Why the rows of a table cannot be compared, as the end of a sentence; null if they can. Of virtual tables, only R-Trees and full-text tables
 * that keep their text have rows of their own.
 */
export function whyWithoutRows(
  connection: Connection,
  { name, kind }: Pick<TableShape, 'name' | 'kind'>,
): NotCompared | null {
  if (kind === 'table') return null;
  if (kind !== 'virtual')
    return { why: kind === 'view' ? 'it is a view.' : 'it is a part of a virtual table.', isElsewhere: true };
  const model = virtualTable(connection, name);
  if (model === null) return { why: 'Sidelite cannot read its CREATE statement.' };
  const module = model.module.name.toLowerCase();
  if (['rtree', 'rtree_i32', 'geopoly'].includes(module)) return null;
  // Another module's rows may be computed, and need not be there twice.
  if (!['fts3', 'fts4', 'fts5'].includes(module))
    return { why: `its rows come from the module “${model.module.name}”.`, isElsewhere: true };
  const content = model.arguments.find(({ option }) => option?.name.toLowerCase() === 'content')?.option?.value;
  if (content === undefined) return null;
  return content === ''
    ? { why: 'it keeps no text, only an index of it.' }
    : { why: `it has no text of its own, only an index of “${content}”.`, isElsewhere: true };
}
