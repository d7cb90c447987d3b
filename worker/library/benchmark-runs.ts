// Keeps results of benchmarks, including raw samples. Only the window interprets their content.
import type { NewRun, SavedRun } from '#shared/protocol/benchmark.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';

const COLUMNS = 'id, title, saved_at_ms, origin, facts, length(CAST(json AS BLOB))';

export class BenchmarkRuns {
  readonly #connection: Connection;

  /** @param connection of the catalogue, which makes the table */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): readonly SavedRun[] {
    return this.#connection
      .all(`SELECT ${COLUMNS} FROM benchmark_runs ORDER BY saved_at_ms DESC, rowid DESC`)
      .map(toRun);
  }

  /** @throws AppError `not-found` */
  read(id: string): { readonly run: SavedRun; readonly json: string } {
    const row = this.#connection.one(`SELECT ${COLUMNS}, json FROM benchmark_runs WHERE id = ?`, [id]);
    if (!row) fail('not-found', 'This run was deleted.');
    return { run: toRun(row), json: String(row.at(-1)) };
  }

  save(id: string | null, { title, origin, facts, json }: NewRun): SavedRun {
    const key = id ?? crypto.randomUUID();
    this.#connection.run(
      `INSERT INTO benchmark_runs (id, title, saved_at_ms, origin, facts, json) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
       ON CONFLICT DO UPDATE SET origin = ?4, facts = ?5, json = ?6`,
      [key, title, Date.now(), origin, facts, json],
    );
    return this.read(key).run;
  }

  rename(id: string, title: string): void {
    this.#connection.run('UPDATE benchmark_runs SET title = ? WHERE id = ?', [title, id]);
  }

  remove(id: string): void {
    this.#connection.run('DELETE FROM benchmark_runs WHERE id = ?', [id]);
  }
}

function toRun([id, title, savedAtMs, origin, facts, sizeBytes]: readonly Value[]): SavedRun {
  return {
    id: String(id),
    title: String(title),
    savedAtMs: Number(savedAtMs),
    origin: origin === null ? null : String(origin),
    facts: String(facts),
    sizeBytes: Number(sizeBytes),
  };
}
