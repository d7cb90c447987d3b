// Baselines, as the catalogue keeps them: what a library copy and its source file were like when they were the same.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { SourcePrint } from '#shared/source-print.ts';
import type { Connection } from '../engines/engine.ts';
import type { KnownStep } from '../history/known-marks.ts';

/** State of a database and the file it came from when both were the same. */
export interface Baseline {
  readonly source: SourcePrint;
  /** `Connection.commitMark` of the copy. */
  readonly copyMark: string;
  readonly atMs: number;
  /** A later state of the file about which the user does not want to be asked. */
  readonly keptMine?: SourcePrint;
  /** Set after a merge: the copy has changes that the file lacks, and how they differ is kept with the history at `copyMark`. */
  readonly ahead?: true;
  /** Tables that a merge left out: their last common state is unknown. */
  readonly unmerged?: readonly string[];
  /** The step that caused this: once it is undone, the state `before` applies again. */
  readonly step?: KnownStep & { readonly before: Baseline | null };
}

export class Baselines {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get(id: DatabaseId): Baseline | null {
    const row = this.#connection.one('SELECT json FROM baselines WHERE database = ?', [id]);
    return row ? (JSON.parse(String(row[0])) as Baseline) : null;
  }

  put(id: DatabaseId, baseline: Baseline): void {
    this.#connection.run('INSERT INTO baselines VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json', [
      id,
      JSON.stringify(baseline),
    ]);
  }

  forget(id: DatabaseId): void {
    this.#connection.run('DELETE FROM baselines WHERE database = ?', [id]);
  }
}
