import { expect, it } from 'vitest';
import { aheadOf } from './frames.ts';

it('the clock of the other window is told by the answer that took least', async () => {
  let here = 1_000;
  const ways = [3, 0.2, 8];
  let asked = 0;
  const ahead = await aheadOf(
    async () => {
      const way = ways[asked++ % ways.length]!;
      // Slow answers lose their time only on the way there.
      here += way;
      const atMs = here + 42;
      here += 0.2;
      return { atMs };
    },
    () => here,
  );
  expect(asked).toBeGreaterThan(10);
  expect(ahead).toBeCloseTo(42, 3);
});
