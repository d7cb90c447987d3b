// Lists the copies of the whole database that the history keeps for steps without a row log.
import type { StepId } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';

export type SnapshotPart = 'before' | 'after';

export interface Snapshot {
  readonly step: StepId;
  readonly part: SnapshotPart;
  readonly file: string;
  readonly sizeBytes: number;
}

/** Belongs to `user_version` 1, like all tables of {@link HistoryStore} that hold steps. */
export const SNAPSHOT_SCHEMA = `CREATE TABLE snapshots (
     step INTEGER NOT NULL, part TEXT NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (step, part)
   ) STRICT, WITHOUT ROWID`;

export class SnapshotTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Oldest step first. */
  get all(): readonly Snapshot[] {
    return this.#connection
      .all('SELECT step, part, file, size FROM snapshots ORDER BY step, part')
      .map(([step, part, file, size]) => ({
        step: Number(step),
        part: part as SnapshotPart,
        file: String(file),
        sizeBytes: Number(size),
      }));
  }

  of(step: StepId, part: SnapshotPart): Snapshot | null {
    const row = this.#connection.one('SELECT file, size FROM snapshots WHERE step = ? AND part = ?', [step, part]);
    return row && { step, part, file: String(row[0]), sizeBytes: Number(row[1]) };
  }

  add({ step, part, file, sizeBytes }: Snapshot): void {
    this.#connection.run('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)', [step, part, file, sizeBytes]);
  }

  remove({ step, part }: Snapshot): void {
    this.#connection.run('DELETE FROM snapshots WHERE step = ? AND part = ?', [step, part]);
  }
}
