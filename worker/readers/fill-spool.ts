// Runs a statement to its end into a spool, with pauses in which other work may read.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Statement } from '../engines/engine.ts';
import type { BoundSql } from '../engines/guarded-write.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { nextStatement } from '#shared/split-statements.ts';
import { copyShort, LONGEST_VALUE, shortList } from './pack-page.ts';
import { sliceEnd } from './slice.ts';
import { SPOOL_LIMITS, type Spool } from './spool.ts';

/** The first rows are sent after this long, however long the rest takes; small results are complete by then. */
const FIRST_ROWS_MS = 4;

/**
 * @param statement bound, and not stepped yet
 * @param query the statement, if it can be run once more without the values that are too long for the engine
 * @param grown called before each pause, but not at the end, which the caller knows
 */
export function* fillSpool(
  turn: Turn,
  statement: Statement,
  query: BoundSql | null,
  spool: Spool,
  grown: () => void,
  longest = LONGEST_VALUE,
): Generator<Pause, void> {
  try {
    yield* fillRows(turn, (end) => appendChunk(statement, spool, end), grown);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too-big' || !query) throw error;
    // Rows that are here already may be others in a second run, which may take them in another order.
    if (spool.rowCount > 0) throw tooBigBehind(spool.rowCount);
    yield* fillWithoutLongest(turn, query, spool, grown, longest);
  }
}

function* fillWithoutLongest(
  turn: Turn,
  { sql, params }: BoundSql,
  spool: Spool,
  grown: () => void,
  longest: number,
): Generator<Pause, void> {
  const columns = Array.from({ length: spool.columnCount }, (_unused, at) => `c${at}`);
  const body = sql.slice(0, nextStatement(sql, 0)?.to).replace(/;\s*$/, '');
  const list = shortList(columns, { value: longest, blob: longest });
  // The line break ends a comment. In one step, SQLite would compute a query with ORDER BY, long values included, before it selects from it:
  // a list with functions is too complex to become part of such a query, unless it is part of another one.
  const statement = turn.connection.prepare(
    `WITH sidelite_result(${columns.join(', ')}) AS (${body}\n), sidelite_short AS (SELECT ${list} FROM sidelite_result) SELECT * FROM sidelite_short`,
  );
  try {
    statement.bind(params);
    yield* fillRows(turn, (end) => appendShort(statement, spool, end), grown);
  } catch (error) {
    // DISTINCT, UNION, and GROUP BY handle whole values.
    throw error instanceof AppError && error.code === 'too-big' ? tooBigBehind(spool.rowCount) : error;
  } finally {
    statement.finalize();
  }
}

/** @param append returns whether there may be more rows */
function* fillRows(turn: Turn, append: (endMs: number) => boolean, grown: () => void): Generator<Pause, void> {
  let end = sliceEnd(turn, FIRST_ROWS_MS);
  for (;;) {
    const more = append(end);
    if (more && performance.now() < end) continue;
    if (!more) return;
    grown();
    yield 'reading';
    end = sliceEnd(turn);
  }
}

/** Fills without a pause, for statements that write: no other work may see them half done. */
export function fillSpoolWhole(statement: Statement, spool: Spool): void {
  while (appendChunk(statement, spool, Infinity));
}

function appendChunk(statement: Statement, spool: Spool, deadlineMs: number): boolean {
  const writer = chunkWriter(spool, spool.columnCount);
  const more = packChunk(statement, writer, deadlineMs);
  spool.append(writer.finish());
  return more;
}

function appendShort(statement: Statement, spool: Spool, deadlineMs: number): boolean {
  const wide = chunkWriter(spool, spool.columnCount * 3);
  const more = packChunk(statement, wide, deadlineMs);
  const rows = chunkWriter(spool, spool.columnCount);
  copyShort(wide.finish(), rows);
  spool.append(rows.finish());
  return more;
}

function chunkWriter(spool: Spool, width: number): PackedRowsWriter {
  const { chunkRows, chunkBytes, valueBytes } = SPOOL_LIMITS;
  const expectedRows = Math.max(1, Math.min(chunkRows, Math.floor(chunkBytes / (spool.columnCount * 9))));
  return new PackedRowsWriter(width, { expectedRows, previewBytes: valueBytes });
}

function packChunk(statement: Statement, writer: PackedRowsWriter, deadlineMs: number): boolean {
  const { chunkRows, chunkBytes } = SPOOL_LIMITS;
  return statement.pack(writer, { maxRows: chunkRows, maxBytes: chunkBytes, deadlineMs });
}

const tooBigBehind = (rows: number): AppError =>
  AppError.tooBig(
    `${rows === 0 ? 'A value' : `A value behind row ${rows.toLocaleString('en-US')}`} is larger than this engine supports (512 MB). Leave its column out, or read a part of it with substr().`,
  );
