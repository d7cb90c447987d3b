import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { NATIVE_READERS_FROM, NATIVE_WORKS_FROM } from './in-place.ts';
import { ownReadersFrom, ownWorksFrom, sameSlot, slotOfReader, slotOfWork } from './own-process.ts';

it('numbers of readers and work tell which process they are from', () => {
  const now = Date.now();
  fc.assert(
    fc.property(fc.nat(200), fc.nat(1_000_000), (slot, more) => {
      const reader = ownReadersFrom(slot, now) + more;
      const work = ownWorksFrom(slot) + more;
      expect(sameSlot(slotOfReader(reader)!, slot)).toBe(true);
      expect(sameSlot(slotOfWork(work)!, slot)).toBe(true);
      expect(Number.isSafeInteger(reader)).toBe(true);
      expect(work).toBeLessThan(2 ** 31);
    }),
    { seed: 31, numRuns: seedCount(100) },
  );
  // Readers of the library and of the native engine have no slot.
  for (const reader of [now * 1000, now * 1000 + NATIVE_READERS_FROM]) expect(slotOfReader(reader)).toBeNull();
  for (const work of [1, 5_000_000, NATIVE_WORKS_FROM, NATIVE_WORKS_FROM + 9]) expect(slotOfWork(work)).toBeNull();
});
