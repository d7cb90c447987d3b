import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { compareDigests, differingRows, rowsOnlyHere } from '#shared/comparison/differences.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { bucketOf, DIGEST_PAGE_ROWS } from '#shared/protocol/compare.ts';
import type { FoundRows } from '#shared/protocol/compare.ts';
import type { Value } from '#shared/protocol/values.ts';
import { isReal } from '#shared/protocol/values.ts';
import { Digester } from './compared-reader.ts';

type Row = readonly Value[];

function packed(rows: readonly Row[]): PackedRows {
  const writer = new PackedRowsWriter(rows[0]?.length ?? 1, { previewBytes: Infinity });
  for (const value of rows.flat()) {
    if (value === null) writer.null();
    else if (typeof value === 'string') writer.text(value);
    else if (typeof value === 'bigint') writer.bigInteger(value);
    else if (value instanceof Uint8Array) writer.blob(value);
    else if (typeof value === 'number') writer.integer(value);
    else if (isReal(value)) writer.real(value.real);
  }
  return writer.finish();
}

/** Packed in pieces of any length, as engines deliver them. */
function digestOf(rows: readonly Row[], pieceRows = 100) {
  const digester = new Digester();
  const hashes: number[] = [];
  for (let start = 0; start < rows.length; start += pieceRows)
    hashes.push(...digester.add(packed(rows.slice(start, start + pieceRows))));
  return { rows: rows.length, digest: digester.finish(), hashes };
}

const found = (hashes: readonly number[], buckets: readonly number[]): FoundRows => {
  const kept = hashes
    .map((hash, position) => ({ hash, position }))
    .filter(({ hash }) => buckets.includes(bucketOf(hash)));
  return {
    positions: Float64Array.from(kept, ({ position }) => position),
    hashes: Float64Array.from(kept, ({ hash }) => hash),
    complete: true,
  };
};

function pageHashes(hashes: readonly number[], pages: readonly number[]) {
  const wanted = pages.flatMap((page) => hashes.slice(page * DIGEST_PAGE_ROWS, (page + 1) * DIGEST_PAGE_ROWS));
  return { hashes: Float64Array.from(wanted), rows: hashes.length };
}

const anyValue = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom({ real: 0 }, { real: 1 }, { real: 1.5 }),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 53n + 2n }),
  fc.constantFrom('', 'a', '1', 'ab', 'é', 'abcd', 'abcde'),
  fc.constantFrom(new Uint8Array(0), new Uint8Array([97]), new Uint8Array([0, 0])),
);
const anyRows = fc.array(fc.array(anyValue, { minLength: 2, maxLength: 2 }), { maxLength: 700 });

const keyOf = (row: Row): string =>
  row
    .map((value) =>
      value instanceof Uint8Array
        ? `x${String(value)}`
        : isReal(value)
          ? `r${value.real}`
          : typeof value + String(value),
    )
    .join('|');

const multisetOf = (rows: readonly Row[]): string => rows.map(keyOf).sort().join('\n');

describe('two results', () => {
  it('are told apart as comparing them value by value would', () => {
    fc.assert(
      fc.property(anyRows, anyRows, fc.nat(2), fc.integer({ min: 1, max: 300 }), (first, other, kind, pieceRows) => {
        const second =
          kind === 0 ? other : kind === 1 ? [...first].reverse() : [...first.slice(0, -1), ...other.slice(0, 1)];
        const [left, right] = [digestOf(first, pieceRows), digestOf(second)];
        const { verdict, pages, buckets } = compareDigests(left, right);
        const isSame = first.length === second.length && first.every((row, at) => keyOf(row) === keyOf(second[at]!));
        const expected = isSame ? 'identical' : multisetOf(first) === multisetOf(second) ? 'order' : 'content';
        expect(verdict).toBe(expected);

        const places = Array.from({ length: Math.max(first.length, second.length) }, (_, at) => at);
        const differing = places.filter((at) => !first[at] || !second[at] || keyOf(first[at]) !== keyOf(second[at]));
        expect(differingRows(pages, pageHashes(left.hashes, pages), pageHashes(right.hashes, pages))).toEqual(
          differing,
        );

        const only = rowsOnlyHere(found(left.hashes, buckets), found(right.hashes, buckets));
        const rest = (rows: readonly Row[], out: readonly number[]) =>
          multisetOf(rows.filter((_, at) => !out.includes(at)));
        expect(rest(first, only.left)).toBe(rest(second, only.right));
        const [keysLeft, keysRight] = [
          only.left.map((at) => keyOf(first[at]!)),
          only.right.map((at) => keyOf(second[at]!)),
        ];
        expect(keysLeft.filter((key) => keysRight.includes(key))).toEqual([]);
        // Never one in the same place on the other side.
        expect([...only.left, ...only.right].every((at) => differing.includes(at))).toBe(true);
      }),
      { seed: 41, numRuns: seedCount(300) },
    );
  });
});

test('values that look alike have other numbers', () => {
  const alike: Row[] = [
    [null, 1],
    [0, 1],
    [{ real: 0 }, 1],
    ['0', 1],
    ['', 1],
    [new Uint8Array(0), 1],
    [1, null],
    [1, 0],
    ['a', 'b'],
    ['ab', ''],
  ];
  const hashes = alike.map((row) => digestOf([row]).hashes[0]);
  expect(new Set(hashes).size).toBe(alike.length);
});

test('numbers of a million rows that differ in one digit do not meet', () => {
  const seen = new Set<number>();
  for (let start = 0; start < 1_000_000; start += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, at): Row => [start + at, `row ${start + at}`]);
    for (const hash of digestOf(rows, 10_000).hashes) seen.add(hash);
  }
  expect(seen.size).toBe(1_000_000);
});
