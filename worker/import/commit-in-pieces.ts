// The commit of an import, with its checkpoint, which for gigabytes takes seconds.
import type { Progress } from '#shared/protocol/library.ts';
import type { Pause, Turn } from '../sessions/session.ts';

const PIECE_MS = 8;
const REPORT_EVERY_MS = 100;

/**
 * Where the engine makes the checkpoint in pieces, it pauses as a reader does: other work may read meanwhile, and writes wait.
 * @param commit runs COMMIT @throws what `commit` throws
 */
export function* commitInPieces(
  turn: Turn,
  report: (progress: Progress) => void,
  commit: () => void,
): Generator<Pause, void> {
  const { connection } = turn;
  if (!connection.commitInPieces) return commit();
  let reportedMs = 0;
  for (const { doneBytes, totalBytes, until } of connection.commitInPieces(commit, PIECE_MS)) {
    if (performance.now() - reportedMs >= REPORT_EVERY_MS) {
      reportedMs = performance.now();
      report({ phase: 'Moving rows into the file', done: doneBytes, total: totalBytes, unit: 'bytes' });
    }
    if (until) turn.pauseUntil(until);
    yield 'reading';
  }
}
