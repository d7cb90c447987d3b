// Runs a statement to its end into a spool, with pauses in which others may read.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Statement } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { sliceEnd } from './slice.ts';
import { SPOOL_LIMITS } from './spool.ts';
import type { Spool } from './spool.ts';

/** @param grown called before each pause and at the end */
export function* fillSpool(turn: Turn, statement: Statement, spool: Spool, grown: () => void): Generator<Pause, void> {
  let end = sliceEnd(turn);
  for (let more = true, first = true; more; first = false) {
    more = appendChunk(statement, spool, end);
    // The first rows go out at once, whatever the rest takes.
    if (more && !first && performance.now() < end) continue;
    grown();
    if (!more) return;
    yield 'reading';
    end = sliceEnd(turn);
  }
}

/** The same in one go, for statements that write: nobody may see them half done. */
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
