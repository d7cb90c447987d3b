// Files that a real thread reads, which loses time between any two of its steps.
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LONG, seedCount } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ImportOptions } from '#shared/protocol/import.ts';
import type { FileClient } from '../../library/files.ts';
import { readingThread } from '../../native/reading-threads.ts';
import type { RecordReader } from '../../records/record-batch.ts';
import { textBytes } from '../byte-sources.ts';
import { detectSource } from '../detect-source.ts';
import { countFacts } from '../facts/fact-counter.ts';
import { formatOf } from '../formats.ts';
import { plainOptions } from '../plain-options.ts';
import { fieldTexts } from '../../records/field-texts.ts';
import { readDump } from '../sql/dump-reader.ts';
import type { DumpStep } from '../sql/dump-steps.ts';
import { readAll } from '../read-all.test-suite.ts';
import {
  countFactsInThread,
  detectInThread,
  endSpareThread,
  readAndCountInThread,
  readDumpInThread,
  readInThread,
  useReadingThreads,
} from './reading-thread.ts';
import type { FromReading } from './reading-messages.ts';

const THREAD = new URL('../../threads/test-threads/delayed-reading.test-suite.ts', import.meta.url);

const OPTIONS: ImportOptions = {
  ...plainOptions('csv', { hasHeader: true }),
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
};
const source = { kind: 'file', token: 'chosen' } as const;

/** Records of all sizes, some with problems: short ones, long ones, text after a quote, bytes that are not UTF-8. */
function fileOf(seed: number, megabytes: number): Uint8Array {
  const rows = ['id,name,note'];
  for (let id = 1, size = 0; size < megabytes * 1e6; id++) {
    const mixed = (Math.imul(id ^ seed, 0x9e3779b1) >>> 0) % 1000;
    const row =
      mixed === 0
        ? `${id},"open" text,x`
        : mixed === 1
          ? `${id},short`
          : mixed === 2
            ? `${id},long,a,b,c`
            : mixed === 3
              ? `${id},${'wide '.repeat(4000)},"a ""quoted"" note"`
              : `${id},name ${mixed},"note, of ${id}"`;
    rows.push(row);
    size += row.length;
  }
  return new TextEncoder().encode(rows.join('\n'));
}

function clientOf(bytes: Uint8Array, failsFrom = Infinity): FileClient {
  return {
    call: (op: string, params: { readonly offset: number; readonly length: number }) => {
      if (op === 'file.info') return Promise.resolve({ fileName: 'f.csv', sizeBytes: bytes.length, modifiedAtMs: 1 });
      const { offset, length } = params;
      if (offset + length > failsFrom)
        return Promise.reject(new AppError({ code: 'io', message: 'The disk is gone.', detail: { at: offset } }));
      return Promise.resolve(bytes.slice(offset, offset + length));
    },
  } as unknown as FileClient;
}

const ROWS = Array.from({ length: 25_000 }, (_, at) => `(${at},'name ${at}')`).join(',');
const SHORT = Array.from({ length: 1500 }, (_, at) => `INSERT INTO t VALUES (${at}, 'it''s ${at}');\n`).join('');
const DUMPS = [
  ['SQLite', `PRAGMA foreign_keys=OFF;\nCREATE TABLE t (a, b);\n${SHORT}INSERT INTO t VALUES ${ROWS};\nINSERT INTO t VALUES ${ROWS},(abs(1),2),${ROWS};\n.mode\nBEGIN`],
  ['MySQL', `-- MySQL dump 10\nCREATE TABLE \`t\` (\`a\` int, \`b\` text, KEY k (a)) ENGINE=InnoDB;\n${SHORT}INSERT INTO t VALUES ${ROWS};\nINSERT INTO t VALUES ${ROWS},(1,_binary '\\0');\nUPDATE t SET`],
  ['PostgreSQL', `-- PostgreSQL database dump\nCREATE TABLE t (a integer, b text);\n${SHORT}COPY t (a, b) FROM stdin;\n${'1\tone\\n\n1\n\\N\t\\N\r\n'.repeat(15_000)}\\.\n\\connect x\nCOPY u FROM stdin;\n1\n`],
  ['T-SQL', `SET ANSI_NULLS ON\nGO\nCREATE TABLE [dbo].[t] ([a] [int], [b] [nvarchar](9))\nGO\n${SHORT}INSERT [dbo].[t] ([a], [b]) VALUES ${ROWS}\nGO\n`],
] as const; // prettier-ignore

/** What a step says, whatever memory its batch is in. */
function readable(step: DumpStep | null): unknown {
  if (step === null || !('batch' in step)) return step;
  const { batch, ...rest } = step;
  const records = Array.from({ length: batch.records }, (_, at) => [batch.lines[at], fieldTexts(batch, at)]);
  return { ...rest, ...('source' in rest ? { source: new TextDecoder().decode(rest.source) } : {}), records };
}

const direct = async (bytes: Uint8Array): Promise<RecordReader> =>
  formatOf('csv').read(
    { ...textBytes('', 'f.csv'), sizeBytes: bytes.length, read: async (at, length) => bytes.slice(at, at + length) },
    OPTIONS,
  );

describe('a file that a thread reads', () => {
  const threads: Worker[] = [];
  /** Batches that were sent and not given back. */
  let out = 0;
  let mostOut = 0;
  /** Messages with steps of a dump. */
  let messages = 0;

  function useThreads(seed: number): void {
    useReadingThreads(() => {
      const worker = new Worker(THREAD, { workerData: seed });
      threads.push(worker);
      const thread = readingThread(worker);
      return {
        ...thread,
        post(message, transfer) {
          if (message.t === 'more' && message.memory !== null) out--;
          thread.post(message, transfer);
        },
        onMessage: (listener) =>
          thread.onMessage((message: FromReading) => {
            if (message.t === 'steps') messages++;
            if (message.t === 'batch') mostOut = Math.max(mostOut, ++out);
            listener(message);
          }),
      };
    });
  }

  afterEach(async () => {
    useReadingThreads(null);
    await Promise.all(threads.splice(0).map((thread) => thread.terminate()));
  });

  it('gives the same records, problems, notices and facts as one that is read here, three batches at most at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 30 }), async (seed) => {
        useThreads(seed);
        const bytes = fileOf(seed, LONG ? 9 : 4.5);
        out = mostOut = 0;
        const there = await readInThread(clientOf(bytes), { source, options: OPTIONS });
        const here = await direct(bytes);
        expect(there.columns).toEqual(here.columns);
        const read = await readAll(there);
        const expected = await readAll(here);
        expect(read.problems.length).toBeGreaterThan(50);
        expect(read.notices).toEqual(expected.notices);
        expect(read.problems).toEqual(expected.problems);
        // Compared one by one: a difference of millions of fields is not to be printed.
        expect(read.records.length).toBe(expected.records.length);
        for (const [at, record] of read.records.entries()) {
          if (JSON.stringify(record) !== JSON.stringify(expected.records[at]))
            expect(record).toEqual(expected.records[at]);
        }
        expect(there.bytesRead).toBe(bytes.length);
        expect(mostOut).toBeLessThanOrEqual(3);
        const order = { source, options: OPTIONS };
        const facts = await countFactsInThread(clientOf(bytes), order, () => Promise.resolve());
        expect(facts).toEqual(await countFacts(await direct(bytes), OPTIONS, () => undefined));
      }),
      { seed: 7, numRuns: seedCount(2), endOnFailure: true },
    );
  });

  it.each(DUMPS)('gives the same steps of a dump as one that is read here: %s', async (_, text) => {
    useThreads(5);
    const bytes = new TextEncoder().encode(text);
    const options = { dialect: null, encoding: null, existing: new Map() };
    const passed: number[] = [];
    const looked = async (bytesRead: number): Promise<void> => void passed.push(bytesRead);
    const here = await readDump(textBytes(text, 'f.sql'), options, () => undefined);
    const there = await readDumpInThread(clientOf(bytes), { source, options }, looked, () => undefined);
    expect(there.facts).toEqual(here.facts);
    let steps = 0;
    for (;;) {
      const [expected, step] = [await here.next(), await there.next()];
      expect(readable(step)).toEqual(readable(expected));
      if (step === null) break;
      // The engine's thread does not take a longer piece of a statement, nor a longer batch.
      expect(JSON.stringify(readable(step)).length).toBeLessThan(5e6);
      steps++;
    }
    expect(there.finish()).toEqual(here.finish());
    expect(there.bytesRead).toBe(bytes.length);
    expect(steps).toBeGreaterThan(10);
    expect(passed.length > 0).toBe(there.facts.dialect !== 'sqlite');
    there.close();
  });

  it('sends many small tables of a dump together, and no more than fits beside a large one', async () => {
    useThreads(10);
    const small = (from: number): string =>
      Array.from(
        { length: 300 },
        (_, at) =>
          `CREATE TABLE t${from + at} (a, b);\nINSERT INTO t${from + at} VALUES(${at},'é ${at}');\nINSERT INTO t${from + at} VALUES(NULL,x'00ff');\n`,
      ).join('');
    const large = Array.from({ length: 40 }, (_, at) => `INSERT INTO t0 VALUES(${at},'${'wide '.repeat(9000)}');\n`);
    const text = `${small(0)}${large.join('')}${small(300)}`;
    const options = { dialect: 'sqlite' as const, encoding: null, existing: new Map() };
    const here = await readDump(textBytes(text, 'f.sql'), options, () => undefined);
    const bytes = new TextEncoder().encode(text);
    messages = 0;
    const there = await readDumpInThread(
      clientOf(bytes),
      { source, options },
      () => Promise.resolve(),
      () => undefined,
    );
    let steps = 0;
    for (; ; steps++) {
      const [expected, step] = [await here.next(), await there.next()];
      expect(readable(step)).toEqual(readable(expected));
      if (step === null) break;
    }
    expect(steps).toBeGreaterThan(1200);
    expect(messages).toBeLessThan(10);
    there.close();
  });

  it('sends no more than some rows of a dump that are left out in one message', async () => {
    useThreads(10);
    const bytes = new TextEncoder().encode(
      `CREATE TABLE t (a integer);\nCOPY t (a) FROM stdin;\n${'1\t2\n'.repeat(20_000)}\\.\n`,
    );
    const options = { dialect: 'postgresql' as const, encoding: null, existing: new Map() };
    messages = 0;
    const reader = await readDumpInThread(
      clientOf(bytes),
      { source, options },
      () => Promise.resolve(),
      () => undefined,
    );
    let leftOut = 0;
    for (let step = await reader.next(); step !== null; step = await reader.next())
      if (step.kind === 'copied') leftOut += step.problems.length;
    expect(leftOut).toBe(20_000);
    expect(messages).toBeGreaterThan(5);
    reader.close();
  });

  it('counts what it sends: the first batches before it sends any, the rest with the last', async () => {
    useThreads(6);
    const bytes = fileOf(6, 22);
    out = mostOut = 0;
    const order = { source, options: OPTIONS };
    const counted = await readAndCountInThread(clientOf(bytes), order, () => undefined);
    expect(counted.facts.map(({ suggested }) => suggested)).toEqual(['INTEGER', 'TEXT', 'TEXT']);
    const { integers } = counted.facts[0]!;
    let records = 0;
    let firstThree = 0;
    let changes = 0;
    for (let batches = 1, facts = counted.facts; ; batches++) {
      const batch = await counted.next();
      if (batch === null) break;
      records += batch.records;
      if (batches === 3) firstThree = records;
      if (counted.facts !== facts) changes++;
      facts = counted.facts;
    }
    expect(integers).toBe(firstThree);
    expect(changes).toBe(1);
    expect(mostOut).toBeLessThanOrEqual(3);
    expect(counted.analysis).toEqual(await countFacts(await direct(bytes), OPTIONS, () => undefined));
    expect(counted.facts).toBe(counted.analysis!.columns);
    expect(counted.analysis!.records).toBe(records);
    // The import reports them, although counting has seen them.
    expect(counted.takeProblems().length).toBe(counted.analysis!.problems);
  });

  it('fails as it does here: after what came before, with the same words', async () => {
    useThreads(1);
    const bytes = fileOf(3, 9);
    const reader = await readInThread(clientOf(bytes, 6e6), { source, options: OPTIONS });
    let batches = 0;
    const failure = await (async () => {
      while ((await reader.next()) !== null) batches++;
    })().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'io', message: 'The disk is gone.', detail: { at: expect.any(Number) } });
    expect(batches).toBeGreaterThan(2);
    const none = readInThread(clientOf(bytes, 0), { source, options: OPTIONS });
    await expect(none).rejects.toMatchObject({ code: 'io' });
    const unknown = readInThread(clientOf(bytes), { source, options: { ...OPTIONS, encoding: 'no-such' } });
    await expect(unknown).rejects.toMatchObject({ code: 'invalid' });
  });

  it('ends its thread when it is given up, when counting is stopped, and at its end', async () => {
    useThreads(2);
    const bytes = fileOf(4, 9);
    const given = await readInThread(clientOf(bytes), { source, options: OPTIONS });
    await given.next();
    given.close!();
    await readAll(await readInThread(clientOf(bytes), { source, options: OPTIONS }));
    const stopped = new AppError({ code: 'stopped', message: 'Stopped.' });
    const counting = countFactsInThread(clientOf(bytes), { source, options: OPTIONS }, () => Promise.reject(stopped));
    await expect(counting).rejects.toBe(stopped);
    // Each order takes the thread that was started when the one before it ended.
    expect(threads.length).toBe(4);
    endSpareThread();
    // A thread that has ended has the number -1.
    await expect.poll(() => threads.map(({ threadId }) => threadId)).toEqual([-1, -1, -1, -1]);
  });

  it('is detected there as it is here, and given up while the thread is at work', async () => {
    useThreads(8);
    const bytes = fileOf(8, 2);
    const order = { source, options: { hasHeader: true } };
    const detected = await detectInThread(clientOf(bytes), order, () => undefined);
    expect(detected).toEqual(await detectSource(clientOf(bytes), source, order.options));
    const silent = { call: () => new Promise(() => undefined) } as unknown as FileClient;
    const stuck = detectInThread(silent, order, (cancel) => cancel());
    await expect(stuck).rejects.toMatchObject({ code: 'stopped' });
    endSpareThread();
    await expect.poll(() => threads.map(({ threadId }) => threadId)).toEqual(threads.map(() => -1));
  });

  it('ends the thread for the next file when there is none for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      useThreads(9);
      const order = { source, options: OPTIONS };
      await readAll(await readInThread(clientOf(fileOf(7, 0.1)), order));
      expect(threads.length).toBe(2);
      vi.advanceTimersByTime(59_000);
      await readAll(await readInThread(clientOf(fileOf(7, 0.1)), order));
      // The minute of a thread that is in use, or was used, is none of the next one's.
      vi.advanceTimersByTime(59_000);
      expect(threads.at(-1)!.threadId).toBeGreaterThan(0);
      vi.advanceTimersByTime(1000);
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(() => threads.map(({ threadId }) => threadId)).toEqual([-1, -1, -1]);
  });

  it('says so when its thread is lost', async () => {
    useThreads(3);
    const reader = await readInThread(clientOf(fileOf(5, 9)), { source, options: OPTIONS });
    await threads[0]!.terminate();
    const all = (async () => {
      while ((await reader.next()) !== null);
    })();
    await expect(all).rejects.toMatchObject({ code: 'unavailable' });
  });
});
