// A commit that leaves a large WAL to be flushed and moved into the file by other threads. With a rollback journal COMMIT has neither to do.
import { open } from 'node:fs/promises';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection, LogMoved } from '../../engine.ts';
import { hasCheckpointThreads, startCheckpoint } from './checkpoint-thread.ts';
import type { DatabaseFile } from './database-file.ts';

/** A smaller WAL is moved in less time than people notice. */
const LARGE_WAL_BYTES = 16 * 2 ** 20;
const LOOK_EVERY_MS = 100;
/** `PRAGMA synchronous` from which on COMMIT flushes the WAL. */
const SYNCHRONOUS_FULL = 2;

interface Committing extends Pick<Connection, 'one' | 'run'> {
  readonly location: string;
  readonly isOpen: boolean;
}

/** See {@link Connection.commitInPieces}. */
export function* commitInPieces(
  connection: Committing,
  file: DatabaseFile,
  commit: () => void,
  mayUseThreads = true,
): Generator<LogMoved, void> {
  const mostFrames = numberOf(connection, 'wal_autocheckpoint');
  const { walSizeBytes } = file;
  if (!mayUseThreads || !hasCheckpointThreads() || mostFrames <= 0 || walSizeBytes < LARGE_WAL_BYTES) return commit();
  connection.run('PRAGMA wal_autocheckpoint = 0');
  try {
    if (numberOf(connection, 'main.synchronous') >= SYNCHRONOUS_FULL)
      yield* until(flush(`${connection.location}-wal`), () => 0, walSizeBytes);
    commit();
    yield* checkpoint(connection, file);
  } finally {
    if (connection.isOpen) connection.run(`PRAGMA wal_autocheckpoint = ${mostFrames}`);
  }
}

function* checkpoint(connection: Committing, file: DatabaseFile): Generator<LogMoved, void> {
  const before = file.sizeBytes;
  const after = numberOf(connection, 'main.page_count') * numberOf(connection, 'main.page_size');
  const thread = startCheckpoint(connection.location);
  file.checkpointBy(thread);
  // Pages are moved in the order of the file, most of which are new ones at its end.
  yield* until(thread.ended, () => file.sizeBytes - before, Math.max(after - before, 0));
}

/** Pauses until `work` has settled. */
function* until(work: Promise<unknown>, done: () => number, totalBytes: number): Generator<LogMoved, void> {
  let isSettled = false;
  const settled = work.finally(() => (isSettled = true)).catch(() => undefined);
  while (!isSettled) {
    const late = new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    yield { doneBytes: Math.min(done(), totalBytes), totalBytes, until: Promise.race([settled, late]) };
  }
}

/** What COMMIT flushes is then on the disk already. If it fails, COMMIT says so. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    // SQLite has no locks on this file, which closing a descriptor of it would drop.
    await handle.close();
  }
}

/** 0 if it cannot be read: that must not make a commit fail. */
function numberOf(connection: Committing, pragma: string): number {
  try {
    return Number(connection.one(`PRAGMA ${pragma}`)?.[0] ?? 0);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return 0;
  }
}
