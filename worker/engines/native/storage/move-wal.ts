// Moves the content of the WAL into the file.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import type { DatabaseFile } from './database-file.ts';

/** False when another program prevents it. */
export function moveWal(connection: Connection, file: DatabaseFile): boolean {
  file.joinCheckpoint();
  try {
    return connection.one('PRAGMA main.wal_checkpoint(TRUNCATE)')![0] === 0;
  } catch (error) {
    if (error instanceof AppError && (error.sqlite?.result === 6 || error.code === 'locked')) return false;
    throw error;
  }
}
