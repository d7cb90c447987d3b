// Copies the rows of a table into another, in slices, and compares each row with its copy while both are in the cache.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { ColumnProof, TableProof } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { pairRows } from './row-pairs.ts';
import type { ColumnPair, RowPairs } from './row-pairs.ts';
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
/** Expressions for each column, a few per column, stay below the same limit. */
const MAX_COMPARED = 500;

/**
 * {@link countCopied} has to follow: `rowsAfter` is what was written.
 * @throws AppError `constraint` for a row the table does not take, `conflict` where a value is not what it was
 */
export function* copyRows(work: Work, copy: RowCopy): Generator<Pause, TableProof> {
  const { connection } = work;
  const pairs = pairRows(copy.before, copy.after, copy.sources);
  if (pairs.written.length > MOST_VALUES) throw tooWide(copy.table);
  const [from, to] = [`main.${quoteName(copy.before.name)}`, `main.${quoteName(copy.after.name)}`];
  const rowsBefore = Number(connection.one(`SELECT count(*) FROM ${from}`)![0]);
  assertNoNullKeys(connection, copy, from);
  const phase = `Copying the rows of ${copy.table}`;
  work.tell(phase, 0, rowsBefore);
  const insert = insertSql(pairs, from, to);
  const compare = new Comparison(connection, copy.table, { pairs, from, to });
  if (insert === null) throw nothingToCopy(copy.table);
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

/** SQLite would give a row with NULL for its INTEGER PRIMARY KEY any number. @throws AppError `constraint` */
function assertNoNullKeys(connection: Connection, { table, before, after, sources }: RowCopy, from: string): void {
  const source = sources[after.columns.findIndex(({ name }) => name === after.rowidColumn)] ?? null;
  if (source === null || source === before.rowidColumn) return;
  const count = Number(connection.one(`SELECT count(*) FROM ${from} WHERE ${quoteName(source)} IS NULL`)![0]);
  if (count === 0) return;
  throw new AppError({
    code: 'constraint',
    ...inParts(
      `“${source}” is NULL in ${count === 1 ? 'one row' : `${count} rows`} of “${table}”, so it cannot be its primary key.`,
      'Nothing was changed.',
    ),
    detail: { kind: 'not-null', table, columns: source, name: source },
  });
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

interface Compared {
  readonly pairs: RowPairs;
  readonly from: string;
  readonly to: string;
}

/**
 * Compares values as SQLite stores them: by class and byte for byte. An INTEGER and a REAL that are equal count as equal; a column whose type
 * stays the same stores a number one way.
 */
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
    const { join, same, converted } = this.#compared.pairs;
    if (join === null) return;
    const source = `${this.#joined(join)} WHERE ${condition}`;
    for (let at = 0; at < Math.max(1, same.length); at += MAX_COMPARED) {
      // The last column first: SQLite then finds all columns of a row in one pass over its header, which takes a sixth off.
      const equal = same.slice(at, at + MAX_COMPARED).map((pair) => ` AND ${isEqual(pair)}`);
      equal.reverse();
      const rows = Number(this.#connection.one(`SELECT count(*) FROM ${source}${equal.join('')}`, bounds)![0]);
      if (rows !== copied) throw this.#notSame(source, bounds);
    }
    for (let at = 0; at < converted.length; at += MAX_COMPARED) {
      const sums = converted.slice(at, at + MAX_COMPARED).map((pair) => `sum(${isOther(pair)})`);
      const counts = this.#connection.one(`SELECT ${sums.join(', ')} FROM ${source}`, bounds)!;
      counts.forEach((count, index) => (this.#changed[at + index]! += Number(count ?? 0)));
    }
  }

  /** @throws AppError `conflict` */
  end(isWhole: boolean): readonly ColumnProof[] {
    const { pairs } = this.#compared;
    if (pairs.join === null && this.#areOthers()) throw failure(this.#table, 'values were not the same');
    if (!isWhole) throw failure(this.#table, MISSING);
    return pairs.columns.map((column) => {
      const at = pairs.converted.findIndex(({ to }) => to === column.name);
      return at < 0 ? column : { ...column, changed: this.#changed[at]! };
    });
  }

  #joined(join: NonNullable<RowPairs['join']>): string {
    const { from, to } = this.#compared;
    const on = join.on.map(({ o, n, collation }) => {
      const suffix = collation === null ? '' : ` COLLATE ${quoteName(collation)}`;
      const [inner, outer] =
        join.outer === 'o' ? [`n.${quoteName(n)}`, `o.${quoteName(o)}`] : [`o.${quoteName(o)}`, `n.${quoteName(n)}`];
      return `${inner} = ${outer}${suffix}`;
    });
    // CROSS JOIN keeps the order (sqlite.org/optoverview.html#crossjoin).
    const [first, second] = join.outer === 'o' ? [`${from} AS o`, `${to} AS n`] : [`${to} AS n`, `${from} AS o`];
    return `${first} CROSS JOIN ${second} ON ${on.join(' AND ')}`;
  }

  /** Compares without a key to look up rows: whether some row occurs more often on one side. */
  #areOthers(): boolean {
    const { pairs, from, to } = this.#compared;
    if (pairs.same.length === 0) return false;
    const list = (names: readonly string[]): string =>
      names.map((name, at) => `${quoteName(name)} AS c${at}`).join(', ');
    const groups = pairs.same.map((_, at) => `c${at} COLLATE BINARY`).join(', ');
    const sql = `SELECT 1 FROM (SELECT 1 AS side, ${list(pairs.same.map((pair) => pair.from))} FROM ${from}
      UNION ALL SELECT -1, ${list(pairs.same.map((pair) => pair.to))} FROM ${to}) GROUP BY ${groups} HAVING sum(side) <> 0 LIMIT 1`;
    return this.#connection.one(sql) !== null;
  }

  #notSame(source: string, bounds: readonly bigint[]): AppError {
    const { same } = this.#compared.pairs;
    const other = same.find(
      (pair) => this.#connection.one(`SELECT 1 FROM ${source} AND ${isOther(pair)} LIMIT 1`, bounds) !== null,
    );
    return failure(
      this.#table,
      other === undefined ? 'some could not be found again' : `values of “${other.to}” were not the same`,
    );
  }
}

const MISSING = 'not every row was there once';

const failure = (table: string, what: string): AppError =>
  new AppError({
    code: 'conflict',
    message: `After the rows of “${table}” were copied, ${what}. Nothing was changed.`,
  });

/** A unary plus removes the affinity, so that '007' and 7 are two values. */
const isEqual = ({ from, to }: ColumnPair): string => `+o.${quoteName(from)} IS +n.${quoteName(to)} COLLATE BINARY`;
const isOther = ({ from, to }: ColumnPair): string => `+o.${quoteName(from)} IS NOT +n.${quoteName(to)} COLLATE BINARY`;

/** The row id is a separate value where it is no column. */
function tooWide(table: string): AppError {
  return new AppError({
    code: 'unavailable',
    ...inParts(
      `“${table}” has ${MOST_VALUES.toLocaleString('en-US')} columns and no INTEGER PRIMARY KEY, and SQLite cannot read more values from one row, so the row ids could not be kept.`,
      'Nothing was changed. Drop a column first.',
    ),
  });
}

function nothingToCopy(table: string): AppError {
  return new AppError({
    code: 'invalid',
    message: `No column of “${table}” would be kept, so its rows could not be kept either. Nothing was changed.`,
  });
}
