// The tables of two databases that are compared: which columns both have, and by which of them their rows belong together.
import { foldName, sameName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable, listTables } from '../engines/table-list.ts';
import { storedColumns } from '../library/source/compare-databases.ts';
import { whyWithoutRows, type NotCompared } from '../schema-compare/table-pairs.ts';
import { COUNTERS, hasNullableKey, orderBy, rowKeyOf, type RowKey } from '../schema/row-order.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import type { RowsQuery } from './ordered-rows.ts';

export interface ComparedTable {
  readonly name: string;
  /** Shapes; null where a side lacks the table. */
  readonly from: TableShape | null;
  readonly to: TableShape | null;
  /** Names of the compared columns, those of the key first. */
  readonly columns: readonly string[];
  /** How many of the columns are the key; 0: rows are matched as a whole. */
  readonly keys: number;
  /** The key is what SQLite orders the table by: an INTEGER PRIMARY KEY, or the row id of a virtual table. */
  readonly isRowid: boolean;
  /** Rows with NULL in their key are matched as a whole. */
  readonly isNullable: boolean;
}

export interface ComparedNames {
  readonly tables: readonly string[] | null;
  readonly ignoredColumns: readonly string[];
}

/** Names of all tables with rows that either has, in one order, whatever case each side writes them in. */
export function comparedNames(mine: Connection, theirs: Connection, { tables }: ComparedNames): readonly string[] {
  const names = new Map<string, string>();
  for (const connection of [mine, theirs]) for (const name of namesOf(connection)) names.set(foldName(name), name);
  const isWanted = (name: string): boolean => tables?.some((wanted) => sameName(wanted, name)) ?? true;
  return [...names].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, name]) => (isWanted(name) ? [name] : [])); // prettier-ignore
}

/** @throws AppError `not-found` for a table or view that neither has */
export function assertKnown(mine: Connection, theirs: Connection, { tables }: ComparedNames): void {
  for (const name of tables ?? [])
    if (findTable(mine, name) === null && findTable(theirs, name) === null)
      throw AppError.notFound(`There is no table or view “${name}” in either database. Nothing was compared.`);
}

function namesOf(connection: Connection): readonly string[] {
  return listTables(connection)
    .filter(({ name, kind }) => (kind === 'table' || kind === 'virtual') && isOwn(name))
    .map(({ name }) => name);
}

/** Statistics and the schema table are no content. */
const isOwn = (name: string): boolean => !/^sqlite_/i.test(name) || name === COUNTERS;

/** @throws AppError `sql` for a table that cannot be read */
export function comparedTable(
  mine: Connection,
  theirs: Connection,
  name: string,
  { ignoredColumns }: Pick<ComparedNames, 'ignoredColumns'>,
): ComparedTable | NotCompared {
  const [from, to] = [shapeOf(mine, name), shapeOf(theirs, name)];
  const without = (from && whyWithoutRows(mine, from)) ?? (to && whyWithoutRows(theirs, to));
  if (without !== null) return without;
  const isIgnored = (column: string): boolean =>
    ignoredColumns.some((ignored) => sameName(ignored, column) || sameName(ignored, `${name}.${column}`));
  const isInBoth = (column: string): boolean =>
    [from, to].every((shape) => shape === null || storedColumns(shape).some((other) => sameName(other, column)));
  const shape = (to ?? from)!;
  const common = storedColumns(shape).filter((column) => isInBoth(column) && !isIgnored(column));
  const key = commonKey(from && rowKeyOf(mine, from), to && rowKeyOf(theirs, to), from === null || to === null);
  const isKey = key !== null && key.names.every((column) => key.isHidden || common.some((other) => sameName(other, column))); // prettier-ignore
  const keys = isKey ? key.names : [];
  const columns = [...keys, ...common.filter((column) => !keys.some((other) => sameName(other, column)))];
  if (columns.length === 0) return { why: 'they have no columns in common that are compared.' };
  const isNullable = isKey && [from, to].some((side) => side !== null && hasNullableKey(side, keys));
  return { name, from, to, columns, keys: keys.length, isRowid: isKey && key.isRowid, isNullable };
}

const shapeOf = (connection: Connection, name: string): TableShape | null =>
  findTable(connection, name) === null ? null : describeTable(connection, name);

/** Null if the two have none, or another one. */
function commonKey(here: RowKey | null, there: RowKey | null, isAlone: boolean): RowKey | null {
  if (isAlone) return here ?? there;
  const isSame =
    here !== null &&
    there !== null &&
    here.isRowid === there.isRowid &&
    here.names.length === there.names.length &&
    here.names.every((name, at) => sameName(name, there.names[at]!));
  return isSame ? there : null;
}

/** Null for a side that lacks the table. @param more quoted names of what is read besides */
export function rowsQuery(table: ComparedTable, side: 'from' | 'to', more: readonly string[] = []): RowsQuery | null {
  const shape = table[side];
  if (shape === null) return null;
  const own = (column: string): string =>
    quoteName(shape.columns.find((other) => sameName(other.name, column))?.name ?? column);
  const columns = table.columns.map(own);
  return { from: `main.${quoteName(shape.name)}`, columns: [...columns, ...more], orderBy: orderBy(table, columns) };
}
