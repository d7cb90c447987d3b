import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PositionMap, STRIDE } from './position-map.ts';

/** Builds the map of `count` rows whose keys are their own positions times three. */
function mapOf(count: number): PositionMap<number> {
  const map = new PositionMap<number>();
  for (let position = 0; position < count; position += STRIDE) map.extend(position * 3);
  map.finish(count === 0 ? 0 : ((count - 1) % STRIDE) + 1);
  return map;
}

test('counts exactly and finds every position', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: STRIDE * 5 }), fc.nat({ max: STRIDE * 6 }), (count, position) => {
      const map = mapOf(count);
      expect(map.rows).toBe(count);
      const seek = map.seek(position);
      if (position >= count) expect(seek).toBeNull();
      else expect(seek!.key / 3 + seek!.skip).toBe(position);
    }),
    { seed: 7, numRuns: seedCount(100) },
  );
});

test('a whole number of strides ends with a full last one', () => {
  const map = mapOf(STRIDE * 2);
  expect(map.rows).toBe(STRIDE * 2);
  expect(map.seek(STRIDE * 2 - 1)).toEqual({ key: STRIDE * 3, skip: STRIDE - 1 });
});

test('reaches as far as it was built', () => {
  const map = new PositionMap<number>();
  map.extend(0);
  expect(map.rows).toBeNull();
  expect(map.seek(STRIDE - 1)).toEqual({ key: 0, skip: STRIDE - 1 });
  expect(map.seek(STRIDE)).toBeNull();
});

test('finds the anchor before a key', () => {
  const map = mapOf(STRIDE * 4);
  expect(map.anchorNotAfter((anchor) => anchor <= STRIDE * 3 * 2 + 1)).toEqual({
    position: STRIDE * 2,
    key: STRIDE * 6,
  });
  expect(map.anchorNotAfter(() => false)).toBeNull();
});
