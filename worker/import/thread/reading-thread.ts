// The engine's side of a file that another thread reads: lends it the files port, and passes on its batches as any other reader would.
import { AppError, inParts, toErrorData } from '#shared/protocol/errors.ts';
import type { ColumnFacts, DetectedSource, ImportAnalysis } from '#shared/protocol/import.ts';
import { ownBuffer } from '../../threads/free-buffer.ts';
import type { FileClient } from '../../library/files.ts';
import type { RecordBatch, RecordNotice, RecordProblem, RecordReader } from '../../records/record-batch.ts';
import type { DumpEnd, DumpFacts, DumpReader, DumpStep } from '../sql/dump-steps.ts';
import { BATCHES } from './reading-messages.ts';
import type {
  DetectOrder,
  DumpOrder,
  FromReading,
  ReadingCall,
  ReadingOrder,
  RecordsOrder,
  SentRemarks,
  ToReading,
} from './reading-messages.ts';
import { unpackBatch } from './sent-batch.ts';
import { unpackStep, type SentStep } from './sent-step.ts';

/** A thread that runs `serveReading`. */
export interface ReadingThread {
  post(message: ToReading, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: FromReading) => void): void;
  /** The thread could not start, or has ended unexpectedly. */
  onLost(listener: () => void): void;
  end(): void;
}

let startThread: (() => ReadingThread) | null = null;
/** Started, and without an order: the next one need not wait for its start. */
let spare: ReadingThread | null = null;

/** Whoever looks at a preview for longer waits for the start of a thread, some tenths of a second. */
const SPARE_MS = 60_000;

let leastBytes = 0;

/**
 * From now on files are read by such threads; before, by the one that asks.
 * @param least bytes of a file for a thread: more than 0 where nobody else waits for the one that asks
 */
export function useReadingThreads(start: (() => ReadingThread) | null, least = 0): void {
  endSpareThread();
  startThread = start;
  leastBytes = least;
}

export const isForThread = ({ sizeBytes }: { readonly sizeBytes: number }): boolean =>
  startThread !== null && sizeBytes >= leastBytes;

/** Call when nothing is likely to be read soon. */
export function endSpareThread(): void {
  spare?.end();
  spare = null;
}

/** A thread has one order, and ends with it: whatever its file has made it take is free again. */
function takeThread(): ReadingThread {
  const thread = spare ?? startThread!();
  spare = null;
  return thread;
}

/** What is read once is read again, with other options, or into a table. A command does so at once, and would start one in vain. */
function prepareNext(): void {
  if (spare !== null || startThread === null || leastBytes > 0) return;
  const thread = startThread();
  thread.onLost(() => {
    if (spare === thread) spare = null;
  });
  spare = thread;
  setTimeout(() => {
    if (spare === thread) endSpareThread();
  }, SPARE_MS);
}

type FileOrder = Omit<RecordsOrder, 't' | 'task'>;

/** @param onCancel registers what ends the reading @throws AppError what detection throws; `stopped` */
export async function detectInThread(
  files: FileClient,
  order: Omit<DetectOrder, 't' | 'task'>,
  onCancel: (listener: () => void) => void,
): Promise<DetectedSource> {
  const reading = new Reading(files, { t: 'begin', task: 'detect', ...order });
  onCancel(() => reading.fail(stopped()));
  try {
    const message = await reading.take();
    if (message.t !== 'detected') throw outOfOrder();
    return message.detected;
  } finally {
    reading.end();
  }
}

/** A reader that also tells what the records hold. */
export interface CountedReader extends RecordReader {
  /** As of some batches ago: of the first three at the beginning. */
  readonly facts: readonly ColumnFacts[];
  /** Null before the end of the file. */
  readonly analysis: ImportAnalysis | null;
  close(): void;
}

/**
 * @param onCancel registers what ends the reading, even where the disk does not answer
 * @throws AppError what the format throws; `stopped`
 */
export const readInThread = (
  files: FileClient,
  order: FileOrder,
  onCancel?: (listener: () => void) => void,
): Promise<RecordReader> => read(files, { t: 'begin', task: 'records', ...order }, onCancel);

/** @param onCancel @throws as {@link readInThread} */
export const readAndCountInThread = (
  files: FileClient,
  order: FileOrder,
  onCancel: (listener: () => void) => void,
): Promise<CountedReader> => read(files, { t: 'begin', task: 'counted-records', ...order }, onCancel);

async function read(
  files: FileClient,
  order: ReadingOrder,
  onCancel?: (listener: () => void) => void,
): Promise<ThreadReader> {
  const reading = new Reading(files, order);
  onCancel?.(() => reading.fail(stopped()));
  try {
    const opened = await reading.take();
    if (opened.t !== 'opened') throw outOfOrder();
    return new ThreadReader(reading, opened);
  } catch (error) {
    reading.end();
    throw error;
  }
}

/** @param report bytes that are read; what it throws ends the reading @param onCancel @throws as {@link readInThread} */
export async function countFactsInThread(
  files: FileClient,
  order: FileOrder,
  report: (bytesRead: number) => Promise<void>,
  onCancel?: (listener: () => void) => void,
): Promise<ImportAnalysis> {
  const reading = new Reading(files, { t: 'begin', task: 'facts', ...order });
  onCancel?.(() => reading.fail(stopped()));
  try {
    for (;;) {
      const message = await reading.take();
      if (message.t === 'facts') return message.analysis;
      if (message.t !== 'counted') throw outOfOrder();
      await report(message.bytesRead);
    }
  } finally {
    reading.end();
  }
}

/** @param lookedThrough how far the first of two passes is; what it throws ends the reading @param onCancel @throws as {@link readInThread} */
export async function readDumpInThread(
  files: FileClient,
  order: Omit<DumpOrder, 't' | 'task'>,
  lookedThrough: (bytesRead: number) => Promise<void>,
  onCancel: (listener: () => void) => void,
): Promise<DumpReader> {
  const reading = new Reading(files, { t: 'begin', task: 'dump', ...order });
  onCancel(() => reading.fail(stopped()));
  try {
    for (;;) {
      const message = await reading.take();
      if (message.t === 'dump-opened') return new ThreadDump(reading, message.facts);
      if (message.t !== 'counted') throw outOfOrder();
      await lookedThrough(message.bytesRead);
    }
  } catch (error) {
    reading.end();
    throw error;
  }
}

type Told = Exclude<FromReading, ReadingCall | { readonly t: 'failed' }>;

/** One thread at work, from its order to its end. */
class Reading {
  readonly #thread = takeThread();
  readonly #files: FileClient;
  readonly #told: Told[] = [];
  #failure: AppError | null = null;
  #wake: () => void = () => undefined;
  #hasEnded = false;

  constructor(files: FileClient, order: ReadingOrder) {
    this.#files = files;
    this.#thread.onMessage((message) => this.#hear(message));
    this.#thread.onLost(() => this.fail(lost()));
    this.#post(order);
    const sendsBatches = order.task !== 'detect' && order.task !== 'facts';
    for (let n = 0; sendsBatches && n < BATCHES; n++) this.more(null);
  }

  /** Returns its next message. Messages sent before a failure are returned first. @throws AppError */
  async take(): Promise<Told> {
    for (;;) {
      const next = this.#told.shift();
      if (next) return next;
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  more(memory: ArrayBuffer | null): void {
    this.#post({ t: 'more', memory }, memory === null ? [] : [memory]);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#thread.end();
    prepareNext();
  }

  #post(message: ToReading, transfer: readonly ArrayBuffer[] = []): void {
    if (!this.#hasEnded) this.#thread.post(message, transfer);
  }

  #hear(message: FromReading): void {
    if (message.t === 'call') return void this.#answer(message);
    if (message.t === 'failed') return this.fail(new AppError(message.error));
    this.#told.push(message);
    this.#wake();
  }

  fail(error: AppError): void {
    this.#failure ??= error;
    this.#wake();
  }

  async #answer({ request, op, params }: ReadingCall): Promise<void> {
    try {
      const value: unknown = await this.#files.call(op, params as never);
      if (!(value instanceof Uint8Array)) return this.#post({ t: 'answer', request, value });
      // A part of a larger buffer would transfer all of it.
      const bytes = ownBuffer(value) === null ? new Uint8Array(value) : value;
      this.#post({ t: 'answer', request, value: bytes }, [bytes.buffer as ArrayBuffer]);
    } catch (error) {
      this.#post({ t: 'refused', request, error: toErrorData(error) });
    }
  }
}

class ThreadReader implements CountedReader {
  readonly #reading: Reading;
  columns: readonly string[];
  facts: readonly ColumnFacts[];
  analysis: ImportAnalysis | null = null;
  bytesRead = 0;
  #problems: RecordProblem[] = [];
  #notices: RecordNotice[] = [];
  /** Memory of the batch that is being used. */
  #memory: ArrayBuffer | null = null;
  #isDone = false;

  constructor(reading: Reading, { columns, facts = [] }: Extract<Told, { readonly t: 'opened' }>) {
    this.#reading = reading;
    this.columns = columns;
    this.facts = facts;
  }

  takeProblems(): readonly RecordProblem[] {
    return this.#problems.splice(0);
  }

  takeNotices(): readonly RecordNotice[] {
    return this.#notices.splice(0);
  }

  async next(): Promise<RecordBatch | null> {
    if (this.#isDone) return null;
    if (this.#memory !== null) this.#reading.more(this.#memory);
    this.#memory = null;
    const message = await this.#reading.take();
    if (message.t !== 'batch' && message.t !== 'end') throw outOfOrder();
    this.#note(message);
    if (message.t === 'end') {
      this.#isDone = true;
      this.analysis = message.analysis ?? null;
      this.facts = this.analysis?.columns ?? this.facts;
      this.close();
      return null;
    }
    this.#memory = message.batch.memory;
    return unpackBatch(message.batch);
  }

  close(): void {
    this.#reading.end();
  }

  #note({ columns, bytesRead, problems, notices, facts }: SentRemarks): void {
    this.columns = columns;
    this.facts = facts ?? this.facts;
    this.bytesRead = bytesRead;
    for (const problem of problems) this.#problems.push(problem);
    for (const notice of notices) this.#notices.push(notice);
  }
}

class ThreadDump implements DumpReader {
  readonly facts: DumpFacts;
  readonly #reading: Reading;
  bytesRead = 0;
  #steps: readonly SentStep[] = [];
  #memory: ArrayBuffer | null = null;
  #at = 0;
  /** Whether the thread has been told that the last message is used up. */
  #isUsed = true;
  #end: DumpEnd | null = null;

  constructor(reading: Reading, facts: DumpFacts) {
    this.#reading = reading;
    this.facts = facts;
  }

  async next(): Promise<DumpStep | null> {
    while (this.#at === this.#steps.length) {
      if (!this.#isUsed) this.#reading.more(this.#memory);
      this.#isUsed = true;
      const message = await this.#reading.take();
      if (message.t === 'dump-end') {
        this.#end = message.end;
        return null;
      }
      if (message.t !== 'steps') throw outOfOrder();
      this.#isUsed = false;
      this.#at = 0;
      this.#steps = message.steps;
      this.#memory = message.memory;
      this.bytesRead = message.bytesRead;
    }
    return unpackStep(this.#steps[this.#at++]!);
  }

  finish(): DumpEnd {
    return this.#end!;
  }

  close(): void {
    this.#reading.end();
  }
}

const stopped = (): AppError => AppError.stopped(inParts('The import was stopped.', 'Everything is as it was before.'));

const lost = (): AppError =>
  AppError.unavailable('The file could not be read to its end, because the thread that reads it ended. Try again.');

const outOfOrder = (): AppError => AppError.internal('The thread that reads the file answered out of order.');
