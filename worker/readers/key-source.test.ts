import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { NumericOrder } from './key-source.ts';

type Cell = number | null;

function packed(values: readonly Cell[]) {
  const writer = new PackedRowsWriter(2);
  for (const [rowid, value] of values.entries()) {
    writer.integer(rowid);
    if (value === null) writer.null();
    else if (Number.isSafeInteger(value)) writer.integer(value);
    else writer.real(value);
  }
  return writer.finish();
}

const compare = (a: Cell, b: Cell): number =>
  a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : a > b ? 1 : 0;

test('sorts like SQLite: NULL first, by value, ties as they came', () => {
  const cell = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -5, max: 5 }),
    fc.double({ noNaN: true }),
    fc.maxSafeInteger(),
  );
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 300 }), fc.boolean(), (values, descending) => {
      const order = new NumericOrder(descending);
      expect(order.append(packed(values))).toBe(true);
      const sorted = [...order.sorted()].flatMap((chunk) => (chunk ? [...chunk] : []));
      const sign = descending ? -1 : 1;
      expect(sorted).toEqual([...values.keys()].sort((a, b) => sign * compare(values[a]!, values[b]!) || a - b));
    }),
    { seed: 23, numRuns: seedCount(100) },
  );
});

test('more rows than fit a chunk', () => {
  const values = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 100_003);
  const order = new NumericOrder(false);
  order.append(packed(values));
  const sorted = [...order.sorted()].flatMap((chunk) => (chunk ? [...chunk] : []));
  expect(sorted).toHaveLength(values.length);
  for (let i = 1; i < sorted.length; i++) expect(values[sorted[i - 1]!]! <= values[sorted[i]!]!).toBe(true);
});

test('leaves text and integers beyond 2^53 to SQLite', () => {
  const text = new PackedRowsWriter(2);
  text.integer(1);
  text.text('1');
  expect(new NumericOrder(false).append(text.finish())).toBe(false);
  const big = new PackedRowsWriter(2);
  big.integer(1);
  big.bigInteger(2n ** 60n);
  expect(new NumericOrder(false).append(big.finish())).toBe(false);
});
