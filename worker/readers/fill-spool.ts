// Runs a statement to its end into a spool, with pauses in which other work may read.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Statement } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { sliceEnd } from './slice.ts';
import { SPOOL_LIMITS } from './spool.ts';
import type { Spool } from './spool.ts';

/** The first rows are sent after this long, however long the rest takes; small results are complete by then. */
const FIRST_ROWS_MS = 4;

/** @param grown called before each pause, but not at the end, which the caller knows */
export function* fillSpool(turn: Turn, statement: Statement, spool: Spool, grown: () => void): Generator<Pause, void> {
  let end = sliceEnd(turn, FIRST_ROWS_MS);
  for (;;) {
    const more = appendChunk(statement, spool, end);
    if (more && performance.now() < end) continue;
    if (!more) return;
    grown();
    yield 'reading';
    end = sliceEnd(turn);
  }
}

/** The same without a pause, for statements that write: no other work may see them half done. */
export function fillSpoolWhole(statement: Statement, spool: Spool): void {
  while (appendChunk(statement, spool, Infinity));
}

function appendChunk(statement: Statement, spool: Spool, deadlineMs: number): boolean {
  const { chunkRows, chunkBytes, valueBytes } = SPOOL_LIMITS;
  const expectedRows = Math.max(1, Math.min(chunkRows, Math.floor(chunkBytes / (spool.columnCount * 9))));
  const writer = new PackedRowsWriter(spool.columnCount, { expectedRows, previewBytes: valueBytes });
  const more = statement.pack(writer, { maxRows: chunkRows, maxBytes: chunkBytes, deadlineMs });
  spool.append(writer.finish());
  return more;
}
