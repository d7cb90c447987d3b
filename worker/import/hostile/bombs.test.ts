// Hostile files with limits of a few kilobytes: each ends with a sentence, or is read in pieces.
import { expect, test } from 'vitest';
import type { ReadingLimits } from '../reading-limits.ts';
import { READER_BOMBS } from './bombs.test-suite.ts';
import { readBomb } from './read-bomb.test-suite.ts';

const KB = 1024;
const LIMITS: ReadingLimits = {
  recordBytes: 100 * KB,
  statementBytes: 100 * KB,
  recordFields: 20_000,
  keptBytes: 100 * KB,
  describingBytes: 100 * KB,
  described: 1000,
  footerValues: 20_000,
  pagesBytes: 1000 * KB,
  pageBytes: 100 * KB,
  nestedValues: 1000,
};
/** More than any limit. */
const BYTES = 3_000_000;

/** How reading them ends; the others are read in pieces, to their end. */
const SAYS: readonly (readonly [sentence: string, ...bombs: readonly string[]])[] = [
  [
    'is longer than 102,400 bytes',
    'csv: endless field',
    'csv: endless header',
    'csv: endless comment',
    'ndjson: endless line',
  ],
  [
    'is larger than 102,400 bytes',
    'json: endless string',
    'json: endless key',
    'json: endless number',
    'json: endless long names',
    'xlsx: endless workbook',
    'xlsx: endless relationships',
    'xlsx: endless styles',
    'xlsx: endless formats',
    'parquet: footer of empty structures',
    'parquet: footer of structures in each other',
    'parquet: footer of columns in each other',
  ],
  ['more than 20,000 cells', 'csv: endless row', 'csv: endless row of nothing', 'csv: endless wide rows'],
  ['more cells than any sheet has columns', 'xlsx: endless row'],
  ['is not closed within 102,400 bytes', 'csv: quote that is not closed', 'csv: quote that is not closed, over lines'],
  [
    'nested deeper than',
    'json: endless list in itself',
    'json: endless object in itself',
    'xlsx: endless elements in each other',
  ],
  ['more than 32,767 keys', 'json: endless keys'],
  ['it was cut off', 'json: endless white space'],
  ['where a value is expected, in line 1', 'json: endless bad rows in one line'],
  ['where a comma or “}” is expected, in line 2', 'ndjson: endless bad lines'],
  [
    'takes more than 102,400 bytes',
    'xlsx: endless shared string',
    'xlsx: endless shared strings',
    'xlsx: endless parts of a shared string',
    'xlsx: endless parts of a shared string without text',
    'xlsx: endless comments among shared strings',
    'xlsx: endless long comments among shared strings',
    'xlsx: endless attributes among shared strings',
    'xlsx: endless empty shared strings',
    'xlsx: endless rows of shared strings',
    'xlsx: endless cell',
    'xlsx: endless cell of parts',
    'xlsx: endless row of long cells',
  ],
  ['an attribute cannot be read', 'xlsx: endless attributes'],
  ['its ZIP structure does not fit the file', 'xlsx: endless table of contents'],
  [
    'has more than the 1000 bytes it says',
    'parquet: zstd of blocks that say nothing',
    'parquet: zstd that says what it holds',
    'parquet: zstd of zeros',
  ],
  ['needs too much memory to be decompressed', 'parquet: zstd with a window of a gigabyte'],
  ['has more bytes than it says', 'parquet: gzip', 'parquet: brotli', 'parquet: lz4'],
  ['a page has 140631 bytes', 'parquet: snappy'],
  ['a page claims 187500 bytes', 'parquet: dictionary of empty texts', 'parquet: page of empty texts'],
  [
    'its columns take more than 1,024,000 bytes at once',
    'parquet: page of snappy that claims a gigabyte',
    'parquet: page of gzip that claims a gigabyte',
    'parquet: page of brotli that claims a gigabyte',
    'parquet: page of zstd that claims a gigabyte',
    'parquet: page of lz4Raw that claims a gigabyte',
    'parquet: differences that are zero in many columns',
    'parquet: texts that repeat the one before',
  ],
  ['has fewer values than there are rows', 'parquet: row groups that claim rows'],
];

test.each(READER_BOMBS.map((bomb) => [bomb.name, bomb] as const))('%s', async (name, { format, source }) => {
  let batches = 0;
  const { first, all } = await readBomb(source(BYTES), format, LIMITS, () => ++batches < 100);
  const says = SAYS.find(([, ...names]) => names.includes(name))?.[0];
  for (const sentence of [first, all])
    expect(sentence).toEqual(says === undefined ? '' : expect.stringContaining(says));
});

test('columns in each other are counted before the decoder follows them', async () => {
  const bomb = READER_BOMBS.find(({ name }) => name === 'parquet: footer of columns in each other')!;
  const { first } = await readBomb(bomb.source(10_000), 'parquet', LIMITS, () => true);
  expect(first).toContain('its columns are nested deeper than 100 levels');
});
