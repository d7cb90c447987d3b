// Keeps a file in place unchanged while its bytes are copied, although other programs may want to write to it.
import { existsSync, statSync } from 'node:fs';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';

/** Everything committed is in the file itself, and stays so until the answer is called. @throws AppError `locked` */
export function holdForCopy(connection: Connection): () => void {
  const isWal = connection.one('PRAGMA journal_mode')?.[0] === 'wal';
  // A reader of a rollback journal keeps the file from changing; with a WAL only a writer keeps it from growing.
  connection.run(isWal ? 'BEGIN IMMEDIATE' : 'BEGIN');
  connection.one('SELECT 1 FROM main.sqlite_schema');
  const wal = `${connection.location}-wal`;
  if (isWal && existsSync(wal) && statSync(wal).size > 0) {
    connection.run('COMMIT');
    throw AppError.locked(
      'Another program is using the file, so it cannot be copied as one piece now. Nothing was written. Try again in a moment.',
    );
  }
  return () => void (connection.autocommit || connection.run('COMMIT'));
}
