// The suite `startup`: the app, its engines, a database and the first query.
import type { EngineId } from '#shared/bench/engines.ts';
import { client } from '../../database-client.ts';
import type { AppSuite, AppSuiteRun, BenchUnit, Contestant } from '../contestant.ts';
import { AppContestant } from './app-contestant.ts';
import { CREATE, parts } from './browse-table.ts';
import { GridStage } from './grid-stage.tsx';
import { StartupPlayer } from './startup-player.ts';
import { START_ROWS, STARTUP_TESTS, startupStatements } from './startup-tests.ts';
import type { StartupTest } from './startup-tests.ts';
import { PRODUCT_ENGINES, settingsOf, TemporaryDatabases } from './temporary-databases.ts';

export function startStartup(): AppSuite {
  return new Startup();
}

class Startup implements AppSuite {
  readonly tests = STARTUP_TESTS.map(({ facts }) => facts);
  readonly engines = PRODUCT_ENGINES;
  readonly #stage = new GridStage('Measuring: first rows of a database');
  readonly #databases = new TemporaryDatabases(fill, { history: false });

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Contestant> {
    const database = await this.#databases.of(engine, run);
    // From now on the window holds it open as it does others.
    await client.call('database.open', { database });
    const test = unit.tests[0]!.id as StartupTest;
    const statements = startupStatements(test, run.seed);
    const facts = { statements, rows: null, heapBytes: null, ...(await settingsOf(database, engine)) };
    const player = new StartupPlayer({ test, engine, database, facts, run, stage: this.#stage });
    return new AppContestant(engine, player, run.control);
  }

  async end(): Promise<void> {
    this.#stage.end();
    await this.#databases.end();
  }
}

async function fill(sql: (text: string) => Promise<unknown>, { seed, tell }: AppSuiteRun): Promise<void> {
  tell('making its rows');
  await sql(CREATE);
  for (const part of parts(START_ROWS, seed)) await sql(part.sql);
}
