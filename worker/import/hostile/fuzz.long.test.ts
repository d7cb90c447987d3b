// A minute of inputs that are nearly right for each reader, or as many seconds as `SIDELITE_FUZZ_SECONDS` says, from `SIDELITE_SEED` on.
import { expect, test } from 'vitest';
import { fuzz } from './fuzz.test-suite.ts';
import { FUZZED } from './fuzzed.test-suite.ts';

const SECONDS = Number(process.env['SIDELITE_FUZZ_SECONDS'] ?? 60);
const FIRST_SEED = Number(process.env['SIDELITE_SEED'] ?? 1);
/** A million seeds for each run: those of the next one are others. */
const FIRST = FIRST_SEED * 1_000_000;

test.each(FUZZED.map((fuzzed) => [fuzzed.name, fuzzed] as const))(
  '%s',
  async (name, fuzzed) => {
    const untilMs = Date.now() + SECONDS * 1000;
    const { findings, seeds } = await fuzz(fuzzed, FIRST, () => Date.now() > untilMs);
    console.log(`${name}: ${seeds.toLocaleString('en-US')} inputs`);
    expect(findings).toEqual([]);
  },
  SECONDS * 1000 + 300_000,
);
