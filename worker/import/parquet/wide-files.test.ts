// Files as analysts have them: many columns of many different values, for which writers make a dictionary of a megabyte each.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CODEC, ENCODING, joined, madeParquet, run, TYPE } from '../hostile/made-parquet.test-suite.ts';
import type { MadeColumn } from '../hostile/made-parquet.test-suite.ts';
import { bytesSource } from '../read-all.test-suite.ts';
import { openParquet } from './parquet-reader.ts';

const DICTIONARY_BYTES = 1 << 20;
const BIT_WIDTH = 17;
const ROWS = 1000;

const numbers = new Uint8Array(Float64Array.from({ length: DICTIONARY_BYTES / 8 }, (_, at) => at + 0.5).buffer);
const texts = new Uint8Array(DICTIONARY_BYTES);
for (let at = 0; at < DICTIONARY_BYTES; at += 16) texts.set([12, 0, 0, 0, ...Buffer.from(String(at).padEnd(12))], at);

function columns(count: number, type: number, dictionary: Uint8Array, values: number): readonly MadeColumn[] {
  const bytes = gzipSync(dictionary);
  const uncompressedBytes = dictionary.length;
  const rows = joined(Uint8Array.of(BIT_WIDTH), run(ROWS, 1, BIT_WIDTH));
  return Array.from({ length: count }, (_, at) => ({
    name: `c${at}`,
    type,
    codec: CODEC.gzip,
    pages: [
      { values, bytes, uncompressedBytes, isDictionary: true },
      { values: ROWS, bytes: gzipSync(rows), uncompressedBytes: rows.length, encoding: ENCODING.dictionary },
    ],
  }));
}

test.each([
  ['100 columns of numbers', columns(100, TYPE.double, numbers, numbers.length / 8)],
  ['40 columns of texts', columns(40, TYPE.byteArray, texts, texts.length / 16)],
])('%s', async (_, made) => {
  const reader = await openParquet(bytesSource(madeParquet(made, ROWS)));
  let records = 0;
  for (let batch = await reader.next(); batch !== null; batch = await reader.next()) records += batch.records;
  expect(reader.takeProblems()).toEqual([]);
  expect(records).toBe(ROWS);
});
