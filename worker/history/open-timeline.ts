// Opens the history beside a database. A damaged history is abandoned, never the database.
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Engine } from '../engines/engine.ts';
import type { FilePool } from '../engines/wasm/storage/file-pool.ts';
import type { KeptCommit } from './merge-bases.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import { MEMORY_BUDGET } from '../engines/memory-budget.ts';
import { RestingConnection } from '../sessions/resting-connection.ts';
import { HistoryStore } from './store.ts';
import { Timeline, gapStep } from './timeline.ts';

export interface HistoryLocation {
  readonly engine: Pick<Engine, 'open'>;
  readonly pool: Pick<FilePool, 'names' | 'createWriter' | 'remove' | 'reserve'>;
  /** Commit marks of a database that are kept outside the history, which keeps the way to them as long as it can. */
  readonly keptMarks?: (database: DatabaseId) => readonly KeptCommit[];
  /** Location of a pool file for the engine; its name if omitted. */
  readonly locationOf?: (file: string) => string;
  /** Other programs may write to the databases. */
  readonly isShared?: boolean;
}

export function historyFile(database: DatabaseId): string {
  return `/history-${database}.sqlite3`;
}

/** @throws AppError when there is no room, or the history was written by a newer Sidelite */
export function openTimeline(position: HistoryLocation, database: DatabaseId, mark: string): Timeline {
  const { engine, pool, locationOf, keptMarks } = position;
  const file = historyFile(database);
  const open = (): Timeline => {
    const connection = new RestingConnection(() =>
      engine.open(locationOf?.(file) ?? file, {
        durability: 'balanced',
        create: true,
        untrusted: false,
        cacheBytes: MEMORY_BUDGET.historyCache,
      }),
    );
    try {
      return new Timeline(
        new HistoryStore(connection),
        new SnapshotFiles(pool, database),
        mark,
        () => keptMarks?.(database) ?? [],
      );
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  try {
    return open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    pool.remove(file);
    const timeline = open();
    timeline.append(gapStep(DAMAGED, mark));
    return timeline;
  }
}

export function isDamage(error: unknown): boolean {
  return error instanceof AppError && ['corrupt', 'not-a-database', 'sql'].includes(error.code);
}

const DAMAGED = 'The history up to here was damaged and could not be read. The database itself was not changed.';
