// Concurrent parties: a writer that commits transfers and readers that add up all accounts, each on the connection it is given, and the hot loops
// in which they work. Whoever has an answer asks again at once, and the time from asking to the answer is what is measured, so a turn that
// others have first counts.
import { valueSink } from '#shared/bench/sink.ts';
import { exec } from '../program.ts';
import type { BenchDatabase, BenchStatement, Maybe, Recorder } from '../driver.ts';
import { TimeList } from '../lap-times.ts';
import { SQL, Witness, type ConcurrentWork } from './bank.ts';

interface Party {
  /** One commit, or one read. Synchronous where the engine needs no promise. */
  act(): Maybe<void>;
  /** Releases its statements. */
  close(): Promise<void>;
}

/** Discards the rows of statements. */
export const NOWHERE: Recorder = { sink: valueSink(), laps: null };

export interface Writer extends Party {
  readonly commits: number;
}

export async function writerOn(database: BenchDatabase, work: ConcurrentWork): Promise<Writer> {
  const words = work.dialect === 'sqlite' ? ['BEGIN IMMEDIATE', 'COMMIT'] : [];
  const statements: BenchStatement[] = [];
  for (const sql of [SQL.pay, SQL.receive, SQL.note, ...words]) statements.push(await database.prepare(sql));
  const [pay, receive, note, begin, commit] = statements;
  const word = (statement: BenchStatement | undefined, sql: string) => (): Maybe<unknown> =>
    statement ? statement.run([]) : database.perform(exec(sql), NOWHERE);
  let commits = 0;
  const next = (): ConcurrentWork['transfers'][number] => work.transfers[commits % work.transfers.length]!;
  const steps = [
    word(begin, 'BEGIN'),
    () => pay!.run([next()[2], next()[0]]),
    () => receive!.run([next()[2], next()[1]]),
    () => note!.run([commits + 1, ...next()]),
    word(commit, 'COMMIT'),
  ];
  return {
    get commits() {
      return commits;
    },
    act() {
      const pending = inOrder(steps);
      if (pending) return pending.then(() => void commits++);
      commits++;
    },
    async close() {
      for (const statement of statements) await statement.finalize();
    },
  };
}

export interface Reader extends Party {
  readonly witness: Witness;
}

export async function readerOn(database: BenchDatabase): Promise<Reader> {
  const witness = new Witness();
  const statement = await database.prepare(SQL.read);
  return { witness, act: () => statement.read([], witness), close: async () => statement.finalize() };
}

function inOrder(steps: readonly (() => Maybe<unknown>)[], from = 0): Maybe<void> {
  for (let at = from; at < steps.length; at++) {
    const pending = steps[at]!();
    if (pending instanceof Promise) return pending.then(() => inOrder(steps, at + 1));
  }
}

export interface Done {
  /** Waits in order of completion: milliseconds since each item was requested. */
  readonly waits: Float64Array;
  readonly elapsedMs: number;
}

/** Returns what each party did. Engines that answer at once never pay for a promise. */
export async function takeTurns(parties: readonly Party[], windowMs: number): Promise<readonly Done[]> {
  const lists = parties.map(() => new TimeList());
  const began = performance.now();
  const asked = new Float64Array(parties.length).fill(began);
  let now = began;
  while (now - began < windowMs) {
    for (let at = 0; at < parties.length; at++) {
      const pending = parties[at]!.act();
      if (pending) await pending;
      now = performance.now();
      lists[at]!.push(now - asked[at]!);
      asked[at] = now;
    }
  }
  return lists.map((list) => ({ waits: list.values(), elapsedMs: now - began }));
}

/** Runs connections that work independently: each party continues as soon as it has its own answer. */
export async function allAtOnce(parties: readonly Party[], windowMs: number): Promise<readonly Done[]> {
  const ended = await Promise.allSettled(parties.map((party) => takeTurns([party], windowMs)));
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value[0]!;
  });
}

/** Works until the other party ends it; at least once, so that a party that hardly gets any processor time shows a long wait. */
export async function workWhile(party: Party, goesOn: () => boolean): Promise<Done> {
  const list = new TimeList();
  const began = performance.now();
  let asked = began;
  do {
    const pending = party.act();
    if (pending) await pending;
    const now = performance.now();
    list.push(now - asked);
    asked = now;
  } while (goesOn());
  return { waits: list.values(), elapsedMs: asked - began };
}
