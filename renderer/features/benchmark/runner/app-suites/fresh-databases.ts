// An empty database for each round of a suite that creates its own tables.
import type { EngineId } from '#shared/bench/engines.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { AppSuiteRun } from '../target.ts';
import { TemporaryDatabases } from './temporary-databases.ts';

/** A file without a page has no settings yet. */
async function fill(sql: (text: string) => Promise<unknown>): Promise<void> {
  await sql('PRAGMA user_version = 1');
}

/** Scripts create the tables: each round begins with an empty database, which keeps a history like a user's database. */
export class FreshDatabases {
  readonly #engine: EngineId;
  readonly #run: AppSuiteRun;
  #databases: TemporaryDatabases | null = null;

  constructor(engine: EngineId, run: AppSuiteRun) {
    this.#engine = engine;
    this.#run = run;
  }

  async next(): Promise<DatabaseId> {
    await this.end();
    this.#databases = new TemporaryDatabases(fill, { history: true });
    return this.#databases.of(this.#engine, this.#run);
  }

  async end(): Promise<void> {
    await this.#databases?.end();
    this.#databases = null;
  }
}
