// Hostile files at full size: none takes 500 MB, and none keeps a processor busy for long before it ends or hands out what it has read.
import { expect, test } from 'vitest';
import { READER_BOMBS } from './bombs.test-suite.ts';
import { measured } from './measured.test-suite.ts';
import { readBomb } from './read-bomb.test-suite.ts';

const BYTES = 400_000_000;
const MOST_BYTES = 500e6;
/** Five seconds, three times as long on a machine that does much else. */
const MOST_MS = 15_000;
/** What can be read in pieces is read for so long. */
const READ_MS = 1500;

test.each(READER_BOMBS.map((bomb) => [bomb.name, bomb] as const))('%s', async (_name, { format, source }) => {
  const file = source(BYTES);
  const began = process.cpuUsage();
  const { peakBytes, processorMs } = await measured(() =>
    readBomb(file, format, undefined, () => process.cpuUsage(began).user < READ_MS * 1000),
  );
  expect(peakBytes).toBeLessThan(MOST_BYTES);
  expect(processorMs).toBeLessThan(MOST_MS);
});
