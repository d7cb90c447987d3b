// The first records of readers that give few of them, or none.
import { expect, test } from 'vitest';
import { BatchWriter } from '../records/batch-writer.ts';
import { fieldTexts } from '../records/field-texts.ts';
import { FIELD, type RecordBatch, type RecordProblem, type RecordReader } from '../records/record-batch.ts';
import { readFirst } from './first-records.ts';
import { MAX_PROBLEMS } from './reading-limits.ts';
import { bytesSource } from './read-all.test-suite.ts';
import { NdjsonReader } from './json/ndjson-reader.ts';

/** Gives what `next` returns, as often as it is asked, and counts how often that is. */
function readerOf(next: () => { readonly batch: RecordBatch | null; readonly problems?: readonly RecordProblem[] }) {
  let found: RecordProblem[] = [];
  const reader: RecordReader & { asked: number } = {
    columns: ['a'],
    bytesRead: 0,
    asked: 0,
    takeProblems: () => found.splice(0),
    next() {
      this.asked++;
      const { batch, problems = [] } = next();
      found = [...problems];
      return Promise.resolve(batch);
    },
  };
  return reader;
}

function batchOf(texts: readonly string[]): RecordBatch {
  const writer = new BatchWriter();
  for (const [at, text] of texts.entries()) {
    writer.begin(at + 1);
    writer.text(FIELD.text, text);
    writer.end();
  }
  return writer.take();
}

test('a file of more bad lines than its reader gives at once ends', async () => {
  const bad = '{"a":}\n'.repeat(MAX_PROBLEMS * 3);
  const { records, remarks } = await readFirst(new NdjsonReader(bytesSource(`${bad}{"a":1}\n`), 'utf-8', true), 5);
  expect(records).toHaveLength(1);
  expect(remarks.takeProblems()).toHaveLength(MAX_PROBLEMS * 3);
});

test('nothing but bad records, or nothing at all, is given up', async () => {
  const problems = Array.from({ length: 1000 }, (_, at) => ({ line: at + 1, reason: 'It is bad.', text: '' }));
  const bad = readerOf(() => ({ batch: batchOf([]), problems }));
  expect((await readFirst(bad, 5)).remarks.takeProblems().length).toBe(10_000);
  const wordy = readerOf(() => ({ batch: batchOf([]), problems: [{ ...problems[0]!, text: 'x'.repeat(1_000_000) }] }));
  expect((await readFirst(wordy, 5)).remarks.takeProblems().length).toBeLessThan(10);
  const empty = readerOf(() => ({ batch: batchOf([]) }));
  expect((await readFirst(empty, 5)).records).toEqual([]);
  expect(empty.asked).toBeLessThan(20);
});

test('large records are as many as fit, one at least', async () => {
  const large = readerOf(() => ({ batch: batchOf(['x'.repeat(600), 'y'.repeat(600), 'z'.repeat(600)]) }));
  expect((await readFirst(large, 100, 1000)).records).toHaveLength(2);
  expect((await readFirst(large, 100, 1)).records).toHaveLength(1);
  // A preview of 64 MB kept the engine's thread for seconds.
  const longer = readerOf(() => ({ batch: batchOf(['x'.repeat(1 << 20)]) }));
  expect((await readFirst(longer, 1000)).records).toHaveLength(8);
});

test('long fields of a record that is larger than all may be are cut, and the notice says so', async () => {
  const writer = new BatchWriter();
  writer.begin(7);
  writer.text(FIELD.text, 'short');
  writer.text(FIELD.quoted, 'é'.repeat(2000));
  writer.text(FIELD.number, '9'.repeat(2000));
  writer.text(FIELD.text, `xé${'é'.repeat(1000)}`);
  writer.end();
  const reader = readerOf(() => ({ batch: writer.take() }));
  const { records, remarks } = await readFirst(reader, 1, 4004);
  expect(fieldTexts(records[0]!, 0)).toEqual(['short', 'é'.repeat(500), '9'.repeat(2000), `x${'é'.repeat(500)}`]);
  expect(remarks.takeNotices!()).toEqual([
    { line: 7, text: '2 long fields are cut to 1,001 bytes in this preview: the import stores all of the text.' },
  ]);
});
