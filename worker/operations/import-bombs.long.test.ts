// Hostile files that are detected, previewed, counted, and imported, while another database is edited: none keeps an edit waiting. Dumps are read by
// the engine's own thread, and are not among them.
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportPlan } from '#shared/protocol/import.ts';
import type { ByteSource } from '../records/record-batch.ts';
import { READER_BOMBS } from '../import/hostile/bombs.test-suite.ts';
import { faultOf } from '../import/hostile/read-bomb.test-suite.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import { readingThread } from '../native/reading-threads.ts';
import { FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { column, newTable } from './import-fixture.test-suite.ts';

const THREAD = new URL('../threads/test-threads/plain-reading.test-suite.ts', import.meta.url);
const BYTES = 60e6;
/** What is read in pieces is stopped after so long. Detection ends by itself, and begins with the start of a thread. */
const STOPPED_MS = 2000;
const DETECTED_MS = 20_000;
const PAUSE_MS = 5;
const MEDIAN_MS = 100;
/** Processor time of the engine's thread for one edit, with all that it did in between: a busy machine makes an edit wait, but takes no more. */
const MOST_MS = 500;

const importing = new FileDisk('wal');
const edited = new FileDisk('delete');
let fixture: HistoryFixture;
let other: HistoryFixture;
beforeEach(() => {
  useReadingThreads(() => readingThread(new Worker(THREAD)));
  fixture = new HistoryFixture('CREATE TABLE t (a)', importing);
  other = new HistoryFixture('CREATE TABLE t (a); INSERT INTO t VALUES (0)', edited);
});
afterEach(() => {
  useReadingThreads(null);
  fixture.close();
  other.close();
});

const figures: string[] = [];
afterAll(() => console.log(figures.join('\n')));

async function bytesOf(source: ByteSource): Promise<Uint8Array> {
  const bytes = new Uint8Array(source.sizeBytes);
  for (let at = 0; at < bytes.length; at += 1 << 24) bytes.set(await source.read(at, 1 << 24), at);
  return bytes;
}

/** How it ended. */
async function attempt<T>(work: Promise<T>, stopMs: number): Promise<T | null> {
  const stop = setTimeout(() => fixture.cancelAll(), stopMs);
  try {
    return await work;
  } catch (error) {
    expect(faultOf(error)).toBeNull();
    return null;
  } finally {
    clearTimeout(stop);
  }
}

interface Edit {
  /** From the moment when it was due. */
  readonly ms: number;
  readonly processorMs: number;
}

async function editUntil(isOver: () => boolean): Promise<Edit[]> {
  const edits: Edit[] = [];
  while (!isOver()) {
    const due = performance.now() + PAUSE_MS;
    const since = process.threadCpuUsage();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await other.run('UPDATE t SET a = a + 1');
    const { user, system } = process.threadCpuUsage(since);
    edits.push({ ms: performance.now() - due, processorMs: (user + system) / 1000 });
  }
  return edits;
}

test.each(READER_BOMBS.map((bomb) => [bomb.name, bomb] as const))('%s', async (name, { format, source }) => {
  const file = source(BYTES);
  const token = `bomb.${format}`;
  fixture.files.set(token, await bytesOf(file));
  const chosen = { kind: 'file', token } as const;
  const took: Record<string, number> = {};
  let isOver = false;
  const edits = editUntil(() => isOver);
  const timed = async <T>(what: string, work: Promise<T>): Promise<T | null> => {
    const began = performance.now();
    const result = await attempt(work, what === 'detect' ? DETECTED_MS : STOPPED_MS);
    took[what] = Math.round(performance.now() - began);
    return result;
  };
  try {
    const detected = await timed('detect', fixture.call('import.detect', { source: chosen, options: { format } }));
    if (detected !== null) {
      const { options, columns } = detected;
      const used = columns.slice(0, 20).map((_, from) => column(`c${from}`, from));
      const plan: ImportPlan = {
        source: chosen,
        options,
        target: newTable('made'),
        columns: used.length > 0 ? used : [column('c0', 0)],
        maxProblems: 1000,
      };
      await timed('preview', fixture.call('import.preview', { plan }));
      await timed('count', fixture.call('import.analyze', { source: chosen, options }));
      await timed('import', fixture.call('import.run', { plan }));
    }
  } finally {
    isOver = true;
  }
  const done = await edits;
  const latencies = done.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = latencies[latencies.length >> 1] ?? 0;
  const longest = latencies.at(-1) ?? 0;
  const most = Math.max(...done.map(({ processorMs }) => processorMs));
  figures.push(
    `${name}: median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms, most of the processor ${most.toFixed(0)} ms, ${done.length} edits; ${JSON.stringify(took)}`,
  );
  expect(median).toBeLessThan(MEDIAN_MS);
  expect(most).toBeLessThan(MOST_MS);
});
