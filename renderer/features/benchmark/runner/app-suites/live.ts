// The suite `live`: changes and the live queries that follow them, on both engines of the product.
import type { EngineId } from '#shared/bench/engines.ts';
import type { AppSuite, AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { AppTarget } from './app-target.ts';
import { CREATE, parts } from './browse-table.ts';
import { GridStage } from './grid-stage.tsx';
import { SecondWindow } from '../second-window/second-window.ts';
import { LivePlayer } from './live-player.ts';
import { LIVE_ROWS, LIVE_TESTS, liveStatements, OTHER } from './live-tests.ts';
import type { LiveTest } from './live-tests.ts';
import { PRODUCT_ENGINES, settingsOf, TemporaryDatabases } from './temporary-databases.ts';

export function startLive(): AppSuite {
  return new Live();
}

class Live implements AppSuite {
  readonly tests = LIVE_TESTS.map(({ facts }) => facts);
  readonly engines = PRODUCT_ENGINES;
  readonly #stage = new GridStage('Measuring: rows that follow changes');
  readonly #databases = new TemporaryDatabases(fill, { history: true });
  readonly #players = new Set<LivePlayer>();
  #other: Promise<SecondWindow> | null = null;

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const database = await this.#databases.of(engine, run);
    const test = unit.tests[0]!.id as LiveTest;
    const other = test === 'change-to-other-window' ? await this.#secondWindow(run) : await this.#closeSecondWindow();
    const statements = liveStatements(test, unit.size, run.seed);
    const facts = { statements, rows: null, heapBytes: null, ...(await settingsOf(database, engine)) };
    const player = new LivePlayer({ test, queries: unit.size, database, facts, run, stage: this.#stage, other });
    this.#players.add(player);
    return new AppTarget(engine, player, run.control);
  }

  async end(): Promise<void> {
    for (const player of this.#players) await player.close().catch(() => undefined);
    await this.#closeSecondWindow();
    this.#stage.end();
    await this.#databases.end();
  }

  /** Shared by all engines. */
  #secondWindow({ control }: AppSuiteRun): Promise<SecondWindow> {
    this.#other ??= SecondWindow.open(control);
    return this.#other;
  }

  /** All other measurements have one window. */
  async #closeSecondWindow(): Promise<null> {
    const other = await this.#other?.catch(() => null);
    this.#other = null;
    await other?.close();
    return null;
  }
}

async function fill(sql: (text: string) => Promise<unknown>, { seed, tell }: AppSuiteRun): Promise<void> {
  tell('creating its rows');
  await sql(CREATE);
  for (const part of parts(LIVE_ROWS, seed)) await sql(part.sql);
  await sql(OTHER);
}
