// The suite `startup`: the app, its engines, a database and the first query.
import type { EngineId } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import { TableSource } from '../../../../workbench/rows/table-source.ts';
import type { RunControl } from '../target.ts';
import { openEnginePort } from '../engine-port.ts';
import { queryRows, sinkRows } from './app-suite.ts';
import type { ProductSuite, Stand } from './app-suite.ts';
import { seen, fillTable, TABLE, isStart, QUERY, START_ROWS, startupStatements, startupTests } from './app-tests.ts';
import type { Player, EngineTest } from './app-tests.ts';
import { frameWith } from './frames.ts';
import { appStarts, engineStarts, startPlayer } from './starts.ts';
import type { EngineStart, TakeStart } from './starts.ts';

const FOURTH = 4;
const ROWS = 200;

export async function startup(): Promise<ProductSuite> {
  const job = await shell.bench.job();
  /** Each start opens a copy of this file; the file itself is never opened. */
  let file: Promise<string> | null = null;
  const ofEngines = engineStarts(startEngine);
  const ofApp = appStarts(
    (order) => shell.bench.startApp(order),
    () => file!,
  );
  return {
    tests: startupTests(job?.dropsCaches ?? false),
    caption: 'Measuring: first rows of a database',
    databases: { fill: (sql, run) => fillTable(sql, run, START_ROWS), history: false },
    statements: (test, _size, { seed }) => startupStatements(test, seed),
    async withoutDatabase(test, engine, { control }, databaseOf) {
      if (!isStart(test)) return null;
      file ??= writeFile(() => databaseOf(wasmOf(engine)));
      await file;
      return startPlayer(test, engine, ofApp, control);
    },
    async player(stand) {
      // The window now holds it open like any other database.
      await client.call('database.open', { database: stand.database });
      return playerOf(stand, ofEngines(stand.engine));
    },
    async end() {
      const written = await file?.catch(() => null);
      if (written) await shell.removeComparisonCopy(written).catch(() => undefined); // it goes with the window
    },
  };
}

async function writeFile(make: () => Promise<DatabaseId>): Promise<string> {
  const reply = await shell.createComparisonCopy();
  if ('why' in reply) throw AppError.unavailable(reply.why);
  await client.call('compare.copyOut', { database: await make(), sink: reply.sink });
  return reply.comparisonCopy;
}

const wasmOf = (engine: EngineId): EngineId => engine.replace(/^native/, 'opfs') as EngineId;

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

/** One engine in the app that runs: started, opened and asked for the first time. */
function playerOf({ test, database, run, stage }: Stand, takeStart: TakeStart): Player {
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
      switch (test as EngineTest) {
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
