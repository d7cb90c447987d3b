// Compares the rows of all tables of two databases, one table after another, and writes what differs.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { comparedNames, comparedTable, rowsQuery, type ComparedNames, type ComparedTable } from './compared-tables.ts';
import { differingRows, hasRanges } from './differing-rows.ts';
import type { DiffWriter, RowCounts, TableNotCompared } from './form.ts';
import { mergeRows, type DifferenceSink } from './merge-rows.ts';
import { OrderedRows, type RowsFilter, type RowsQuery } from './ordered-rows.ts';
import { quoteName } from '../sql/quote.ts';
import { isUtf8, orderBy, type RowOrder } from '../schema/row-order.ts';

export interface TwoDatabases {
  readonly mine: Connection;
  readonly theirs: Connection;
  /** A private database whose texts are UTF-8, for rows that the two would sort in different ways. */
  readonly scratch: () => Connection;
  /** The schema by which statements of `mine` read what `theirs` reads; null: they cannot. */
  readonly beside?: string | null;
}

export interface RowsDiff {
  readonly isEqual: boolean;
  readonly notCompared: readonly TableNotCompared[];
}

/** What receives the rows of the tables that differ. */
export interface RowsWriter extends Pick<DiffWriter, 'begin' | 'row' | 'end'> {
  /** Quoted names of what is read of the first table besides the compared columns. */
  more?(table: ComparedTable): readonly string[];
}

/** @yields the rows compared since the last time */
export function* diffTables(
  both: TwoDatabases,
  names: ComparedNames,
  writer: RowsWriter,
): Generator<number, RowsDiff, undefined> {
  const notCompared: TableNotCompared[] = [];
  let isEqual = true;
  for (const name of comparedNames(both.mine, both.theirs, names)) {
    try {
      const table = comparedTable(both.mine, both.theirs, name, names);
      if ('why' in table) notCompared.push({ table: name, why: table.why, isElsewhere: table.isElsewhere === true });
      else if (yield* diffTable(both, table, writer)) isEqual = false;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'sql') throw error;
      notCompared.push({ table: name, why: error.message, isElsewhere: false });
    }
  }
  return { isEqual, notCompared };
}

/** Returns whether the rows differ. */
function* diffTable(
  both: TwoDatabases,
  table: ComparedTable,
  writer: RowsWriter,
): Generator<number, boolean, undefined> {
  const counts: RowCounts = { added: 0, removed: 0, changed: 0 };
  let hasBegun = false;
  yield* compareRows(both, table, writer.more?.(table) ?? [], (before, after) => {
    if (!hasBegun) writer.begin(table);
    hasBegun = true;
    counts[before === null ? 'added' : after === null ? 'removed' : 'changed']++;
    writer.row(before, after);
  });
  if (hasBegun) writer.end(counts);
  return hasBegun;
}

function* compareRows(
  both: TwoDatabases,
  table: ComparedTable,
  more: readonly string[],
  sink: DifferenceSink,
): Generator<number, void, undefined> {
  if (!both.beside || !hasRanges(table)) return yield* mergeAll(both, table, { more }, sink);
  for (const { rows, filter } of differingRows(both.mine, table, both.beside))
    if (filter === null) yield rows;
    else yield* mergeAll(both, table, { more, filter }, sink);
}

function* mergeAll(
  { mine, theirs, scratch }: TwoDatabases,
  table: ComparedTable,
  { more, filter }: { readonly more: readonly string[]; readonly filter?: RowsFilter },
  sink: DifferenceSink,
): Generator<number, void, undefined> {
  const open: OrderedRows[] = [];
  const rowsOf = function* (connection: Connection, query: RowsQuery | null): Generator<number, OrderedRows | null> {
    if (query === null) return null;
    const ordered = yield* textOrder(connection, table, { ...query, ...(filter && { filter }) }, scratch);
    const rows = new OrderedRows(ordered.connection, ordered.query);
    open.push(rows);
    return rows;
  };
  try {
    const here = yield* rowsOf(mine, rowsQuery(table, 'from', more));
    const there = yield* rowsOf(theirs, rowsQuery(table, 'to'));
    yield* mergeRows(here, there, { keys: table.keys, width: table.columns.length }, sink);
  } finally {
    for (const rows of open) rows.close();
  }
}

// Rows of a database whose texts are UTF-16 are sorted by other bytes than those of UTF-8: they are copied before they are merged.

const ROWS_A_STEP = 256;

interface OrderedQuery {
  readonly connection: Connection;
  readonly query: RowsQuery;
}

/** Returns what to read to get the rows of `query` in the order of UTF-8. @yields now and then */
function* textOrder(
  connection: Connection,
  table: RowOrder,
  query: RowsQuery,
  scratch: () => Connection,
): Generator<number, OrderedQuery, undefined> {
  if (table.isRowid || isUtf8(connection)) return { connection, query };
  const copy = scratch();
  const [[number]] = copy.all('SELECT count(*) FROM sqlite_schema') as [[number]];
  const name = quoteName(`rows ${number}`);
  const columns = query.columns.map((_, at) => `c${at}`);
  copy.run(`CREATE TABLE ${name} (${columns.join(', ')})`);
  yield* copyRows(connection, query, copy, `INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`);
  return { connection: copy, query: { from: name, columns, orderBy: orderBy(table, columns) } };
}

function* copyRows(
  from: Connection,
  { columns, from: table }: RowsQuery,
  to: Connection,
  into: string,
): Generator<number, void> {
  const reading = from.prepare(`SELECT ${columns.join(', ')} FROM ${table}`);
  const writing = to.prepare(into);
  to.run('BEGIN');
  try {
    for (let seen = 1; reading.step(); seen++) {
      writing.bind(columns.map((_, at) => reading.value(at)));
      writing.step();
      writing.reset();
      if (seen % ROWS_A_STEP === 0) yield 0;
    }
    to.run('COMMIT');
  } finally {
    reading.finalize();
    writing.finalize();
    if (!to.autocommit) to.run('ROLLBACK');
  }
}
