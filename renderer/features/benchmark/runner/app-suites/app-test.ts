// What a suite of the window is made of: tests, and a player for each on each engine of the product.
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { Sink } from '#shared/bench/sink.ts';
import type { RoundKind } from '../target.ts';

/**
 * A test of the window. By default, it measures how long its content takes to appear, on a database that it leaves unchanged; `own` overrides
 * that.
 */
export const appTest = <Id extends string>(
  id: Id,
  title: string,
  transaction: string,
  own: Partial<TestFacts> = {},
): TestFacts & { readonly id: Id } => ({
  title,
  kind: 'latency',
  unit: 'ms',
  transaction,
  database: 'kept',
  sequence: null,
  sizes: null,
  pragmas: {},
  measures: 'delivery',
  unavailable: null,
  ...own,
  id,
});

/** A test, and what it times. */
export interface Described<Id extends string> {
  readonly facts: TestFacts & { readonly id: Id };
  /** The product's operations in one sample. */
  readonly timed: string;
  readonly times: number;
}

export const described = <Id extends string>(
  id: Id,
  title: string,
  transaction: string,
  timed: string,
  times = 1,
  own: Partial<TestFacts> = {},
): Described<Id> => ({ facts: appTest(id, title, transaction, own), timed, times });

/** Measurements of one round. */
export interface Seen {
  readonly samples: readonly number[];
  /** Total measured time, in milliseconds. */
  readonly timedMs: number;
  /** Busy time of each frame, if it was measured. */
  readonly busyMs?: readonly number[];
}

/** Runs one test on one engine, at one size. */
export interface Player {
  /** False: it continues while this window is hidden. */
  readonly needsScreen?: false;
  /** @param round counts from 1, the same on every engine: random choices depend on it only */
  play(round: number, kind: RoundKind): Promise<Seen>;
  /** Puts every row that the test shows into the sink. */
  compare(round: number, sink: Sink): Promise<void>;
  /** Called after each round. */
  rest?(): void;
  close?(): Promise<void>;
}

/** A round of which one time is measured. */
export const seen = (ms: number): Seen => ({ samples: [ms], timedMs: ms });

export const sum = (samples: readonly number[]): number => samples.reduce((total, ms) => total + ms, 0);
