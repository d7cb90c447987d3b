// Hostile files that are detected, previewed, counted, and imported, while another database is edited: none keeps an edit waiting.
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportPlan } from '#shared/protocol/import.ts';
import type { ByteSource } from '../records/record-batch.ts';
import { DUMP_BOMBS, READER_BOMBS } from '../import/hostile/bombs.test-suite.ts';
import { faultOf } from '../import/hostile/read-bomb.test-suite.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import { readingThread } from '../native/reading-threads.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { scratchFiles } from '../native/transfer-files.ts';
import { FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { column, newTable } from './import-fixture.test-suite.ts';

const THREAD = new URL('../threads/test-threads/plain-reading.test-suite.ts', import.meta.url);
const BYTES = 60e6;
/** What is read in pieces is stopped after so long. Detection ends by itself, and begins with the start of a thread; dumps are read to their ends. */
const STOPPED_MS = { detect: 20_000, preview: 2000, count: 2000, import: 2000, open: 120_000, load: 120_000 } as const;
const PAUSE_MS = 5;
/** Waiting that no busy machine explains, as for a lock. */
const MEDIAN_WAIT_MS = 1000;
/** Processor time of the engine's thread for one edit, with all that it did in between: a busy machine makes an edit wait, but takes no more. */
const MEDIAN_MS = 50;
/** One record of 60 MB is stored in one step, which takes 440 to 520 ms; the processor's caches are shared with what else runs. */
const MOST_MS = 1000;

const place = scratchFiles(await createNativeEngine());
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

interface Spread {
  readonly median: number;
  readonly most: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1] ?? 0, most: sorted.at(-1) ?? 0 };
}

const inMs = ({ median, most }: Spread): string => `${median.toFixed(1)} ms, at most ${most.toFixed(0)} ms`;

/** Edits the other database while the work runs. */
async function whileEdited(name: string, work: (timed: Timed) => Promise<void>): Promise<void> {
  const took: Record<string, number> = {};
  let isOver = false;
  const edits = editUntil(() => isOver);
  try {
    await work(async (what, asked) => {
      const began = performance.now();
      const result = await attempt(asked, STOPPED_MS[what]);
      took[what] = Math.round(performance.now() - began);
      return result;
    });
  } finally {
    isOver = true;
  }
  const done = await edits;
  const waits = spread(done.map(({ ms }) => ms));
  const processor = spread(done.map(({ processorMs }) => processorMs));
  figures.push(
    `${name}: waited ${inMs(waits)}, processor ${inMs(processor)}, ${done.length} edits; ${JSON.stringify(took)}`,
  );
  expect(waits.median).toBeLessThan(MEDIAN_WAIT_MS);
  expect(processor.median).toBeLessThan(MEDIAN_MS);
  expect(processor.most).toBeLessThan(MOST_MS);
}

type Timed = <T>(what: keyof typeof STOPPED_MS, work: Promise<T>) => Promise<T | null>;

test.each(READER_BOMBS.map((bomb) => [bomb.name, bomb] as const))('%s', async (name, { format, source }) => {
  const file = source(BYTES);
  const token = `bomb.${format}`;
  fixture.files.set(token, await bytesOf(file));
  const chosen = { kind: 'file', token } as const;
  await whileEdited(name, async (timed) => {
    const detected = await timed('detect', fixture.call('import.detect', { source: chosen, options: { format } }));
    if (detected === null) return;
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
  });
});

const MYSQL_TABLE = '-- MySQL dump 10\nCREATE TABLE `t` (`a` int, `b` text) ENGINE=InnoDB;\n';
const COPY = '-- PostgreSQL database dump\nCREATE TABLE t (a integer, b text);\nCOPY t (a, b) FROM stdin;\n';
const LONG_DUMPS = [
  ['one INSERT of MySQL', `${MYSQL_TABLE}INSERT INTO t VALUES ${"(1234567,'some text of a row'),".repeat(BYTES / 30)}(1,2);\n`],
  ['INSERT statements of a megabyte', MYSQL_TABLE + `INSERT INTO t VALUES ${"(1234567,'it\\'s a text of a row'),".repeat(30_000)}(1,2);\n`.repeat(30)],
  ['short INSERT statements of MySQL', MYSQL_TABLE + "INSERT INTO t VALUES (1234567,'some text of a row');\n".repeat(BYTES / 80)],
  ['rows of COPY', `${COPY}${'1234567\tsome text of a row\n'.repeat(BYTES / 30)}\\.\n`],
  ['one INSERT of SQLite with expressions', `CREATE TABLE t (a, b);\nINSERT INTO t VALUES ${"(1234567,abs(-1)),('some text of a row',2),".repeat(BYTES / 50)}(1,2);\n`],
] as const; // prettier-ignore

const dumps = [
  ...DUMP_BOMBS.map(({ name, source }) => [name, 'open', () => bytesOf(source(BYTES))] as const),
  ...LONG_DUMPS.map(([name, text]) => [name, 'load', async () => new TextEncoder().encode(text)] as const),
];

test.each(dumps)('%s', async (name, what, bytes) => {
  fixture.scratchStore = place;
  fixture.files.set('dump.sql', await bytes());
  const source = { kind: 'file', token: 'dump.sql' } as const;
  await whileEdited(name, async (timed) => {
    const opened = await timed(what, fixture.call('transfer.open', { source, dialect: null, encoding: null }));
    if (what === 'load') expect(opened!.objects).toMatchObject([{ name: 't' }]);
    if (opened !== null) await fixture.call('transfer.close', { id: opened.id });
  });
});
