// Every suite on both memory engines, at its smallest size: what they read must be the same, and what each sample reads as well.
import { afterAll, describe, expect, test } from 'vitest';
import { engineOf } from '#shared/bench/engines.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
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
  const run = await handlers['test.run']({ mode: 'deep', repeat: 1 }, CONTEXT);
  const check = await handlers['test.check']({}, CONTEXT);
  return { loaded, differences, rows: run.rows, checksum: run.checksum, check: check.checksum, wrong: check.wrong };
}

for (const [id, load] of Object.entries(SUITE_FILES)) {
  if (id === 'own-query') continue; // has no statement of its own
  const suite = id as SuiteId;
  const { tests } = await load();
  describe(id, () => {
    const sequences = new Set<string>();
    for (const { id: name, sequence, sizes, pragmas, unavailable } of tests) {
      const smallest = suiteOf(id)!.sizes[0]!;
      if (sizes && !sizes.includes(smallest)) continue;
      const isFirst = sequence === undefined || !sequences.has(sequence);
      if (sequence !== undefined) sequences.add(sequence);
      test(name, { timeout: 60_000 }, async () => {
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
          // A database in memory keeps no journal of another kind.
          if (!pragmas)
            expect(differences.filter((difference) => !/locking_mode|mmap_size/.test(difference))).toEqual([]);
        }
      });
    }
  });
}
