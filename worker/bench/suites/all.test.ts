// Every suite on both memory engines, at its smallest size: what they read must be the same, and what each sample reads as well.
import { afterAll, describe, expect, test } from 'vitest';
import { engineOf } from '#shared/bench/engines.ts';
import { suiteOf, VECTOR } from '#shared/bench/suites.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { createWasmEngine, IN_MEMORY } from '../../engines/wasm/wasm-engine.ts';
import * as product from '../drivers/product.ts';
import * as betterSqlite from '../process/better-sqlite.ts';
import { BenchSession } from '../session.ts';
import { SUITE_FILES } from './all.ts';

const ENGINES = { memory: product, 'native-memory': betterSqlite } as const;
const CONTEXT = { emit: async () => undefined } as never;
const SEED = 7;

const drivers = await Promise.all(
  Object.entries(ENGINES).map(([id, { startDriver }]) => startDriver(engineOf(id)!, { directory: '' })),
);
const sessions = Object.keys(ENGINES).map((id, index) => new BenchSession(engineOf(id)!, drivers[index]!));

afterAll(async () => {
  for (const session of sessions) await session.close();
});

/** Both samples of a database that is kept, or of a new one each. */
async function sample(session: BenchSession, suite: SuiteId, name: string, fresh: boolean) {
  const { handlers } = session;
  const size = suiteOf(suite)!.sizes[0]!;
  const loaded = await handlers['test.load']({ suite, test: name, size, seed: SEED, profile: 'memory' }, CONTEXT);
  const { differences } = await handlers['test.prepare']({ fresh }, CONTEXT);
  const run = await handlers['test.run']({ mode: 'deep', repeat: 1, group: 1 }, CONTEXT);
  const check = await handlers['test.check']({}, CONTEXT);
  return { loaded, differences, rows: run.rows, checksum: run.checksum, check: check.checksum, wrong: check.wrong };
}

test('the part of a suite with a name of its own has its tests', async () => {
  const { tests } = await SUITE_FILES[VECTOR.suite]!();
  expect(tests.map(({ id }) => id).filter((id) => id.startsWith(VECTOR.id))).toEqual(VECTOR.tests);
});

describe('own-query', () => {
  /** Answers of both engines on a file of 4,096-byte pages that was in WAL mode. */
  async function answers(sql: string) {
    const memory = await createWasmEngine();
    const source = memory.engine.open(IN_MEMORY, { durability: 'balanced', create: true });
    source.all('PRAGMA page_size = 4096');
    source.all('CREATE TABLE mine (a INTEGER PRIMARY KEY, b)');
    source.run("INSERT INTO mine VALUES (1, 'one'), (2, 'two')");
    const file = source.readFile(0, source.fileSizeBytes).slice();
    source.close();
    file[18] = file[19] = 2;
    const params = { suite: 'own-query', test: 'query', size: 1, seed: SEED, profile: 'memory' } as const;
    const found = [];
    for (const { handlers } of sessions) {
      const { readsOnly } = await handlers['test.load']({ ...params, own: { sql, file } }, CONTEXT);
      // A sample, and another one on its own copy.
      for (let round = 0; round < 2; round++) {
        const { pragmas } = await handlers['test.prepare']({ fresh: true }, CONTEXT);
        const { rows, checksum } = await handlers['test.run']({ mode: 'deep', repeat: 1, group: 1 }, CONTEXT);
        found.push({ rows, checksum, readsOnly, pages: pragmas.page_size });
      }
    }
    return found;
  }

  test.each([
    ['SELECT b, a FROM mine ORDER BY a;', { rows: 2, readsOnly: true }],
    ['-- mine\n/* all */ SELECT * FROM mine', { rows: 2, readsOnly: true }],
    ['SELECT * FROM mine WHERE a > 5', { rows: 0, readsOnly: true }],
    ['WITH n(i) AS (VALUES (1), (2), (3)) SELECT i FROM n', { rows: 3, readsOnly: true }],
    ["WITH n(i) AS (VALUES (7)) INSERT INTO mine SELECT i, 'seven' FROM n", { rows: 1, readsOnly: false }],
    ["UPDATE mine SET b = upper(b) WHERE b <> ''", { rows: 2, readsOnly: false }],
    ['DELETE FROM mine RETURNING b', { rows: 2, readsOnly: false }],
    ['PRAGMA table_info(mine)', { rows: 2, readsOnly: false }],
    ["INSERT INTO mine VALUES (3, 'three'); CREATE TABLE more (x); DELETE FROM mine;", { readsOnly: false }],
  ])('runs on a copy of the file, alike on both engines: %s', async (sql, expected) => {
    const [first, ...others] = await answers(sql);
    expect(first).toMatchObject({ ...expected, pages: 4096 });
    for (const other of others) expect(other).toEqual(first);
  });
});

for (const [id, load] of Object.entries(SUITE_FILES)) {
  // These have no statement of their own, or nothing that is executed alone.
  if (id === 'own-query' || id === 'readers') continue;
  const suite = id as SuiteId;
  const { tests } = await load();
  describe(id, () => {
    const sequences = new Set<string>();
    for (const { id: name, sequence, sizes, pragmas, unavailable } of tests) {
      const smallest = suiteOf(id)!.sizes[0]!;
      if (sizes && !sizes.includes(smallest)) continue;
      const isFirst = sequence === undefined || !sequences.has(sequence);
      if (sequence !== undefined) sequences.add(sequence);
      test(name, async () => {
        const able = sessions.filter((_, index) => unavailable?.(engineOf(Object.keys(ENGINES)[index]!)!) == null);
        const samples = [];
        for (const session of able) samples.push(await sample(session, suite, name, isFirst));
        for (const { rows, checksum, check, wrong, loaded, differences } of samples) {
          expect(wrong).toBeNull();
          expect({ rows, checksum, check }).toEqual({
            rows: samples[0]!.rows,
            checksum: samples[0]!.checksum,
            check: samples[0]!.check,
          });
          if (loaded.rows !== null) expect(rows).toBe(loaded.rows);
          // A database in memory has no other kind of journal.
          if (!pragmas)
            expect(differences.filter(({ pragma }) => pragma !== 'locking_mode' && pragma !== 'mmap_size')).toEqual([]);
        }
      });
    }
  });
}
