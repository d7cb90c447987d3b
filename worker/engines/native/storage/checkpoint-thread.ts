// A checkpoint by a thread and a connection of its own: for a WAL of gigabytes it takes seconds, which the engine's thread has for others.
import type { Worker } from 'node:worker_threads';
import { loadBetterSqlite } from '../runtime/load.ts';

/** What such a thread is started with. */
export interface CheckpointOrder {
  readonly location: string;
  /** See {@link State}. */
  readonly state: SharedArrayBuffer;
}

/** Words that both threads read. `stage` is written by the thread of the checkpoint, `unwanted` by that of the engine. */
const State = { stage: 0, unwanted: 1 } as const;
const Stage = { waits: 0, runs: 1, ended: 2 } as const;

export interface RunningCheckpoint {
  /** Resolves when it has ended, however that was. */
  readonly ended: Promise<void>;
  /**
   * Blocks until it has ended, or never begins. Call before any file of the database is closed: the system would drop the locks that the
   * checkpoint has on it (sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
   */
  join(): void;
}

type StartThread = (order: CheckpointOrder) => Pick<Worker, 'once'>;

let startThread: StartThread | null = null;

/** From now on large checkpoints are made by such threads, which call {@link runCheckpoint}; before, by the connection that commits. */
export function useCheckpointThreads(start: StartThread | null): void {
  startThread = start;
}

export const hasCheckpointThreads = (): boolean => startThread !== null;

export function startCheckpoint(location: string): RunningCheckpoint {
  const state = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const words = new Int32Array(state);
  const ended = new Promise<void>((resolve) => {
    const thread = startThread!({ location, state });
    // Without a listener an error would end the process. The next checkpoint tries again.
    thread.once('error', () => resolve());
    thread.once('exit', () => resolve());
  });
  return {
    ended,
    join() {
      // One of the two sees what the other has written: each writes its own word first, and then reads the other's.
      Atomics.store(words, State.unwanted, 1);
      while (Atomics.load(words, State.stage) === Stage.runs) Atomics.wait(words, State.stage, Stage.runs);
    },
  };
}

/**
 * Moves into the file what no reader needs in the WAL. An error is no news: SQLite's own checkpoints within COMMIT tell of none either.
 */
export async function runCheckpoint({ location, state }: CheckpointOrder): Promise<void> {
  const words = new Int32Array(state);
  const Database = await loadBetterSqlite().catch(() => null);
  if (Database === null) return;
  Atomics.store(words, State.stage, Stage.runs);
  try {
    if (Atomics.load(words, State.unwanted) === 1) return;
    const db = new Database(location, { fileMustExist: true });
    try {
      db.prepare('PRAGMA wal_checkpoint(PASSIVE)').all();
    } finally {
      db.close();
    }
  } catch {
    // What is left in the WAL stays valid.
  } finally {
    Atomics.store(words, State.stage, Stage.ended);
    Atomics.notify(words, State.stage);
  }
}
