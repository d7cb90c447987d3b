import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { Sink } from './sink.ts';

const checksum = (rows: readonly (readonly unknown[])[], deep = true): string => {
  const sink = new Sink(deep);
  for (const row of rows) {
    for (const value of row) sink.value(value);
    sink.endRow();
  }
  return sink.checksum;
};

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const value = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.string(), fc.constant(null), fc.uint8Array());

describe('checksums', () => {
  test('do not depend on how a binding carries a value', () => {
    expect(checksum([[7]])).toBe(checksum([[7n]]));
    expect(checksum([[7]])).toBe(checksum([[{ real: 7 }]]));
    expect(checksum([[0]])).toBe(checksum([[-0]]));
    expect(checksum([[1]])).toBe(checksum([[true]]));
    expect(checksum([[bytes(1, 2)]])).toBe(checksum([[Buffer.from([1, 2])]]));
    expect(checksum([[0.1 + 0.2]])).toBe(checksum([[0.3]]));
    expect(checksum([[null]])).toBe(checksum([[undefined]]));
  });

  test('tell storage classes apart', () => {
    const all = [[[1]], [['1']], [[bytes(1)]], [[bytes(0x31)]], [[null]], [['']], [[0]], [[bytes()]]].map((rows) =>
      checksum(rows),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test('tell order, rows and values apart', () => {
    expect(checksum([[1, 2]])).not.toBe(checksum([[2, 1]]));
    expect(checksum([[1], [2]])).not.toBe(checksum([[1, 2]]));
    expect(checksum([['ab', 'c']])).not.toBe(checksum([['a', 'bc']]));
    expect(checksum([])).not.toBe(checksum([[]]));
  });

  test('any change of one value changes them', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), fc.nat(), value, (row, at, other) => {
        const changed = row.map((old, index) => (index === at % row.length ? other : old));
        const same =
          JSON.stringify(changed) === JSON.stringify(row) || checksum([[row[at % row.length]]]) === checksum([[other]]);
        if (!same) expect(checksum([changed])).not.toBe(checksum([row]));
      }),
      { seed: 11, numRuns: seedCount(100) },
    );
  });

  test('a shallow one still notices a missing row, another number, another length', () => {
    expect(checksum([[1]], false)).not.toBe(checksum([[1], [1]], false));
    expect(checksum([[1]], false)).not.toBe(checksum([[2]], false));
    expect(checksum([['ab']], false)).not.toBe(checksum([['abc']], false));
  });

  test('rows changed count as rows', () => {
    const sink = new Sink(false);
    sink.changed(3);
    sink.value(1);
    sink.endRow();
    expect(sink.rows).toBe(4);
  });
});
