// The suite `browse`: a large table in the real grid, on both engines of the product.
import { formatCount } from '../../../../ui/format.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { BenchMemory } from '#shared/bench/shell.ts';
import { shell } from '../../../../connection/shell.ts';
import type { AppSuite, AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { AppTarget } from './app-target.ts';
import { BrowsePlayer } from './browse-player.ts';
import { BROWSE_TESTS, statementsOf } from './browse-tests.ts';
import type { BrowseTest } from './browse-tests.ts';
import { CREATE, parts } from './browse-table.ts';
import { GridStage } from './grid-stage.tsx';
import { PRODUCT_ENGINES, settingsOf, TemporaryDatabases } from './temporary-databases.ts';

export function startBrowse(): AppSuite {
  return new Browse();
}

class Browse implements AppSuite {
  readonly tests = BROWSE_TESTS.map(({ facts }) => facts);
  readonly engines = PRODUCT_ENGINES;
  readonly #stage = new GridStage('Measuring: browsing a large table');
  readonly #players = new Set<BrowsePlayer>();
  #size = 0;
  #readings: BenchMemory[] = [];
  #databases: TemporaryDatabases | null = null;

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    if (this.#size !== unit.size) await this.#databases?.end();
    if (this.#size !== unit.size || !this.#databases) {
      this.#size = unit.size;
      this.#readings = [];
      this.#databases = new TemporaryDatabases((sql, suite) => fill(unit.size, sql, suite), { history: false });
    }
    const database = await this.#databases.of(engine, run);
    const test = unit.tests[0]!.id as BrowseTest;
    const counted = unit.tests[0]!.unit === 'bytes' ? await shell.bench.memory() : null;
    const statements = statementsOf(test, unit.size, run.seed, counted?.counts ?? null);
    const facts = { statements, rows: null, heapBytes: null, ...(await settingsOf(database, engine)) };
    const player = new BrowsePlayer({
      test,
      engine,
      size: unit.size,
      database,
      facts,
      run,
      stage: this.#stage,
      readings: this.#readings,
    });
    this.#players.add(player);
    return new AppTarget(engine, player, run.control);
  }

  async end(): Promise<void> {
    for (const player of this.#players) await player.close();
    this.#stage.end();
    await this.#databases?.end();
    this.#databases = null;
  }
}

async function fill(size: number, sql: (text: string) => Promise<unknown>, run: AppSuiteRun): Promise<void> {
  await sql(CREATE);
  for (const part of parts(size, run.seed)) {
    await run.control.checkpoint();
    await sql(part.sql);
    run.tell(`creating ${formatCount(part.rows)} of ${formatCount(size)} rows`);
  }
}
