// Both sides of the work status buffer on two real threads that lose time between any two steps.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LONG, seedCount } from '#shared/seed-count.test-suite.ts';
import type { BoardOutcome } from './test-threads/delayed-page.test-suite.ts';
import type { BoardCase } from './test-threads/delayed-worker.test-suite.ts';

const PAGE = new URL('./test-threads/delayed-page.test-suite.ts', import.meta.url);
const WORKS = LONG ? 20 : 3;

it(
  'every work is heard of whole, and stopped when it is asked to, whenever either thread is held up',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 30 }), async (seed) => {
        const page = new Worker(PAGE, { workerData: { seed, works: WORKS } satisfies BoardCase });
        const [outcome] = (await once(page, 'message')) as [BoardOutcome];
        await page.terminate();
        expect(outcome).toMatchObject({ unheard: 0, unstopped: 0, wronglyStopped: 0, torn: 0 });
        expect(outcome.told).toBeGreaterThan(WORKS / 3);
      }),
      { seed: 5, numRuns: seedCount(2), endOnFailure: true },
    );
  },
);
