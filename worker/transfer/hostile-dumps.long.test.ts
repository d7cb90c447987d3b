// Hostile dumps at full size, read into a scratch database as the product does.
import { expect, test } from 'vitest';
import { DUMP_BOMBS } from '../import/hostile/bombs.test-suite.ts';
import { measured } from '../import/hostile/measured.test-suite.ts';
import { faultOf } from '../import/hostile/read-bomb.test-suite.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const BYTES = 150_000_000;
const MOST_BYTES = 300e6;
const [, scratch] = PLACES.find(([name]) => name === 'native')!;

test.each(DUMP_BOMBS.map((bomb) => [bomb.name, bomb] as const))('%s', async (_name, { source }) => {
  const file = source(BYTES);
  const bytes = {
    length: file.sizeBytes,
    slice: (from: number, to: number) => file.read(from, to - from),
  } as unknown as Uint8Array;
  const { result, peakBytes } = await measured(() =>
    opened(scratch, bytes).then(
      ({ contents }) => contents.sql!.statements.map(({ reason }) => reason),
      (error: unknown) => {
        expect(faultOf(error)).toBeNull();
        return [];
      },
    ),
  );
  for (const reason of result) expect(reason).toMatch(/[.!?]$/);
  expect(peakBytes).toBeLessThan(MOST_BYTES);
});
