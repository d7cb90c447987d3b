// Inputs that are nearly right: some of each reader, and those that once led to what a person must never get.
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { faultOfInput, fuzz } from './fuzz.test-suite.ts';
import { FUZZED } from './fuzzed.test-suite.ts';
import { mutated } from './mutations.test-suite.ts';

const SEEDS = seedCount(100, 5);

test.each(FUZZED.map((fuzzed) => [fuzzed.name, fuzzed] as const))('%s', async (_name, fuzzed) => {
  const { findings } = await fuzz(fuzzed, 1, (seeds) => seeds >= SEEDS);
  expect(findings).toEqual([]);
});

/** They change with the inputs and the mutations they begin with. */
const FOUND: readonly (readonly [what: string, reader: string, seed: number])[] = [
  ['a page of a type that has no name', 'parquet', 1_000_070],
  ['a column compressed in a way that has no name', 'parquet', 2_000_165],
  ['UTF-32 that is cut off, in place of a Parquet file', 'parquet', 73],
  ['thousands of COPY statements without rows', 'postgresql dump', 1_000_598],
];

test.each(FOUND)('found: %s', async (_what, reader, seed) => {
  const fuzzed = FUZZED.find(({ name }) => name === reader)!;
  expect(await faultOfInput(fuzzed, mutated(fuzzed.inputs, seed))).toBeNull();
});
