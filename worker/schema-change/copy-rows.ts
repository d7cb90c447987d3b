// Copies the rows of a table into another, in slices, and compares each row with its copy while both are in the cache.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { ColumnProof, TableProof } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape, KeyColumn } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import type { Work } from './work.ts';

/** The source table of a row, in its current shape, and its destination. */
interface RowCopy {
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
    AppError.constraint(
      inParts(
        `“${source}” is NULL in ${count === 1 ? 'one row' : `${count} rows`} of “${table}”, so it cannot be its primary key.`,
        'Nothing was changed.',
      ),
      { detail: { kind: 'not-null', table, columns: source, name: source } },
    );
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

// SQL that compares the rows of a table with the rows they were made from, as SQLite stores them: by class and byte for byte. An INTEGER and a
// REAL that are equal count as equal; a column whose type stays the same stores a number one way.

interface Compared {
  readonly pairs: RowPairs;
  /** Names of the tables, written as SQL. */
  readonly from: string;
  readonly to: string;
}

/** A few expressions per column stay below the most values of a SELECT (sqlite.org/limits.html#max_column). */
const MAX_COMPARED = 500;

/**
 * Counts rows that were found again with the same values, in as many statements as the columns need. Empty where no key finds them: then
 * {@link otherRowsSql} compares.
 * @param condition on the pair of rows `o`, the old one, and `n`
 */
export function equalRowsSql(compared: Compared, condition: string): readonly string[] {
  const { join, same } = compared.pairs;
  if (join === null) return [];
  // The last column first: SQLite then finds all columns of a row in one pass over its header, which takes a sixth off.
  return inGroups(same).map(
    (group) =>
      `SELECT count(*) FROM ${rowsOf(compared, condition)}${group
        .map((pair) => ` AND ${isEqual(pair)}`)
        .reverse()
        .join('')}`,
  );
}

/** Counts, for each converted column, the values that are others now. Null counts as none. */
export function changedValuesSql(compared: Compared, condition: string): readonly string[] {
  const { join, converted } = compared.pairs;
  if (join === null || converted.length === 0) return [];
  return inGroups(converted).map(
    (group) => `SELECT ${group.map((pair) => `sum(${isOther(pair)})`).join(', ')} FROM ${rowsOf(compared, condition)}`,
  );
}

/** Returns a row if a pair of rows has two values in that column. */
function otherValueSql(compared: Compared, condition: string, pair: ColumnPair): string {
  return `SELECT 1 FROM ${rowsOf(compared, condition)} AND ${isOther(pair)} LIMIT 1`;
}

/** Without a key to look up rows: returns a row if some row occurs more often on one side. Null where a key finds them. */
export function otherRowsSql({ pairs, from, to }: Compared): string | null {
  if (pairs.join !== null || pairs.same.length === 0) return null;
  const list = (names: readonly string[]): string => names.map((name, at) => `${quoteName(name)} AS c${at}`).join(', ');
  const groups = pairs.same.map((_, at) => `c${at} COLLATE BINARY`).join(', ');
  return `SELECT 1 FROM (SELECT 1 AS side, ${list(pairs.same.map((pair) => pair.from))} FROM ${from}
      UNION ALL SELECT -1, ${list(pairs.same.map((pair) => pair.to))} FROM ${to}) GROUP BY ${groups} HAVING sum(side) <> 0 LIMIT 1`;
}

/** @param changed values, by converted column */
export function provedColumns(pairs: RowPairs, changed: readonly number[]): readonly ColumnProof[] {
  return pairs.columns.map((column) => {
    const at = pairs.converted.findIndex(({ to }) => to === column.name);
    return at < 0 ? column : { ...column, changed: changed[at]! };
  });
}

function rowsOf({ pairs: { join }, from, to }: Compared, condition: string): string {
  const on = join!.on.map(({ o, n, collation }) => {
    const suffix = collation === null ? '' : ` COLLATE ${quoteName(collation)}`;
    const [inner, outer] =
      join!.outer === 'o' ? [`n.${quoteName(n)}`, `o.${quoteName(o)}`] : [`o.${quoteName(o)}`, `n.${quoteName(n)}`];
    return `${inner} = ${outer}${suffix}`;
  });
  // CROSS JOIN keeps the order (sqlite.org/optoverview.html#crossjoin).
  const [first, second] = join!.outer === 'o' ? [`${from} AS o`, `${to} AS n`] : [`${to} AS n`, `${from} AS o`];
  return `${first} CROSS JOIN ${second} ON ${on.join(' AND ')} WHERE ${condition}`;
}

/** One group at least: rows without another column are compared, too. */
function inGroups(pairs: readonly ColumnPair[]): readonly (readonly ColumnPair[])[] {
  const groups: (readonly ColumnPair[])[] = [];
  for (let at = 0; at < Math.max(1, pairs.length); at += MAX_COMPARED) groups.push(pairs.slice(at, at + MAX_COMPARED));
  return groups;
}

/** A unary plus removes the affinity, so that '007' and 7 are two values. */
const isEqual = ({ from, to }: ColumnPair): string => `+o.${quoteName(from)} IS +n.${quoteName(to)} COLLATE BINARY`;
const isOther = ({ from, to }: ColumnPair): string => `+o.${quoteName(from)} IS NOT +n.${quoteName(to)} COLLATE BINARY`;

// Pairs the columns of a table with those of the table it is made from, and defines how a row of one finds its row in the other.

interface ColumnPair {
  readonly to: string;
  readonly from: string;
}

/** `o` is the old row, `n` the row made from it. */
interface RowPairs {
  /** Written columns, including the row id under a name of its own where it is no column. */
  readonly written: readonly ColumnPair[];
  /** Columns in which every value must stay the same. */
  readonly same: readonly ColumnPair[];
  /** Columns whose type or role in the table changes: values may change. */
  readonly converted: readonly ColumnPair[];
  readonly columns: readonly ColumnProof[];
  readonly rowids: 'kept' | 'new' | 'none';
  readonly join: Join | null;
}

interface Join {
  /** The table that is read from its beginning; rows of the other are looked up. */
  readonly outer: 'o' | 'n';
  readonly on: readonly { readonly o: string; readonly n: string; readonly collation: string | null }[];
}

/** @param sources the former name of each column of `after`; null: a new one */
export function pairRows(before: TableShape, after: TableShape, sources: readonly (string | null)[]): RowPairs {
  const from = new Map(after.columns.map(({ name }, at) => [name, sources[at] ?? null]));
  const keySource = after.rowidColumn === null ? null : (from.get(after.rowidColumn) ?? null);
  const columns = after.columns.map((column): ColumnProof => {
    const source = from.get(column.name)!;
    if (column.generated !== 'no') return { name: column.name, from: source, values: 'computed', changed: 0 };
    if (source === null) return { name: column.name, from: null, values: 'new', changed: 0 };
    const old = before.columns.find(({ name }) => name === source)!;
    const isSame =
      old.declaredType.toLowerCase() === column.declaredType.toLowerCase() &&
      before.strict === after.strict &&
      // A row id is given to a row that has none, and numbers become integers.
      (column.name === after.rowidColumn) === (source === before.rowidColumn);
    return { name: column.name, from: source, values: isSame ? 'same' : 'converted', changed: 0 };
  });
  const of = (values: ColumnProof['values']): readonly ColumnPair[] =>
    columns.flatMap((column) => (column.values === values ? [{ to: column.name, from: column.from! }] : []));
  const [same, converted] = [of('same'), of('converted')];
  const join = joinOf(before, after, { from, same });
  // A row that is found by its row id has it.
  const isJoined = ({ to }: ColumnPair): boolean =>
    join?.on.some(({ n, collation }) => n === to && collation === null) ?? false;
  const rowid = keySource === null && before.key.kind === 'rowid' && after.key.kind === 'rowid'
    ? [{ to: after.key.name, from: before.key.name }]
    : []; // prettier-ignore
  return {
    written: [...same, ...converted, ...rowid],
    same: same.filter((pair) => !isJoined(pair)),
    converted,
    columns,
    rowids: rowidsOf(before, after, keySource),
    join,
  };
}

function rowidsOf(before: TableShape, after: TableShape, keySource: string | null): RowPairs['rowids'] {
  if (after.withoutRowid) return 'none';
  if (before.key.kind !== 'rowid' || after.key.kind !== 'rowid') return 'new';
  return keySource === null || keySource === before.rowidColumn ? 'kept' : 'new';
}

/** Rows are looked up by their row ids, or by key columns whose values stay the same: converted values cannot be found by the old ones. */
function joinOf(
  before: TableShape,
  after: TableShape,
  { from, same }: { readonly from: ReadonlyMap<string, string | null>; readonly same: readonly ColumnPair[] },
): Join | null {
  if (after.key.kind === 'rowid') {
    const source = after.rowidColumn === null ? null : from.get(after.rowidColumn)!;
    if (source !== null) return { outer: 'o', on: [{ o: source, n: after.key.name, collation: null }] };
    if (before.key.kind === 'rowid')
      return { outer: 'o', on: [{ o: before.key.name, n: after.key.name, collation: null }] };
  }
  const by = (outer: Join['outer'], columns: readonly KeyColumn[]): Join | null => {
    const on = columns.flatMap(({ name, collation }) => {
      const pair = same.find((one) => (outer === 'o' ? one.to : one.from) === name);
      return pair === undefined ? [] : [{ o: pair.from, n: pair.to, collation }];
    });
    return on.length === columns.length ? { outer, on } : null;
  };
  return (
    (after.key.kind === 'primary-key' ? by('o', after.key.columns) : null) ??
    (before.key.kind === 'primary-key' ? by('n', before.key.columns) : null)
  );
}
