// The suite `startup`: the app, its engines, a database and the first query.
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import { TableSource } from '../../../../workbench/rows/table-source.ts';
import type { RunControl } from '../control.ts';
import { openEnginePort } from '../engine-port.ts';
import type { AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { factsOf, ProductSuite, queryRows, sinkRows } from './app-target.ts';
import { seen } from './app-test.ts';
import type { Player } from './app-test.ts';
import { CREATE, parts, TABLE } from './browse-table.ts';
import { frameWith } from './frames.ts';
import { GridStage } from './grid-stage.tsx';
import { AppStarts, EngineStarts, startPlayer } from './starts.ts';
import type { EngineStart, TakeStart } from './starts.ts';
import { isStart, QUERY, START_ROWS, startupStatements, startupTests } from './startup-tests.ts';
import type { EngineTest, StartupTest } from './startup-tests.ts';
import { TemporaryDatabases } from './temporary-databases.ts';

const FOURTH = 4;
const ROWS = 200;

export async function startStartup(): Promise<Startup> {
  const job = await shell.bench.job();
  return new Startup(startupTests(job?.dropsCaches ?? false));
}

class Startup extends ProductSuite {
  readonly tests: readonly TestFacts[];
  readonly #stage = new GridStage('Measuring: first rows of a database');
  readonly #engineStarts = new EngineStarts(startEngine);
  readonly #databases = new TemporaryDatabases(fill, { history: false });
  readonly #starts = new AppStarts(
    (order) => shell.bench.startApp(order),
    () => this.#file!,
  );
  #file: Promise<string> | null = null;

  constructor(tests: readonly TestFacts[]) {
    super();
    this.tests = tests;
  }

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const test = unit.tests[0]!.id as StartupTest;
    const statements = startupStatements(test, run.seed);
    if (isStart(test)) {
      this.#file ??= this.#writeFile(engine, run);
      await this.#file;
      const facts = { statements, rows: null, heapBytes: null, fileBytes: null, pragmas: {}, differences: [] };
      return this.target(engine, test, facts, startPlayer(test, engine, this.#starts, run.control), run);
    }
    const database = await this.#databases.of(engine, run);
    // The window now holds it open like any other database.
    await client.call('database.open', { database });
    const player = playerOf({ test, database, run, stage: this.#stage, takeStart: this.#engineStarts.taker(engine) });
    return this.target(engine, test, await factsOf(statements, database, engine), player, run);
  }

  override async end(): Promise<void> {
    this.#stage.end();
    await this.#databases.end();
    const file = await this.#file?.catch(() => null);
    if (file) await shell.removeComparisonCopy(file).catch(() => undefined); // it goes with the window
  }

  /** Each start opens a copy of this file; the file itself is never opened. */
  async #writeFile(engine: EngineId, run: AppSuiteRun): Promise<string> {
    const reply = await shell.createComparisonCopy();
    if ('why' in reply) throw AppError.unavailable(reply.why);
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

/** Starts an engine beside the running ones, until it can open a database, and ends it. @throws AppError `unavailable` */
async function startEngine(engine: EngineId, control: RunControl): Promise<EngineStart> {
  const began = performance.now();
  const { client: port } = await control.wait(openEnginePort(engine));
  const { codeMs } = await control.wait(port.call('driver.start', {}));
  const ms = performance.now() - began;
  await control.wait(port.call('driver.end', {}));
  if (codeMs === undefined) {
    throw AppError.unavailable('This engine does not report how long its code took.');
  }
  return { ms, codeMs };
}

interface Parts {
  readonly test: EngineTest;
  readonly database: DatabaseId;
  readonly run: AppSuiteRun;
  readonly stage: GridStage;
  readonly takeStart: TakeStart;
}

/** One engine in the app that runs: started, opened and asked for the first time. */
function playerOf({ test, database, run, stage, takeStart }: Parts): Player {
  const { control } = run;
  const call = (op: 'database.open' | 'database.close'): Promise<unknown> =>
    control.wait(client.call(op, { database }));
  const openRows = async (): Promise<number> => {
    await call('database.close');
    const began = performance.now();
    await call('database.open');
    const source = await control.wait(TableSource.open(database, TABLE, { sort: [], filter: [], where: '' }));
    try {
      return (await frameWith(stage.show(source).isFull, control)) - began;
    } finally {
      stage.hide();
      source.close();
    }
  };
  /** Duration of the last of `times` queries, in milliseconds. */
  const query = async (times: number): Promise<number> => {
    await call('database.close');
    await call('database.open');
    let ms = 0;
    for (let time = 1; time <= times; time++) {
      const began = performance.now();
      await queryRows(database, QUERY, run, ROWS);
      ms = performance.now() - began;
    }
    return ms;
  };
  return {
    async play(_round, kind) {
      switch (test) {
        case 'engine':
          return seen((await takeStart(kind, control)).ms);
        case 'compile':
          return seen((await takeStart(kind, control)).codeMs);
        case 'open-rows':
          return seen(await openRows());
        case 'query-first':
          return seen(await query(1));
        case 'query-fourth':
          return seen(await query(FOURTH));
      }
    },
    async compare(_round, sink) {
      if (test === 'engine' || test === 'compile') return;
      await call('database.open');
      sinkRows(await queryRows(database, QUERY, run, ROWS), sink);
    },
    rest: () => stage.hide(),
    async close() {
      // Open again, as before.
      await call('database.open');
    },
  };
}
