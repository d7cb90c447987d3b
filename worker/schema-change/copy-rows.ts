// Copies the rows of a table into another, in slices, and compares each row with its copy while both are in the cache.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { ColumnProof, TableProof } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { changedValuesSql, equalRowsSql, otherRowsSql, otherValueSql, provedColumns } from './row-comparison.ts';
import type { Compared } from './row-comparison.ts';
import { pairRows } from './row-pairs.ts';
import type { RowPairs } from './row-pairs.ts';
import type { Work } from './work.ts';

/** The source table of a row, in its current shape, and its destination. */
export interface RowCopy {
  /** Name to show. */
  readonly table: string;
  readonly before: TableShape;
  readonly after: TableShape;
  /** See {@link pairRows}. */
  readonly sources: readonly (string | null)[];
}

/** `from` and `to` are written as SQL. Null if every column of the new table is new or computed. */
export function insertSql({ written }: RowPairs, from: string, to: string): string | null {
  if (written.length === 0) return null;
  const [into, sources] = [written.map((pair) => pair.to), written.map((pair) => pair.from)];
  return `INSERT OR ABORT INTO ${to} (${quoteNames(into)}) SELECT ${quoteNames(sources)} FROM ${from}`;
}

const FIRST_ROWS = 1000;
const MAX_ROWS = 1_000_000;
const LEAST_ROWID = -(2n ** 63n);
const GREATEST_ROWID = 2n ** 63n - 1n;
/** Most values in a row that a SELECT reads (sqlite.org/limits.html#max_column). */
const MOST_VALUES = 2000;

export interface CopyPlan {
  readonly compared: Compared;
  readonly insert: string;
  /** Counts rows that would get any number, because SQLite gives one to NULL in an INTEGER PRIMARY KEY. */
  readonly nullKeys: { readonly sql: string; readonly error: (count: number) => AppError } | null;
}

/** @throws AppError `invalid` where nothing would be copied, `unavailable` for too many columns */
export function planCopy(copy: RowCopy): CopyPlan {
  const pairs = pairRows(copy.before, copy.after, copy.sources);
  if (pairs.written.length > MOST_VALUES) throw tooWide(copy.table);
  const [from, to] = [`main.${quoteName(copy.before.name)}`, `main.${quoteName(copy.after.name)}`];
  const insert = insertSql(pairs, from, to);
  if (insert === null) throw nothingToCopy(copy.table);
  return { compared: { pairs, from, to }, insert, nullKeys: nullKeysOf(copy, from) };
}

/**
 * {@link countCopied} has to follow: `rowsAfter` is what was written.
 * @throws AppError `constraint` for a row the table does not take, `conflict` where a value is not what it was
 */
export function* copyRows(work: Work, copy: RowCopy): Generator<Pause, TableProof> {
  const { connection } = work;
  const { compared, insert, nullKeys } = planCopy(copy);
  const { pairs, from, to } = compared;
  const rowsBefore = Number(connection.one(`SELECT count(*) FROM ${from}`)![0]);
  if (nullKeys !== null) {
    const count = Number(connection.one(nullKeys.sql)![0]);
    if (count > 0) throw nullKeys.error(count);
  }
  const phase = `Copying the rows of ${copy.table}`;
  work.tell(phase, 0, rowsBefore);
  const compare = new Comparison(connection, copy.table, compared);
  work.sql.push(insert);
  const { key } = copy.before;
  let copied = 0;
  if (key.kind === 'rowid') {
    const rowid = quoteName(key.name);
    // If rows keep their row ids, the largest one so far shows the progress; otherwise the range is looked up before.
    const copiedTo =
      pairs.rowids === 'kept' && copy.after.key.kind === 'rowid'
        ? `SELECT max(${quoteName(copy.after.key.name)}) FROM ${to}`
        : null;
    const range = `o.${rowid} >= ?1 AND o.${rowid} <= ?2`;
    let [start, limit] = [LEAST_ROWID, FIRST_ROWS];
    for (;;) {
      const began = performance.now();
      const last = copiedTo === null ? lastOfRange(connection, { from, rowid, start, limit }) : null;
      const rows =
        copiedTo === null
          ? connection.run(`${insert} AS o WHERE ${range}`, [start, last!])
          : connection.run(`${insert} AS o WHERE o.${rowid} >= ?1 ORDER BY o.${rowid} LIMIT ?2`, [start, limit]);
      if (rows === 0) break;
      const end = last ?? BigInt(connection.one(copiedTo!)![0] as number | bigint);
      compare.range(rows, range, [start, end]);
      copied += rows;
      limit = nextLimit(limit, performance.now() - began, work.sliceEndMs - performance.now());
      work.tell(phase, copied, rowsBefore);
      yield* work.look();
      if (end === GREATEST_ROWID) break;
      start = end + 1n;
    }
  } else {
    copied = connection.run(insert);
    yield* work.look();
    compare.range(copied, 'true', []);
  }
  work.tell(`Comparing the rows of ${copy.table}`, 0, rowsBefore);
  const columns = compare.end(copied === rowsBefore);
  yield* work.look();
  return { table: copy.table, rowsBefore, rowsAfter: copied, columns, rowids: pairs.rowids };
}

/** Call once the table has its indexes: SQLite counts in the smallest of them. @throws AppError `conflict` */
export function countCopied(connection: Connection, name: string, proof: TableProof): TableProof {
  const rowsAfter = Number(connection.one(`SELECT count(*) FROM main.${quoteName(name)}`)![0]);
  if (rowsAfter !== proof.rowsBefore) throw failure(proof.table, MISSING);
  return { ...proof, rowsAfter };
}

function nullKeysOf({ table, before, after, sources }: RowCopy, from: string): CopyPlan['nullKeys'] {
  const source = sources[after.columns.findIndex(({ name }) => name === after.rowidColumn)] ?? null;
  if (source === null || source === before.rowidColumn) return null;
  const error = (count: number): AppError =>
    new AppError({
      code: 'constraint',
      ...inParts(
        `“${source}” is NULL in ${count === 1 ? 'one row' : `${count} rows`} of “${table}”, so it cannot be its primary key.`,
        'Nothing was changed.',
      ),
      detail: { kind: 'not-null', table, columns: source, name: source },
    });
  return { sql: `SELECT count(*) FROM ${from} WHERE ${quoteName(source)} IS NULL`, error };
}

/** The row id of the last of `limit` rows starting at `start`; the greatest possible one if there are fewer. */
function lastOfRange(
  connection: Connection,
  {
    from,
    rowid,
    start,
    limit,
  }: { readonly from: string; readonly rowid: string; readonly start: bigint; readonly limit: number },
): bigint {
  const sql = `SELECT o.${rowid} FROM ${from} AS o WHERE o.${rowid} >= ? ORDER BY o.${rowid} LIMIT 1 OFFSET ?`;
  const row = connection.one(sql, [start, limit - 1]);
  return row === null ? GREATEST_ROWID : BigInt(row[0] as number | bigint);
}

/** The next rows should take about as long as is left, and be no more than twice as many as these. */
function nextLimit(limit: number, tookMs: number, leftMs: number): number {
  const wanted = (limit * Math.max(leftMs, 20)) / Math.max(tookMs, 0.1);
  return Math.round(Math.min(MAX_ROWS, limit * 2, Math.max(FIRST_ROWS, wanted)));
}

/** Compares the rows of each slice, and counts what has changed. */
class Comparison {
  readonly #connection: Connection;
  readonly #table: string;
  readonly #compared: Compared;
  readonly #changed: number[];

  constructor(connection: Connection, table: string, compared: Compared) {
    this.#connection = connection;
    this.#table = table;
    this.#compared = compared;
    this.#changed = compared.pairs.converted.map(() => 0);
  }

  /** @param copied number of rows just copied that meet the condition */
  range(copied: number, condition: string, bounds: readonly bigint[]): void {
    for (const sql of equalRowsSql(this.#compared, condition)) {
      const rows = Number(this.#connection.one(sql, bounds)![0]);
      if (rows !== copied) throw this.#notSame(condition, bounds);
    }
    let at = 0;
    for (const sql of changedValuesSql(this.#compared, condition))
      for (const count of this.#connection.one(sql, bounds)!) this.#changed[at++]! += Number(count ?? 0);
  }

  /** @throws AppError `conflict` */
  end(isWhole: boolean): readonly ColumnProof[] {
    const others = otherRowsSql(this.#compared);
    if (others !== null && this.#connection.one(others) !== null) throw failure(this.#table, OTHER_VALUES);
    if (!isWhole) throw failure(this.#table, MISSING);
    return provedColumns(this.#compared.pairs, this.#changed);
  }

  #notSame(condition: string, bounds: readonly bigint[]): AppError {
    const column = this.#compared.pairs.same.find(
      (pair) => this.#connection.one(otherValueSql(this.#compared, condition, pair), bounds) !== null,
    );
    return failure(
      this.#table,
      column === undefined ? 'some could not be found again' : `values of “${column.to}” were not the same`,
    );
  }
}

export const MISSING = 'not every row was there once';
export const OTHER_VALUES = 'values were not the same';

export const failure = (table: string, what: string): AppError =>
  AppError.conflict(`After the rows of “${table}” were copied, ${what}. Nothing was changed.`);

/** The row id is a separate value where it is no column. */
function tooWide(table: string): AppError {
  return AppError.unavailable(
    inParts(
      `“${table}” has ${MOST_VALUES.toLocaleString('en-US')} columns and no INTEGER PRIMARY KEY, and SQLite cannot read more values from one row, so the row ids could not be kept.`,
      'Nothing was changed. Drop a column first.',
    ),
  );
}

function nothingToCopy(table: string): AppError {
  return AppError.invalid(
    `No column of “${table}” would be kept, so its rows could not be kept either. Nothing was changed.`,
  );
}
