// Both sides of an inspection on two real threads that lose time between any two steps.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import type { InspectedCase, InspectedOutcome } from '../threads/test-threads/delayed-owner.test-suite.ts';

const OWNER = new URL('../threads/test-threads/delayed-owner.test-suite.ts', import.meta.url);

async function inspect(inspected: InspectedCase): Promise<InspectedOutcome> {
  const owner = new Worker(OWNER, { workerData: inspected });
  const [outcome] = (await once(owner, 'message')) as [InspectedOutcome];
  await owner.terminate();
  return outcome;
}

/** Filled in random order, so that SQLite jumps about in it and reads single pages, too. */
async function healthyFile(): Promise<Uint8Array> {
  const { engine } = await createWasmEngine();
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
  connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  connection.run('CREATE INDEX ta ON t (a)');
  connection.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 7500)
     INSERT INTO t SELECT i * 7919 % 7507, hex(zeroblob(130)) || (i * 104729 % 65537) FROM n`,
  );
  const bytes = connection.readFile(0, connection.fileSizeBytes);
  connection.close();
  return bytes;
}

const seeds = fc.integer({ min: 1, max: 2 ** 30 });
const bytes = await healthyFile();

it(
  'a healthy file is never called damaged, whenever either thread is held up or woken',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.boolean(), async (seed, strayWakes) => {
        const outcome = await inspect({ seed, bytes, strayWakes });
        expect(outcome).toMatchObject({ messages: [], code: null });
        expect(outcome.requests).toBeGreaterThan(100);
      }),
      { seed: 11, numRuns: seedCount(3), endOnFailure: true },
    );
  },
);

it(
  'is ended at any moment, also while it waits, and nothing is read for it afterwards',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 0, max: 20 }), async (seed, endAfterMs) => {
        const outcome = await inspect({ seed, bytes, endAfterMs });
        expect(outcome).toMatchObject({ messages: null, code: 'stopped', requestsAfterEnd: 0 });
      }),
      { seed: 12, numRuns: seedCount(2), endOnFailure: true },
    );
  },
);
