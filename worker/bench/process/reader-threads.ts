// Threads of the bench process that read beside a writer, each with a connection of its own: kept for all rounds, told to begin and to end
// by a word in memory that they share with the writer's thread.
import { parentPort, type Worker } from 'node:worker_threads';
import { engineOf, type EngineId } from '#shared/bench/engines.ts';
import { AppError, type ErrorData } from '#shared/protocol/errors.ts';
import { readerOn, workWhile } from '../concurrent/parties.ts';
import { lastRead, setBusyTimeout } from '../concurrent/run.ts';
import type { ReaderDone, ReadersAtWork, ReadersOrder, ReaderThreads } from '../concurrent/run.ts';
import type { BenchDriver } from '../driver.ts';
import { PROCESS_DRIVERS } from './in-process.ts';

/** Values of the shared word. The writer's thread writes it, always forward; readers wait for it and check it between two reads. */
const Word = { waiting: 0, reading: 1, over: 2 } as const;

/** No engine needs that long to open a file or to answer one query over a thousand rows. */
const LIMIT_MS = 20_000;

/** Engine and the folder of its databases. */
interface EngineDirectory {
  readonly engine: EngineId;
  readonly directory: string;
}

interface ReaderOrder extends EngineDirectory, Pick<ReadersOrder, 'name' | 'pragmas'> {
  readonly word: Int32Array;
}

type FromReader = { readonly ready: true } | { readonly done: ReaderDone } | { readonly failed: ErrorData };

export class NodeReaderThreads implements ReaderThreads {
  readonly #start: () => Worker;
  readonly #directory: EngineDirectory;
  #threads: readonly Worker[] = [];

  /** @param start a thread that calls {@link serveReader} */
  constructor(directory: EngineDirectory, start: () => Worker) {
    this.#start = start;
    this.#directory = directory;
  }

  async open({ readers, name, pragmas }: ReadersOrder): Promise<ReadersAtWork> {
    const word = new Int32Array(new SharedArrayBuffer(4));
    const missing = Array.from({ length: Math.max(0, readers - this.#threads.length) }, () => this.#start());
    // Threads end with the one that started them.
    for (const thread of missing) thread.unref();
    this.#threads = [...this.#threads, ...missing];
    const threads = this.#threads.slice(0, readers);
    const tell = (next: number): void => {
      Atomics.store(word, 0, next);
      Atomics.notify(word, 0);
    };
    const all = <Answer>(ask: (thread: Worker) => Promise<Answer>): Promise<readonly Answer[]> =>
      this.#unlessOneFails(threads.map(ask), () => tell(Word.over));
    const order: ReaderOrder = { ...this.#directory, name, pragmas, word };
    await all(async (thread) => {
      const ready = answerOf(thread);
      thread.postMessage(order);
      await ready;
    });
    // Listen from now on: a thread may finish before the caller asks.
    const done = all(async (thread) => {
      const answer = await answerOf(thread);
      if (!('done' in answer)) throw AppError.internal('A reader answered out of order.');
      return answer.done;
    });
    done.catch(() => undefined);
    return {
      begin: () => tell(Word.reading),
      end() {
        tell(Word.over);
        return done;
      },
    };
  }

  /** A reader that failed or hangs takes the others along: new ones are started for the next round, once none uses a file any more. */
  async #unlessOneFails<Answer>(asked: readonly Promise<Answer>[], release: () => void): Promise<readonly Answer[]> {
    try {
      return await Promise.all(asked);
    } catch (error) {
      release();
      const threads = this.#threads;
      this.#threads = [];
      const end = async (thread: Worker, at: number): Promise<void> => {
        // Node aborts the process when a thread is ended while it loads a native addon.
        await Promise.allSettled([asked[at]]);
        await thread.terminate();
      };
      await Promise.all(threads.map(end));
      throw error;
    }
  }
}

/** @throws AppError the error there, or that it never answered */
function answerOf(thread: Worker): Promise<FromReader> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(limit);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const onMessage = (answer: FromReader): void =>
      settle(() => ('failed' in answer ? reject(new AppError(answer.failed)) : resolve(answer)));
    const onError = (error: Error): void => settle(() => reject(error));
    const onExit = (): void => onError(new Error('A reader’s thread ended.'));
    const limit = setTimeout(() => settle(() => reject(tooLong())), LIMIT_MS);
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function tooLong(): AppError {
  return AppError.unavailable(`A reader did not answer for ${LIMIT_MS / 1_000} s and was stopped.`);
}

/** Runs in a thread, for one reader. */
export function serveReader(): void {
  let driver: Promise<BenchDriver> | null = null;
  const tell = (message: FromReader): void => parentPort!.postMessage(message);
  parentPort!.on('message', (order: ReaderOrder) => {
    driver ??= startDriver(order);
    void readBeside(order, driver, () => tell({ ready: true })).then(
      (done) => tell({ done }),
      (error: unknown) => tell({ failed: failureOf(order, error) }),
    );
  });
}

function failureOf({ engine }: ReaderOrder, error: unknown): ErrorData {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'sql', message: `${engineOf(engine)!.label} failed in the thread of a reader: ${reason}` };
}

async function startDriver({ engine: id, directory }: ReaderOrder): Promise<BenchDriver> {
  const engine = engineOf(id)!;
  const { startDriver: start } = await PROCESS_DRIVERS[engine.driver]!();
  return start(engine, { directory });
}

async function readBeside(order: ReaderOrder, driver: Promise<BenchDriver>, ready: () => void): Promise<ReaderDone> {
  const { name, pragmas, word } = order;
  const database = await (await driver).open(name, pragmas);
  try {
    await setBusyTimeout(database);
    const reader = await readerOn(database);
    ready();
    while (Atomics.load(word, 0) === Word.waiting) Atomics.wait(word, 0, Word.waiting);
    const done = await workWhile(reader, () => Atomics.load(word, 0) === Word.reading);
    return await lastRead(reader, done);
  } finally {
    await database.close();
  }
}
