// Hostile dumps at full size, read into a scratch database as the product does.
import { expect, test } from 'vitest';
import { READING_LIMITS } from '../import/reading-limits.ts';
import { DUMP_BOMBS } from '../import/hostile/bombs.test-suite.ts';
import { measured } from '../import/hostile/measured.test-suite.ts';
import { faultOf } from '../import/hostile/read-bomb.test-suite.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const BYTES = 400_000_000;
/** What is read with a statement, is made of it, and is not collected yet. */
const MOST_BYTES = READING_LIMITS.statementBytes * 8;
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

test('a value without end takes the rows of its statement back, of which parts are written', async () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => `(${at},'some text')`).join(',');
  const head = new TextEncoder().encode(
    `CREATE TABLE t (a, b);\nINSERT INTO t VALUES (-1,0);\nINSERT INTO t VALUES ${rows},(1,'`,
  );
  const bytes = new Uint8Array(head.length + READING_LIMITS.statementBytes + (8 << 20)).fill(0x78);
  bytes.set(head);
  const { contents, connection } = await opened(scratch, bytes, { dialect: 'sqlite' });
  const { line, reason } = contents.sql!.statements[0]!;
  expect([line, reason]).toEqual([
    3,
    expect.stringMatching(/^It is longer than 128 MB: .*Nothing from here on was read\.$/),
  ]);
  expect(connection.all('SELECT a FROM t')).toEqual([[-1]]);
});
