// Copies the rows of a table into another, in slices, and compares each row with what was made of it while both are in the cache.
import { AppError } from '#shared/protocol/errors.ts';
import type { ColumnProof, TableProof } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { pairRows } from './row-pairs.ts';
import type { ColumnPair, RowPairs } from './row-pairs.ts';
import type { Work } from './work.ts';

/** The table a row was in, as its shape is now, and the one it goes to. */
export interface RowCopy {
  /** For people. */
  readonly table: string;
  readonly before: TableShape;
  readonly after: TableShape;
  /** See {@link pairRows}. */
  readonly sources: readonly (string | null)[];
}

const FIRST_ROWS = 1000;
const MAX_ROWS = 1_000_000;
const LEAST_ROWID = -(2n ** 63n);
/** SQLite takes 2,000 expressions in a row. */
const MAX_COMPARED = 500;

/** @throws AppError `constraint` for a row the table does not take, `conflict` where a value is not what it was */
export function* copyRows(work: Work, copy: RowCopy): Generator<Pause, TableProof> {
  const { connection } = work;
  const pairs = pairRows(copy.before, copy.after, copy.sources);
  const [from, to] = [`main.${quoteName(copy.before.name)}`, `main.${quoteName(copy.after.name)}`];
  const rowsBefore = Number(connection.one(`SELECT count(*) FROM ${from}`)![0]);
  const phase = `Copying the rows of ${copy.table}`;
  work.tell(phase, 0, rowsBefore);
  const into = [...pairs.written.map((pair) => pair.to)];
  const insert =
    into.length === 0
      ? null // Every column of the new table is new or computed.
      : `INSERT OR ABORT INTO ${to} (${quoteNames(into)}) SELECT ${quoteNames(pairs.written.map((pair) => pair.from))} FROM ${from}`;
  const compare = new Comparison(connection, copy.table, { pairs, from, to });
  if (insert === null) throw nothingToCopy(copy.table);
  work.sql.push(insert);
  const { key } = copy.before;
  let copied = 0;
  if (key.kind === 'rowid') {
    const ranges = new Ranges(connection, from, key.name);
    while (ranges.next()) {
      const started = performance.now();
      copied += connection.run(
        `${insert} AS o WHERE ${ranges.condition} ORDER BY o.${quoteName(key.name)}`,
        ranges.bounds,
      );
      compare.range(ranges.condition, ranges.bounds);
      ranges.took(performance.now() - started, work.sliceEndMs - performance.now());
      work.tell(phase, copied, rowsBefore);
      yield* work.look();
    }
  } else {
    copied = connection.run(insert);
    yield* work.look();
    compare.range('true', []);
  }
  work.tell(`Comparing the rows of ${copy.table}`, 0, rowsBefore);
  const rowsAfter = Number(connection.one(`SELECT count(*) FROM ${to}`)![0]);
  const columns = compare.end({ copied, rowsBefore, rowsAfter });
  yield* work.look();
  return { table: copy.table, rowsBefore, rowsAfter, columns, rowids: pairs.rowids };
}

/** Consecutive ranges of row ids, of as many rows as a slice has time for. */
class Ranges {
  condition = '';
  bounds: readonly bigint[] = [];
  readonly #connection: Connection;
  readonly #from: string;
  readonly #rowid: string;
  #next: bigint | null = LEAST_ROWID;
  #rows = FIRST_ROWS;

  constructor(connection: Connection, from: string, rowidName: string) {
    this.#connection = connection;
    this.#from = from;
    this.#rowid = `o.${quoteName(rowidName)}`;
  }

  next(): boolean {
    const [rowid, start] = [this.#rowid, this.#next];
    if (start === null) return false;
    const behind = this.#connection.one(
      `SELECT ${rowid} FROM ${this.#from} AS o WHERE ${rowid} >= ? ORDER BY ${rowid} LIMIT 1 OFFSET ${this.#rows}`,
      [start],
    );
    this.#next = behind === null ? null : BigInt(behind[0] as number | bigint);
    this.condition = this.#next === null ? `${rowid} >= ?` : `${rowid} >= ? AND ${rowid} < ?`;
    this.bounds = this.#next === null ? [start] : [start, this.#next];
    return true;
  }

  /** The next range is to take about as long as is left, and no more than twice the rows of this one. */
  took(ms: number, leftMs: number): void {
    const wanted = (this.#rows * Math.max(leftMs, 20)) / Math.max(ms, 0.1);
    this.#rows = Math.round(Math.min(MAX_ROWS, this.#rows * 2, Math.max(FIRST_ROWS, wanted)));
  }
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
  #met = 0;

  constructor(connection: Connection, table: string, compared: Compared) {
    this.#connection = connection;
    this.#table = table;
    this.#compared = compared;
    this.#changed = compared.pairs.converted.map(() => 0);
  }

  range(condition: string, bounds: readonly bigint[]): void {
    const { join, same, converted } = this.#compared.pairs;
    if (join === null) return;
    const source = `${this.#joined(join)} WHERE ${condition}`;
    for (let at = 0; at < Math.max(1, same.length); at += MAX_COMPARED) {
      const differ = isNot(same.slice(at, at + MAX_COMPARED));
      const [rows, differing] = this.#connection.one(
        `SELECT count(*), coalesce(sum(${differ}), 0) FROM ${source}`,
        bounds,
      )!;
      if (at === 0) this.#met += Number(rows);
      if (Number(differing) > 0) throw this.#notSame(same, source, bounds);
    }
    for (let at = 0; at < converted.length; at += MAX_COMPARED) {
      const sums = converted.slice(at, at + MAX_COMPARED).map((pair) => `coalesce(sum(${isNot([pair])}), 0)`);
      const counts = this.#connection.one(`SELECT ${sums.join(', ')} FROM ${source}`, bounds)!;
      counts.forEach((count, index) => (this.#changed[at + index]! += Number(count)));
    }
  }

  /** @throws AppError `conflict` */
  end(rows: {
    readonly copied: number;
    readonly rowsBefore: number;
    readonly rowsAfter: number;
  }): readonly ColumnProof[] {
    const { pairs } = this.#compared;
    if (pairs.join === null && this.#areOthers()) throw this.#failure('values were not the same');
    const met = pairs.join === null ? rows.rowsBefore : this.#met;
    if ([rows.copied, rows.rowsAfter, met].some((count) => count !== rows.rowsBefore))
      throw this.#failure('not every row was there once');
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

  /** Without a key to look rows up by: whether some row is there more often on one side. */
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

  #notSame(same: readonly ColumnPair[], source: string, bounds: readonly bigint[]): AppError {
    const column = same.find(
      (pair) =>
        Number(this.#connection.one(`SELECT coalesce(sum(${isNot([pair])}), 0) FROM ${source}`, bounds)![0]) > 0,
    );
    return this.#failure(`values of “${column?.to ?? ''}” were not the same`);
  }

  #failure(what: string): AppError {
    return new AppError({
      code: 'conflict',
      message: `After the rows of “${this.#table}” were copied, ${what}. Nothing was changed.`,
    });
  }
}

/** 1 where one of them differs. A unary plus takes the affinity away, so that '007' and 7 are two values. */
function isNot(pairs: readonly ColumnPair[]): string {
  if (pairs.length === 0) return '0';
  const row = (side: string, names: readonly string[]): string =>
    `(${names.map((name) => `+${side}.${quoteName(name)} COLLATE BINARY`).join(', ')})`;
  return `${row('o', pairs.map(({ from }) => from))} IS NOT ${row('n', pairs.map(({ to }) => to))}`; // prettier-ignore
}

function nothingToCopy(table: string): AppError {
  return new AppError({
    code: 'invalid',
    message: `No column of “${table}” would be kept, so its rows could not be. Nothing was changed.`,
  });
}
