// The suite `startup`: the app, its engines, a database and the first query.
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import { AppError } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import type { AppSuite, AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { AppTarget } from './app-target.ts';
import { CREATE, parts } from './browse-table.ts';
import { EngineStarts } from './engine-starts.ts';
import { GridStage } from './grid-stage.tsx';
import { RecordedStarts } from './recorded-starts.ts';
import { startEngine } from './start-engine.ts';
import { StartPlayer } from './start-player.ts';
import { StartupPlayer } from './startup-player.ts';
import { isStart, START_ROWS, startupStatements, startupTests } from './startup-tests.ts';
import type { StartupTest } from './startup-tests.ts';
import { PRODUCT_ENGINES, settingsOf, TemporaryDatabases } from './temporary-databases.ts';

export async function startStartup(): Promise<AppSuite> {
  const job = await shell.bench.job();
  return new Startup(startupTests(job?.dropsCaches ?? false));
}

class Startup implements AppSuite {
  readonly tests: readonly TestFacts[];
  readonly engines = PRODUCT_ENGINES;
  readonly #stage = new GridStage('Measuring: first rows of a database');
  readonly #engineStarts = new EngineStarts(startEngine);
  readonly #databases = new TemporaryDatabases(fill, { history: false });

  readonly #starts = new RecordedStarts(
    (order) => shell.bench.startApp(order),
    () => this.#file!,
  );
  #file: Promise<string> | null = null;

  constructor(tests: readonly TestFacts[]) {
    this.tests = tests;
  }

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const test = unit.tests[0]!.id as StartupTest;
    const statements = startupStatements(test, run.seed);
    if (isStart(test)) {
      this.#file ??= this.#writeFile(engine, run);
      await this.#file;
      const facts = { statements, rows: null, heapBytes: null, fileBytes: null, pragmas: {}, differences: [] };
      const player = new StartPlayer({ test, engine, facts, starts: this.#starts, control: run.control });
      return new AppTarget(engine, player, run.control);
    }
    const database = await this.#databases.of(engine, run);
    // The window now holds it open like any other database.
    await client.call('database.open', { database });
    const facts = { statements, rows: null, heapBytes: null, ...(await settingsOf(database, engine)) };
    const [stage, takeStart] = [this.#stage, this.#engineStarts.taker(engine)];
    const player = new StartupPlayer({ test, engine, database, facts, run, stage, takeStart });
    return new AppTarget(engine, player, run.control);
  }

  async end(): Promise<void> {
    this.#stage.end();
    await this.#databases.end();
    const file = await this.#file?.catch(() => null);
    if (file) await shell.removeComparisonCopy(file).catch(() => undefined); // it goes with the window
  }

  /** Each start opens a copy of this file; the file itself is never opened. */
  async #writeFile(engine: EngineId, run: AppSuiteRun): Promise<string> {
    const reply = await shell.createComparisonCopy();
    if ('why' in reply) throw new AppError({ code: 'unavailable', message: reply.why });
    const database = await this.#databases.of(wasmOf(engine), run);
    await client.call('compare.copyOut', { database, sink: reply.sink });
    return reply.comparisonCopy;
  }
}

const wasmOf = (engine: EngineId): EngineId => engine.replace(/^native/, 'opfs') as EngineId;

async function fill(sql: (text: string) => Promise<unknown>, { seed, tell }: AppSuiteRun): Promise<void> {
  tell('creating its rows');
  await sql(CREATE);
  for (const part of parts(START_ROWS, seed)) await sql(part.sql);
}
