// Keeps a file in place unchanged while its bytes are copied, although other programs may want to write to it.
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, fail, inParts, toAppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { stillFile, type StillFile } from '../library/export.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';

type CopyTurn = Pick<Turn, 'connection' | 'stopRequested'>;

/** Everything committed is in what is read, and stays so until it is released. @throws AppError `locked` */
export function* holdForCopy(turn: CopyTurn): Generator<Pause, StillFile> {
  const { connection } = turn;
  const isWal = connection.one('PRAGMA journal_mode')?.[0] === 'wal';
  if (isWal && !mayCheckpoint(connection)) return yield* privateCopy(turn);
  connection.checkpoint();
  // A reader of a rollback journal keeps the file from changing; with a WAL only a writer keeps it from growing.
  begin(connection, isWal ? 'BEGIN IMMEDIATE' : 'BEGIN');
  const wal = `${connection.location}-wal`;
  if (isWal && existsSync(wal) && statSync(wal).size > 0) {
    connection.run('COMMIT');
    throw AppError.locked(
      'Another program is using the file, so it cannot be copied as one piece now. Nothing was written. Try again in a moment.',
    );
  }
  return stillFile(connection, () => end(connection));
}

/** A file that waits for its first edit stays as it is, too. */
const mayCheckpoint = (connection: Connection): boolean =>
  !isReadOnly(connection) && Number(connection.one('PRAGMA query_only')![0]) === 0;

/** What others have in the WAL cannot be moved into the file by a connection that does not write. */
function* privateCopy(turn: CopyTurn): Generator<Pause, StillFile> {
  const { connection } = turn;
  const folder = makeScratchFolder();
  const file = join(folder, 'copy.db');
  let copy: StillFile | null = null;
  try {
    begin(connection, 'BEGIN');
    try {
      for (const _ of connection.copyPages!(file)) {
        if (turn.stopRequested) fail('stopped', 'Stopped. The unfinished copy was removed.');
        yield 'reading';
      }
    } catch (error) {
      throw toAppError(error).code === 'full' ? noRoomIn(folder) : error;
    } finally {
      end(connection);
    }
    return (copy = openCopy(file, () => removeScratchFolder(folder)));
  } finally {
    // Also where the window was closed during a pause.
    if (copy === null) removeScratchFolder(folder);
  }
}

function openCopy(file: string, remove: () => void): StillFile {
  const descriptor = openSync(file, 'r');
  return {
    sizeBytes: fstatSync(descriptor).size,
    read: (offset, length) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    },
    release: () => {
      closeSync(descriptor);
      remove();
    },
  };
}

const noRoomIn = (folder: string): AppError =>
  AppError.full(
    inParts(
      `There is no room for a copy of the database in the folder for temporary files, “${dirname(folder)}”.`,
      'Nothing was written. Free some space there and try again.',
    ),
  );

function begin(connection: Connection, sql: string): void {
  connection.run(sql);
  connection.one('SELECT 1 FROM main.sqlite_schema');
}

const end = (connection: Connection): void => void (connection.autocommit || connection.run('COMMIT'));

export const isReadOnly = (connection: Connection): boolean => (connection.whyReadOnly ?? null) !== null;
