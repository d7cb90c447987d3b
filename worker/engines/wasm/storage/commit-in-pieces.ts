// A commit whose checkpoint pauses now and then: otherwise SQLite makes it within COMMIT, which takes seconds for gigabytes.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import type { LogMoved } from '../../file-pieces.ts';
import type { DatabaseFile } from './database-file.ts';

interface Committing extends Pick<Connection, 'one' | 'run'> {
  readonly isOpen: boolean;
}

/** See {@link Connection.commitInPieces}. */
export function* commitInPieces(
  connection: Committing,
  file: DatabaseFile,
  commit: () => void,
  pieceMs: number,
): Generator<LogMoved, void> {
  const mostFrames = Number(connection.one('PRAGMA wal_autocheckpoint')?.[0] ?? 0);
  connection.run('PRAGMA wal_autocheckpoint = 0');
  try {
    commit();
    if (mostFrames > 0 && (file.log?.frames ?? 0) >= mostFrames) yield* checkpoint(connection, file, pieceMs);
  } finally {
    if (connection.isOpen) connection.run(`PRAGMA wal_autocheckpoint = ${mostFrames}`);
  }
}

function* checkpoint(connection: Committing, file: DatabaseFile, pieceMs: number): Generator<LogMoved, void> {
  try {
    yield* file.moveLog(pieceMs);
    if (connection.isOpen) connection.run('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (error) {
    // As after a COMMIT whose checkpoint fails: nothing is lost, and the next one tries again.
    if (!(error instanceof AppError)) throw error;
  }
}
