// Readers beside a writer, on real threads, on connections and in turns: what they see is checked, and a check that finds nothing is none.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { LONG } from '#shared/seed-count.test-suite.ts';
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { ConcurrentFacts } from '#shared/bench/protocol.ts';
import { createRandom } from '#shared/random.ts';
import { OPEN_BANK, SQL, transfersFrom } from '../concurrent/bank.ts';
import { runConcurrent } from '../concurrent/run.ts';
import type { BenchDatabase, BenchDriver, BenchStatement } from '../driver.ts';
import * as product from '../drivers/product.ts';
import { PROCESS_DRIVERS } from '../process/in-process.ts';
import { NodeReaderThreads } from '../process/reader-threads.ts';
import { BenchSession } from '../session.ts';

const root = mkdtempSync(join(tmpdir(), 'sidelite-readers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONTEXT = { emit: async () => undefined } as never;
const READER = new URL('../../threads/test-threads/bench-reader.test-suite.ts', import.meta.url);

async function measured(id: EngineId, readers: number, seed: number | null = null) {
  const engine = engineOf(id)!;
  const place = { directory: join(root, id) };
  const { startDriver } = id === 'memory' ? product : await PROCESS_DRIVERS[engine.driver]!();
  const driver = await startDriver(engine, place);
  const threads = new NodeReaderThreads({ ...place, engine: id }, () => new Worker(READER, { workerData: seed }));
  const { handlers, close } = sessionOf(new BenchSession(engine, driver, threads));
  const params = { suite: 'readers', test: 'reads', size: readers, seed: 1, profile: 'balanced' } as const;
  const loaded = await handlers['test.load'](params, CONTEXT);
  const runs = [];
  for (let round = 0; round < 2; round++) {
    const { pragmas, differences } = await handlers['test.prepare']({ fresh: true }, CONTEXT);
    const facts = await handlers['test.concurrent']({}, CONTEXT);
    runs.push({ pragmas, differences, facts, check: await handlers['test.check']({}, CONTEXT) });
  }
  await close();
  await driver.end();
  return { loaded, runs };
}

const sessionOf = (session: BenchSession) => ({ handlers: session.handlers, close: () => session.close() });

function expectWork({ sides, elapsedMs, wrong }: ConcurrentFacts): void {
  expect(wrong).toBeNull();
  expect(elapsedMs).toBeGreaterThanOrEqual(400);
  for (const { perMs, waits } of [sides.readers, sides.writer]) {
    expect(perMs).toBeGreaterThan(0);
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.length).toBeLessThanOrEqual(500);
    expect(Math.min(...waits)).toBeGreaterThan(0);
  }
}

describe('every read is of one moment, and every commit is there', () => {
  const engines = [
    ['native-balanced', 4, /each of the 4 readers has a thread/],
    ['memory', 4, /take turns/],
    ['native-balanced', 1, /the reader has a thread/],
    ['node-sqlite-balanced', 2, /a thread and a connection of its own/],
    ['libsql', 2, /a thread and a connection of its own/],
    ['native-memory', 2, /take turns/],
  ] as const;
  test.each(LONG ? engines : engines.slice(0, 2))('%s with %i readers', async (id, readers, way) => {
    const { loaded, runs } = await measured(id, readers);
    expect(loaded.statements.filter(({ part }) => part === 'timed')).toHaveLength(2);
    for (const { facts, check, pragmas, differences } of runs) {
      expectWork(facts);
      expect(facts.way).toMatch(way);
      expect(check).toMatchObject({ wrong: null, checksum: runs[0]!.check.checksum });
      const isShared = /thread/.test(facts.way);
      if (isShared) expect(pragmas).toMatchObject({ journal_mode: 'wal', locking_mode: 'normal' });
      if (isShared && id !== 'libsql') expect(differences).toEqual([]);
    }
  });

  test('also with readers that lose time between their steps', async () => {
    for (const seed of LONG ? [1, 2] : [1]) {
      const { runs } = await measured('native-balanced', 2, seed);
      for (const { facts } of runs) expectWork(facts);
    }
  });
});

/** A database in memory that is not what it should be. */
async function spoiled(
  spoil: (database: BenchDatabase, number: number) => Partial<BenchDatabase>,
  connections?: BenchDriver['connections'],
) {
  const driver = await product.startDriver(engineOf('memory')!, { directory: '' });
  const { PROFILES } = await import('#shared/bench/profile.ts');
  const open = async (): Promise<BenchDatabase> => driver.create('', PROFILES.memory);
  const database = await open();
  for (const step of OPEN_BANK)
    if (step.do !== 'reopen')
      await database.perform(step, { sink: { value() {}, endRow() {}, changed() {} }, laps: null });
  const made = (number: number): BenchDatabase => {
    const own: BenchDatabase = {
      perform: (step, recorder) => database.perform(step, recorder),
      prepare: (sql) => database.prepare(sql),
      pragmas: () => database.pragmas(),
      sizeBytes: () => database.sizeBytes(),
      close: () => undefined,
    };
    return { ...own, ...spoil(database, number) };
  };
  let opened = 0;
  // With this clock a window holds many turns, even if the machine stalls for longer than a window in the first of them.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.25));
  const work = { readers: 2, windowMs: 20, transfers: transfersFrom(createRandom(1)), dialect: 'sqlite' } as const;
  const run = runConcurrent({
    work,
    database: made(opened++),
    connections,
    name: '',
    pragmas: PROFILES.memory,
    openAnother: async () => made(opened++),
  });
  return run.finally(() => {
    clock.mockRestore();
    return database.close();
  });
}

const changed = (statement: BenchStatement, own: Partial<BenchStatement>): BenchStatement => ({
  run: (params) => statement.run(params),
  read: (params, sink) => statement.read(params, sink),
  finalize: () => statement.finalize(),
  ...own,
});

/** Applies only where `sql` is prepared. */
const preparing = (sql: string, own: (statement: BenchStatement) => Partial<BenchStatement>) =>
  spoiled((database) => ({
    async prepare(text) {
      const statement = await database.prepare(text);
      return text === sql ? changed(statement, own(statement)) : statement;
    },
  }));

describe('what is wrong is found', () => {
  test('nothing, where nothing is', async () => {
    expect((await spoiled(() => ({}))).wrong).toBeNull();
  });

  test('half of a transaction', async () => {
    // Readers with their own connections get in between where the engine lets them: this one has no transactions.
    const facts = await spoiled(
      (database) => ({
        async prepare(sql) {
          if (/^(BEGIN|COMMIT)/.test(sql))
            return { run: async () => 0, read: () => undefined, finalize: () => undefined };
          const statement = await database.prepare(sql);
          return changed(statement, {
            run: async (params) => statement.run(params),
            read: async (params, sink) => statement.read(params, sink),
          });
        },
      }),
      'here',
    );
    expect(facts.wrong).toMatch(/on all accounts instead of 1,000,000|of two moments at once/);
  });

  test('a writer that says it has committed what it has not', async () => {
    const forgets = preparing(SQL.note, () => ({ run: () => 1 }));
    expect((await forgets).wrong).toMatch(/moves of accounts beside 0 commits/);
  });

  test('money that went to somebody else', async () => {
    const { wrong } = await preparing(SQL.receive, (statement) => ({
      run: ([amount, payee]) => statement.run([amount!, Number(payee) <= 500 ? 999 : payee!]),
    }));
    expect(wrong).toMatch(/^account \d+ is not what \d+ commits make of it$/);
  });

  test('a reader that stays at an old moment', async () => {
    let row: unknown[] | null = null;
    const { wrong } = await preparing(SQL.read, (statement) => ({
      read(params, sink) {
        if (!row) {
          const own: unknown[] = [];
          void statement.read(params, { value: (value) => own.push(value), endRow() {}, changed() {} });
          row = own;
        }
        for (const value of row) sink.value(value);
        sink.endRow();
      },
    }));
    expect(wrong).toMatch(/^a reader saw 1 commits after the last of \d+$/);
  });

  test('a reader that goes back', async () => {
    const { wrong } = await preparing(SQL.read, (statement) => {
      let reads = 0;
      return {
        read(params, sink) {
          // Consistent, but from the time before the first commit.
          if (reads++ !== 1) return statement.read(params, sink);
          for (const value of [1_000, 1_000_000, 0, 0]) sink.value(value);
          sink.endRow();
        },
      };
    });
    expect(wrong).toMatch(/^a reader saw commit 0 after commit \d+$/);
  });
});

test('a reader whose database is gone says so, and the next round has new threads', async () => {
  const place = { directory: join(root, 'missing') };
  const workers: Worker[] = [];
  const threads = new NodeReaderThreads({ ...place, engine: 'native-balanced' }, () => {
    const worker = new Worker(READER, { workerData: null });
    workers.push(worker);
    return worker;
  });
  const { PROFILES } = await import('#shared/bench/profile.ts');
  const pragmas = { ...PROFILES.balanced, locking_mode: 'normal' } as const;
  const order = { readers: 2, name: 'none/at-all.db', pragmas };
  await expect(threads.open(order)).rejects.toThrow(/better-sqlite3, file, balanced failed in the thread of a reader/);
  await expect(threads.open(order)).rejects.toThrow(/directory does not exist/);
  // None of them is left to write where the caller removes the files. A thread that has ended has the number -1.
  expect(workers.map(({ threadId }) => threadId)).toEqual([-1, -1, -1, -1]);
});
