// Compares the rows of all tables of two databases, one table after another, and writes what differs.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { comparedNames, comparedTable, rowsQuery } from './compared-tables.ts';
import type { ComparedNames, ComparedTable } from './compared-tables.ts';
import { differingRows, hasRanges } from './differing-rows.ts';
import type { DiffWriter, RowCounts, TableNotCompared } from './form.ts';
import { mergeRows } from './merge-rows.ts';
import type { DifferenceSink } from './merge-rows.ts';
import { OrderedRows } from './ordered-rows.ts';
import type { RowsFilter, RowsQuery } from './ordered-rows.ts';
import { textOrder } from './text-order.ts';

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
