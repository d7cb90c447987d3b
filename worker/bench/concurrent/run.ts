// One window of time in which a writer commits and readers read, in the engine's own way; then checks that everything was stored.
import type { ConcurrentFacts, SideFacts } from '#shared/bench/protocol.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { valueSink } from '#shared/bench/sink.ts';
import { drawEvenly } from '#shared/bench/statistics.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { exec, read } from '../program.ts';
import type { BenchDatabase, BenchDriver } from '../driver.ts';
import { accountsAfter, SQL, type ConcurrentWork } from './bank.ts';
import { allAtOnce, NOWHERE, readerOn, takeTurns, writerOn, type Done, type Reader, type Writer } from './parties.ts';

/** More waits of one window add nothing new, and all rounds together have thousands. */
const MOST_WAITS = 500;
/** Readers never wait for the writer in WAL mode; a connection that recovers or resets the log makes the others wait for a moment. */
const BUSY_TIMEOUT = exec('PRAGMA busy_timeout = 5000');

/** Threads that read, each with a connection of its own. */
export interface ReaderThreads {
  /** Resolves when each has its connection and waits for {@link ReadersAtWork.begin}. */
  open(order: ReadersOrder): Promise<ReadersAtWork>;
}

export interface ReadersOrder {
  readonly readers: number;
  /** Database name. */
  readonly name: string;
  readonly pragmas: Pragmas;
}

export interface ReadersAtWork {
  begin(): void;
  /** Called after the last commit. */
  end(): Promise<readonly ReaderDone[]>;
}

export interface ReaderDone extends Done {
  readonly wrong: string | null;
  /** Number of the last commit, as seen when all is over. */
  readonly seen: number;
}

interface ConcurrentRun {
  readonly work: ConcurrentWork;
  readonly database: BenchDatabase;
  readonly connections: BenchDriver['connections'];
  readonly name: string;
  readonly pragmas: Pragmas;
  /** Opens another connection to the same database, in this thread. */
  readonly openAnother: () => Promise<BenchDatabase>;
  /** Missing: threads are not available here. */
  readonly threads?: ReaderThreads;
}

interface Outcome {
  readonly writer: Done;
  readonly commits: number;
  readonly readers: readonly ReaderDone[];
}

/** Locks are shared only where there is more than one connection. */
export function pragmasOfConcurrent(pragmas: Pragmas, connections: BenchDriver['connections']): Pragmas {
  return connections ? { ...pragmas, locking_mode: 'normal' } : pragmas;
}

export async function runConcurrent(run: ConcurrentRun): Promise<ConcurrentFacts> {
  const { work, database, connections } = run;
  if (connections) await setBusyTimeout(database);
  const { writer, commits, readers } = await (connections === 'threads'
    ? withThreads(run)
    : connections === 'here'
      ? withConnections(run)
      : withTurns(run));
  return {
    elapsedMs: writer.elapsedMs,
    sides: { readers: sideOf(readers), writer: sideOf([writer]) },
    way: wayOf(work, connections),
    wrong: whatReadersSaw(readers, commits) ?? (await whatIsLeft(database, work, commits)),
  };
}

function wayOf({ readers }: ConcurrentWork, connections: BenchDriver['connections']): string {
  const who = readers === 1 ? 'the reader has' : `each of the ${readers} readers has`;
  if (connections === 'threads')
    return `Here ${who} a thread and a connection of its own beside the writer’s; connections share their locks (locking_mode normal).`;
  if (connections === 'here')
    return `Here ${who} a connection of its own beside the writer’s, all in one thread; the engine works on them in threads of its own (locking_mode normal).`;
  const all = readers === 1 ? 'the reader' : `the ${readers} readers`;
  return `Here there is one connection, so the writer and ${all} take turns: a commit, then a read for each reader. Waiting for the others’ turns counts.`;
}

async function withTurns({ database, work }: ConcurrentRun): Promise<Outcome> {
  const writer = await writerOn(database, work);
  const readers: Reader[] = [];
  for (let at = 0; at < work.readers; at++) readers.push(await readerOn(database));
  const [own, ...others] = await takeTurns([writer, ...readers], work.windowMs);
  return outcomeOf(writer, own!, readers, others);
}

async function withConnections(run: ConcurrentRun): Promise<Outcome> {
  const { database, work } = run;
  const opened: BenchDatabase[] = [];
  try {
    const writer = await writerOn(database, work);
    const readers: Reader[] = [];
    for (let at = 0; at < work.readers; at++) {
      const another = await run.openAnother();
      opened.push(another);
      await setBusyTimeout(another);
      readers.push(await readerOn(another));
    }
    const [own, ...others] = await allAtOnce([writer, ...readers], work.windowMs);
    return await outcomeOf(writer, own!, readers, others);
  } finally {
    for (const another of opened) await another.close();
  }
}

async function withThreads({ database, work, name, pragmas, threads }: ConcurrentRun): Promise<Outcome> {
  if (!threads) throw AppError.unavailable('There are no threads to read in here.');
  const writer = await writerOn(database, work);
  const atWork = await threads.open({ readers: work.readers, name, pragmas });
  let ended: Promise<readonly ReaderDone[]> | null = null;
  try {
    atWork.begin();
    const [own] = await takeTurns([writer], work.windowMs);
    ended = atWork.end();
    return { writer: own!, commits: writer.commits, readers: await ended };
  } finally {
    await (ended ?? atWork.end()).catch(() => undefined);
    await writer.close();
  }
}

async function outcomeOf(
  writer: Writer,
  own: Done,
  readers: readonly Reader[],
  others: readonly Done[],
): Promise<Outcome> {
  const done: ReaderDone[] = [];
  for (const [at, reader] of readers.entries()) done.push(await lastRead(reader, others[at]!));
  await writer.close();
  return { writer: own, commits: writer.commits, readers: done };
}

/** Reads once more when all is over: by now it must see the last commit. */
export async function lastRead(reader: Reader, done: Done): Promise<ReaderDone> {
  await reader.act();
  await reader.close();
  return { ...done, wrong: reader.witness.wrong, seen: reader.witness.seen };
}

function sideOf(done: readonly Done[]): SideFacts {
  const waits = done.flatMap((one) => Array.from(one.waits));
  const perMs = done.reduce((sum, one) => sum + (one.elapsedMs > 0 ? one.waits.length / one.elapsedMs : 0), 0);
  return { perMs, waits: Float64Array.from(drawEvenly(waits, MOST_WAITS)) };
}

function whatReadersSaw(readers: readonly ReaderDone[], commits: number): string | null {
  for (const { wrong, seen } of readers) {
    if (wrong !== null) return wrong;
    if (seen !== commits) return `a reader saw ${seen} commits after the last of ${commits}`;
  }
  return null;
}

/** Computes the transfers once more without a database: each account must have what it would have then. */
async function whatIsLeft(database: BenchDatabase, work: ConcurrentWork, commits: number): Promise<string | null> {
  const [rows, last] = await valuesOf(database, SQL.ledger);
  if (Number(rows) !== commits || Number(last) !== commits)
    return `${Number(rows)} commits are in the ledger instead of ${commits}`;
  const expected = accountsAfter(commits, work.transfers);
  const found = await valuesOf(database, SQL.accounts);
  const other = expected.findIndex((value, at) => Number(found[at]) !== value);
  if (found.length !== expected.length || other >= 0)
    return `account ${Math.floor(other / 3) + 1} is not what ${commits} commits make of it`;
  if (work.dialect !== 'sqlite') return null;
  const [integrity] = await valuesOf(database, 'PRAGMA integrity_check');
  return integrity === 'ok' ? null : `its integrity check says “${String(integrity)}”`;
}

async function valuesOf(database: BenchDatabase, sql: string): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  await database.perform(read(sql), { sink: valueSink((value) => void values.push(value)), laps: null });
  return values;
}

/** An engine that does not know this setting does not wait, and reports an error when it meets a lock. */
export async function setBusyTimeout(database: BenchDatabase): Promise<void> {
  try {
    await database.perform(BUSY_TIMEOUT, NOWHERE);
  } catch {
    // The engine does not know the setting.
  }
}
