// Compares with brute force: every order an index can give, and every pair of rows it rejects, written out.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { doesAll, redundantIndexes, type IndexShape } from './index-shapes.ts';

const KEYS = ['a', 'b', 'c'];
const column = fc.record({ key: fc.constantFrom(...KEYS), descending: fc.boolean() });
const shape = fc.record({
  unique: fc.boolean(),
  isAutomatic: fc.boolean(),
  where: fc.constantFrom(null, 'a > 1'),
  columns: fc.uniqueArray(column, { minLength: 1, maxLength: 3, selector: ({ key }) => key }),
});
const named = (shapes: readonly Omit<IndexShape, 'name'>[]): IndexShape[] =>
  shapes.map((each, at) => ({ ...each, name: `i${at}` }));

/** All orders it gives, read from either end, also by its first columns alone. */
function ordersOf({ columns, where }: IndexShape): Set<string> {
  const orders = new Set<string>();
  for (const turned of [false, true])
    for (let count = 1; count <= columns.length; count++) {
      const terms = columns.slice(0, count).map(({ key, descending }) => `${key}${descending === turned ? '+' : '-'}`);
      orders.add(`${where} ${terms.join()}`);
    }
  return orders;
}

const ROWS = Array.from({ length: 2 ** KEYS.length }, (_, bits) => KEYS.map((__, at) => (bits >> at) & 1));

function rejects({ unique, columns }: IndexShape, one: readonly number[], other: readonly number[]): boolean {
  return unique && columns.every(({ key }) => one[KEYS.indexOf(key)] === other[KEYS.indexOf(key)]);
}

function bruteForce(other: IndexShape, index: IndexShape): boolean {
  if (other.where !== index.where) return false;
  const given = ordersOf(other);
  if (![...ordersOf(index)].every((order) => given.has(order))) return false;
  return ROWS.every((one) => ROWS.every((two) => !rejects(index, one, two) || rejects(other, one, two)));
}

it('says that one index does all that another does exactly when it gives each of its orders and rejects what it rejects', () => {
  let covered = 0;
  fc.assert(
    fc.property(shape, shape, (first, second) => {
      const [one, two] = named([first, second]) as [IndexShape, IndexShape];
      const expected = bruteForce(one, two);
      if (expected) covered++;
      expect(doesAll(one, two)).toBe(expected);
    }),
    { seed: 5, numRuns: seedCount(20_000) },
  );
  expect(covered).toBeGreaterThan(seedCount(20_000) / 40);
});

it('leaves an index for everything that was done, drops no automatic one, and leaves nothing that could be dropped', () => {
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 6 }), (shapes) => {
      const indexes = named(shapes);
      const found = redundantIndexes(indexes);
      const gone = new Set(found.map(({ index }) => index));
      const kept = indexes.filter((index) => !gone.has(index));
      expect([...gone].every(({ isAutomatic }) => !isAutomatic)).toBe(true);
      for (const index of gone) expect(kept.some((other) => bruteForce(other, index))).toBe(true);
      for (const index of kept)
        expect(index.isAutomatic || !kept.some((other) => other !== index && bruteForce(other, index))).toBe(true);
      for (const { index, covering } of found) expect(bruteForce(covering, index)).toBe(true);
    }),
    { seed: 6, numRuns: seedCount(5000) },
  );
});
