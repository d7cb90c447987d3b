// The suite `sql-tab`: long scripts in a real SQL tab of this window, on both engines of the product, and on the engines alone.
import type { EngineId } from '#shared/bench/engines.ts';
import type { AppSuite, AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { AppTarget } from './app-target.ts';
import { isOfEngine, SQL_TAB_TESTS, sqlTabStatements } from './sql-tab-tests.ts';
import { SqlTabPlayer } from './sql-tab-player.ts';
import { FreshDatabases } from './fresh-databases.ts';
import { PRODUCT_ENGINES, settingsOf } from './temporary-databases.ts';

export function startSqlTab(): AppSuite {
  return new SqlTab();
}

class SqlTab implements AppSuite {
  readonly tests = SQL_TAB_TESTS;
  readonly engines = PRODUCT_ENGINES;
  readonly isOfEngine = isOfEngine;
  readonly #players = new Set<SqlTabPlayer>();

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const test = unit.tests[0]!.id;
    const fresh = new FreshDatabases(engine, run);
    const facts = {
      statements: sqlTabStatements(test, unit.size),
      rows: null,
      heapBytes: null,
      ...(await settingsOf(await fresh.next(), engine)),
    };
    const player = new SqlTabPlayer({ test, size: unit.size, fresh, facts, run });
    this.#players.add(player);
    return new AppTarget(engine, player, run.control);
  }

  async end(): Promise<void> {
    for (const player of this.#players) await player.close();
  }
}
