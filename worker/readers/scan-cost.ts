// The cost of a sort or a filter on a server, where each row read is paid for: taken from the server's own EXPLAIN QUERY PLAN.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { WHOLE_TABLE_ROWS } from '#shared/protocol/rows.ts';
import type { Connection } from '../engines/engine.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import { analyzedRowsOf, rowidRanges } from '../schema/row-estimate.ts';
import { topKeys, type KeyQuery } from './key-source.ts';

/** The part that no index serves: the sort, the filter, or both. */
interface Unserved {
  readonly what: 'sort' | 'filter' | 'sort and filter';
  /** `table`: rows are read that are not shown, up to all of them. `matches`: all rows that match the filter are read before the first is shown. */
  readonly reads: 'table' | 'matches';
}

/** Number of rows of a table, at most or about. */
interface KnownRows {
  readonly rows: number;
  readonly isLimit: boolean;
}

/** SQLite's words (sqlite.org/eqp.html). A sort of the last terms alone continues from an index's order, and ends with the page. */
const SORTS_ALL = 'USE TEMP B-TREE FOR ORDER BY';
const SCANS = /^SCAN (?!CONSTANT ROW|\d+ CONSTANT ROWS?|\d+-ROW VALUES)/;
/** A search between bounds, which may include every row; a search for equal values does not. */
function searchesRange(detail: string): boolean {
  const terms = detail.slice(detail.lastIndexOf('(') + 1);
  return detail.startsWith('SEARCH ') && terms.indexOf(')') === terms.length - 1 && /[<>]/.test(terms);
}

/** @param plan the details of EXPLAIN QUERY PLAN. Null: an index serves sort and filter */
export function unservedBy(plan: readonly string[], hasFilter: boolean): Unserved | null {
  const sorts = plan.includes(SORTS_ALL);
  const scans = plan.some((detail) => SCANS.test(detail));
  if (hasFilter && scans) return { what: sorts ? 'sort and filter' : 'filter', reads: 'table' };
  if (!sorts) return null;
  if (scans) return { what: 'sort', reads: 'table' };
  return plan.some(searchesRange) ? { what: 'sort', reads: 'matches' } : null;
}

/** Whole sentences for the user, who decides. */
export function costSentence({ what, reads }: Unserved, known: KnownRows | null): string {
  const first = `No index serves this ${what}.`;
  if (reads === 'matches')
    return `${first} The server would read all rows that match the filter before it shows the first.`;
  return `${first} ${allRowsSentence(known)}`;
}

function allRowsSentence(known: KnownRows | null): string {
  if (known === null) return 'The server would read all rows of the table.';
  const rows = known.rows.toLocaleString('en-US');
  return `The server would read ${known.isLimit ? 'up to' : 'about'} ${rows} rows (a whole-table scan).`;
}

/**
 * Nothing is counted for it: two round trips at most, and three rows.
 * @throws AppError `refused` with `detail.kind` `whole-table` when no index serves the query and the table is not known to be small
 */
export function assertServed(connection: Connection, query: KeyQuery): void {
  const { sql, params } = topKeys(query, 1);
  const plan = connection.all(`EXPLAIN QUERY PLAN ${sql}`, params).map((row) => String(row[3]));
  const unserved = unservedBy(plan, query.where.sql !== null);
  if (unserved === null) return;
  const whole = wholeTable(connection, query.shape);
  if (whole !== null) throw wholeTableRefused(costSentence(unserved, whole.known));
}

/**
 * Guards work that reads every row. Costs two round trips at most, and three rows.
 * @param why a sentence
 * @throws AppError `refused` with `detail.kind` `whole-table` on a server, unless the table is known to be small
 */
export function assertMayReadAll(connection: Connection, shape: TableShape, why: string): void {
  const whole = wholeTable(connection, shape);
  if (whole !== null) throw wholeTableRefused(`${why} ${allRowsSentence(whole.known)}`);
}

/** Cost of reading a whole table; null where rows are not paid for, and for a small table. */
export function wholeTable(connection: Connection, shape: TableShape): Pick<Known, 'known'> | null {
  if (connection.isMetered !== true) return null;
  const { limit, known } = knownRows(connection, [shape])[0]!;
  return limit !== null && limit <= WHOLE_TABLE_ROWS ? null : { known };
}

const wholeTableRefused = (sentence: string): AppError =>
  AppError.refused(inParts(sentence, 'Nothing was read.'), { detail: { kind: 'whole-table' } });

/** Rows of all tables together; a view counts as unknown. About three round trips, however many tables there are. @throws AppError */
export function knownRowsOf(
  connection: Connection,
  tables: readonly string[],
): { readonly rows: number | null; readonly isLimit: boolean } {
  let [rows, isLimit] = [0, false];
  for (const { known } of knownRows(
    connection,
    tables.map((table) => describeTable(connection, table)),
  )) {
    if (known === null) return { rows: null, isLimit: false };
    rows += known.rows;
    isLimit ||= known.isLimit;
  }
  return { rows, isLimit };
}

interface Known {
  /** Upper limit. */
  readonly limit: number | null;
  readonly known: KnownRows | null;
}

/** A table has no more rows than there are row ids between its first and its last; what ANALYZE found is nearer, but may be old. */
function knownRows(connection: Connection, shapes: readonly TableShape[]): readonly Known[] {
  const keyed = shapes.flatMap((shape) =>
    shape.key.kind === 'rowid' ? [{ shape, table: shape.name, rowidName: shape.key.name }] : [],
  );
  const ranges = rowidRanges(connection, keyed);
  const limits = new Map(
    keyed.map(({ shape }, at) => {
      const range = ranges[at] ?? null;
      return [shape, range === null ? 0 : range.max - range.min + 1];
    }),
  );
  const counts = analyzedRowsOf(
    connection,
    shapes.map(({ name }) => name),
  );
  return shapes.map((shape, at) => {
    const limit = limits.get(shape) ?? null;
    const analyzed = counts[at] ?? null;
    const isOld = limit !== null && analyzed !== null && analyzed > limit;
    if (analyzed !== null && analyzed > 0 && !isOld) return { limit, known: { rows: analyzed, isLimit: false } };
    return { limit, known: limit === null ? null : { rows: limit, isLimit: true } };
  });
}
