// Names of the rows that a foreign key's values refer to: shown beside the values, and used to find values.
import { AppError } from '#shared/protocol/errors.ts';
import { MAX_NAMED_ROWS, MAX_TOP_VALUES, type NamedValue } from '#shared/protocol/explore.ts';
import type { ForeignKey } from '#shared/protocol/schema.ts';
import type { Value } from '#shared/protocol/values.ts';
import { readableColumns } from '#shared/readable-columns.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { keyText } from '../history/net-changes.ts';
import type { Condition } from '../readers/filter-condition.ts';
import { wholeTable } from '../readers/scan-cost.ts';
import type { Scan } from '../readers/scan.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { escapeLike, quoteName } from '../sql/quote.ts';
import { scanTable } from './table-scan.ts';

interface NameRequest {
  readonly reference: ForeignKey;
  readonly column: string;
  readonly values: readonly Value[];
}

/** Values that refer to no row are left out, and so are all where finding rows would have to be paid for. @throws AppError `stopped` */
export function* parentNames(
  scan: Scan,
  { reference, column, values }: NameRequest,
): Generator<Pause, readonly NamedValue[]> {
  const { connection } = scan;
  const parent = parentOf(connection, reference);
  const key = parent?.pairs.find(({ from }) => from.toLowerCase() === column.toLowerCase());
  if (!parent || !key || values.length === 0) return [];
  const { shape, readable } = parent;
  const found = new NamedRows(values.slice(0, MAX_TOP_VALUES), readable.length);
  const shown = readable.map(shownSql).join(', ');
  const name = quoteName(key.to);
  const from = `FROM main.${quoteName(shape.name)}`;
  const ofValue = (at: number): string =>
    `SELECT * FROM (SELECT ${at}, ${shown} ${from} WHERE ${name} = ? LIMIT ${MAX_NAMED_ROWS + 1})`;
  if (isIndexed(connection, `SELECT 1 ${from} WHERE ${name} = ?`, [null])) {
    const sql = found.values.map((_value, at) => ofValue(at)).join(' UNION ALL ');
    yield* scan.rows(sql, found.values, (row) => found.take(Number(row.value(0)), row));
  } else if (wholeTable(connection, shape) === null) yield* throughTable(scan, shape, name, shown, found);
  return found.result;
}

/** A column that is not the first of its key, or a table without row ids: no index leads to the rows. */
function* throughTable(
  scan: Scan,
  shape: TableShape,
  name: string,
  shown: string,
  found: NamedRows,
): Generator<Pause, void> {
  const marks = found.values.map(() => '?').join(', ');
  const selected = `${name}, ${shown}`;
  yield* scanTable(scan, {
    shape,
    slice: selected,
    row: selected,
    where: { sql: `${name} IN (${marks})`, params: found.values },
    // Every row is passed on, so that the search can be stopped between two that match.
    rowWhere: { sql: null, params: [] },
    take: (row) => found.take(found.indexOf(row.value(0)), row),
    at: () => undefined,
  });
}

/**
 * True for rows whose key refers to a row with the text in one of its readable columns.
 *
 * @returns null where that cannot be asked of each row: without an index, of a large table on a server, or without readable columns
 */
export function namedCondition(
  connection: Connection,
  child: string,
  reference: ForeignKey,
  text: string,
): Condition | null {
  const referred = parentOf(connection, reference);
  if (!referred || wholeTable(connection, referred.shape) !== null) return null;
  const { shape, pairs, readable } = referred;
  // The other name lets a table refer to itself.
  const parent = quoteName(child.toLowerCase() === 'parent' ? 'referred' : 'parent');
  const from = `FROM main.${quoteName(shape.name)} AS ${parent}`;
  const isKey = (right: (column: string) => string): string =>
    pairs.map((pair) => `${parent}.${quoteName(pair.to)} = ${right(pair.from)}`).join(' AND ');
  const nulls = pairs.map(() => null);
  if (!isIndexed(connection, `SELECT 1 ${from} WHERE ${isKey(() => '?')}`, nulls)) return null;
  const matches = readable.map((column) => `${parent}.${quoteName(column)} LIKE ? ESCAPE '\\'`);
  const ofRow = isKey((column) => `${quoteName(child)}.${quoteName(column)}`);
  return {
    sql: `EXISTS (SELECT 1 ${from} WHERE ${ofRow} AND (${matches.join(' OR ')}))`,
    params: readable.map(() => `%${escapeLike(text)}%`),
  };
}

interface Parent {
  readonly shape: TableShape;
  readonly pairs: readonly { readonly from: string; readonly to: string }[];
  readonly readable: readonly string[];
}

/** Null if the table or columns that the key declares do not exist, or nothing in its rows can be read. */
function parentOf(connection: Connection, { table, columns }: ForeignKey): Parent | null {
  const shape = shapeOf(connection, table);
  const pairs = columns.flatMap(({ from, to }) => {
    const column = shape?.columns.find(({ name }) => name.toLowerCase() === to?.toLowerCase());
    return column ? [{ from, to: column.name }] : [];
  });
  if (!shape || pairs.length === 0 || pairs.length < columns.length) return null;
  const taken = pairs.map(({ to }) => to);
  const readable = readableColumns(shape.columns, taken).map(({ name }) => name);
  return readable.length === 0 ? null : { shape, pairs, readable };
}

function shapeOf(connection: Connection, table: string): TableShape | null {
  try {
    return describeTable(connection, table);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

/** Readable columns of rows, by the index of the value that refers to them. */
class NamedRows {
  readonly values: readonly Value[];
  readonly #width: number;
  readonly #rows: (readonly Value[])[][];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(values: readonly Value[], width: number) {
    this.values = values;
    this.#width = width;
    this.#rows = values.map(() => []);
    this.#indexes = new Map(values.map((value, at) => [keyText('', [value]), at]));
  }

  indexOf(value: Value): number {
    return this.#indexes.get(keyText('', [value])) ?? -1;
  }

  /** @param row the readable columns follow its first one */
  take(at: number, row: Statement): void {
    const rows = this.#rows[at];
    if (!rows || rows.length > MAX_NAMED_ROWS) return;
    rows.push(Array.from({ length: this.#width }, (_unused, column) => row.value(column + 1)));
  }

  get result(): readonly NamedValue[] {
    return this.values.flatMap((value, at) => {
      const rows = this.#rows[at] ?? [];
      const [names, hasMore] = [rows.slice(0, MAX_NAMED_ROWS), rows.length > MAX_NAMED_ROWS];
      return rows.length === 0 ? [] : [{ value, names, hasMore }];
    });
  }
}

// Whether an index leads to the rows of a query, so that it does not read a whole table in one statement.

export function isIndexed(connection: Connection, sql: string, params: readonly Value[]): boolean {
  const steps = connection.all(`EXPLAIN QUERY PLAN ${sql}`, params);
  return steps.every((step) => String(step[3]).startsWith('SEARCH '));
}

const SHOWN_LENGTH = 200;

export function shownSql(column: string): string {
  const name = quoteName(column);
  return `CASE typeof(${name}) WHEN 'blob' THEN NULL WHEN 'text' THEN substr(${name}, 1, ${SHOWN_LENGTH}) ELSE ${name} END`;
}
