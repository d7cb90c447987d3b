import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { CacheBudget, MEMORY_BUDGET } from './memory-budget.ts';
import type { CacheShare } from './memory-budget.ts';

const TOTAL = 1000;

test('shares are never more than the budget, nor than anybody wants, and nobody is refused what would fit', () => {
  const step = fc.record({
    what: fc.constantFrom('join', 'leave', 'use', 'rest', 'limit', 'lift'),
    at: fc.nat(),
    wants: fc.integer({ min: 1, max: 700 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new CacheBudget(TOTAL);
      const members: { wants: number; limit: number; share: CacheShare; bytes: number }[] = [];
      const sum = (): number => members.reduce((total, { bytes }) => total + bytes, 0);
      for (const { what, at, wants } of steps) {
        const member = members[at % Math.max(1, members.length)];
        if (what === 'join') {
          const made = { wants, limit: Infinity, bytes: 0, share: null as unknown as CacheShare };
          members.push(made);
          made.share = budget.join(wants, (bytes) => {
            made.bytes = bytes;
            // It holds at each moment, not only at the end.
            expect(sum()).toBeLessThanOrEqual(TOTAL);
          });
        } else if (member && what === 'leave') {
          members.splice(members.indexOf(member), 1);
          member.share.leave();
        } else if (member && (what === 'limit' || what === 'lift')) {
          member.limit = what === 'limit' ? wants : Infinity;
          member.share.limit(member.limit);
        } else member?.share.use(what === 'use');
        const most = members.map((each) => Math.min(each.wants, each.limit));
        for (const [index, { bytes }] of members.entries()) expect(bytes).toBeLessThanOrEqual(most[index]!);
        const wanted = most.reduce((total, each) => total + each, 0);
        if (wanted <= TOTAL) expect(members.map(({ bytes }) => bytes)).toEqual(most);
        else expect(sum()).toBeGreaterThan(TOTAL - members.length);
      }
    }),
    { seed: 11, numRuns: seedCount(300) },
  );
});

test('who does not use it makes room for the others, and gets its share again', () => {
  const budget = new CacheBudget();
  const bytes: number[] = [];
  const shares = Array.from({ length: 8 }, (_, at) =>
    budget.join(MEMORY_BUDGET.pageCache, (now) => void (bytes[at] = now)),
  );
  expect(new Set(bytes)).toEqual(new Set([MEMORY_BUDGET.pageCaches / 8]));
  for (const share of shares.slice(2)) share.use(false);
  expect(bytes.slice(0, 3)).toEqual([MEMORY_BUDGET.pageCache, MEMORY_BUDGET.pageCache, MEMORY_BUDGET.unusedCache]);
  shares[2]!.use(true);
  expect(bytes[2]).toBe(MEMORY_BUDGET.pageCache);
});
