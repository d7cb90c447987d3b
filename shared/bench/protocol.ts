// What a window requests of one measured engine: one port per engine, one database at a time.
import type { Op } from '../protocol/envelope.ts';
import type { PackedRows } from '../packed-rows/format.ts';
import { packedRowsTransfers } from '../packed-rows/format.ts';
import type { Pragmas, ProfileName, SettingDifference } from './profile.ts';
import type { CellUnit, EngineCode, EngineFacts, ShownStatement } from './result.ts';
import type { SuiteId } from './suites.ts';

export interface BenchOperations {
  'driver.start': Op<Nothing, EngineFacts>;
  /**
   * Loads and compiles the engine's code once more, to measure its size and time: no other timing may run meanwhile. Null if it has no code
   * of its own.
   */
  'driver.code': Op<Nothing, EngineCode | null>;
  /** @throws AppError `unavailable` for a suite that no engine runs */
  'suite.tests': Op<{ readonly suite: SuiteId }, readonly TestFacts[]>;
  'test.load': Op<LoadTest, LoadedTest>;
  /** `fresh`: starts with an empty database. Then runs everything that comes before the timer. */
  'test.prepare': Op<{ readonly fresh: boolean }, Prepared>;
  /** `group`: number of executions of a latency test that are timed together. */
  'test.run': Op<{ readonly mode: RunMode; readonly repeat: number; readonly group: number }, RunFacts>;
  'test.deliver': Op<Nothing, null, DeliveredChunk>;
  /** Runs execution number `at` of a latency test as an app would: the rows are in the answer. */
  'test.execute': Op<{ readonly at: number }, DeliveredChunk | null>;
  /** Runs a writer and its readers concurrently, for tests that have a {@link TestFacts.side}. */
  'test.concurrent': Op<Nothing, ConcurrentFacts>;
  'test.check': Op<Nothing, CheckFacts>;
  'database.close': Op<Nothing, null>;
  /** Removes all traces; the port answers no further requests. */
  'driver.end': Op<Nothing, null>;
}

type Nothing = Readonly<Record<string, never>>;

/** A test without its program. */
export interface TestFacts {
  /** Word of the command line and of results: never rename. */
  readonly id: string;
  readonly title: string;
  /** `throughput`: a sample is the time of the whole program. `latency`: each execution in it (or a group of them) is a sample. */
  readonly kind: 'throughput' | 'latency';
  /** `us`: per operation. */
  readonly unit: CellUnit;
  /** Beginning and end of transactions, as a sentence: “One transaction around all inserts.” */
  readonly transaction: string;
  /**
   * `fresh`: what is timed changes the database, so each sample gets a new one. `kept`: it is prepared once, read by all samples, and
   * in cache from the second one on.
   */
  readonly database: 'fresh' | 'kept';
  /**
   * Tests of the same name stand one after the other and are the parts of one sequence: in this order they work on one database, which the first part
   * gets `fresh` for each sample. Each part is timed by itself and checked before the next one begins; a part that fails takes those
   * after it along. The sum of a sample is a cell of its own: `total`, or `total-NAME` where a suite has several sequences.
   */
  readonly sequence: string | null;
  /** Null: all sizes of the suite. */
  readonly sizes: readonly number[] | null;
  /** Settings that the test is about, replacing those of the profile. */
  readonly pragmas: Partial<Pragmas>;
  /** `delivery`: what counts is when the rows are in the window, of which the time in the engine is only a part. */
  readonly measures: 'engine' | 'delivery';
  /** Side whose work it measures if readers work beside a writer. Tests with a side are measured together, in one run. Missing: measured alone. */
  readonly side?: Side;
  /** `app`: measures the app as a whole, once, whatever engines it has. Missing: measured for each engine. */
  readonly scope?: 'app';
  /** Why the test cannot run on this engine. */
  readonly unavailable: string | null;
}

export type Side = 'readers' | 'writer';

export interface LoadTest {
  readonly suite: SuiteId;
  readonly test: string;
  readonly size: number;
  readonly seed: number;
  readonly profile: ProfileName;
  readonly own?: OwnQuery;
}

/** Input of the suite `own-query`. */
export interface OwnQuery {
  readonly sql: string;
  /** The database file it runs on; it is copied to each engine. */
  readonly file: Uint8Array;
}

export interface LoadedTest {
  readonly statements: readonly ShownStatement[];
  readonly operations: number;
  readonly rows: number | null;
  /** The part of the work that can be sent to the window: rows, one execution at a time, or only the answer. */
  readonly delivery: 'rows' | 'each' | 'answer';
  /** The timed part only reads, so it can run again on the same database, to measure its delivery. */
  readonly readsOnly: boolean;
  readonly executions: number;
}

export interface Prepared {
  readonly pragmas: Partial<Pragmas>;
  /** Settings that differ from those of the profile and the test. */
  readonly differences: readonly SettingDifference[];
}

/** `deep` reads every byte, so its time is meaningless. */
type RunMode = 'timed' | 'deep';

export interface RunFacts {
  /** Total of all repeats. */
  readonly elapsedMs: number;
  /** Average per execution for each group of executions of a latency test; otherwise empty. */
  readonly laps: Float64Array;
  /** Rows of one repeat. */
  readonly rows: number;
  readonly checksum: string;
}

/** Work of a writer and its readers in one window of time. */
export interface ConcurrentFacts {
  readonly elapsedMs: number;
  readonly sides: Readonly<Record<Side, SideFacts>>;
  /** How this engine lets them work concurrently, as a sentence. */
  readonly way: string;
  /** “a reader saw 999,990 on all accounts instead of 1,000,000”; null if every reader saw consistent states, and all data is there at the end. */
  readonly wrong: string | null;
}

export interface SideFacts {
  /** Reads or commits per millisecond, by all of this side. */
  readonly perMs: number;
  /** Milliseconds from request to completion; an evenly drawn sample of them. */
  readonly waits: Float64Array;
}

export interface CheckFacts {
  readonly checksum: string;
  /** “t1 has 999 rows instead of 1000”; null if every table has what it must have. */
  readonly wrong: string | null;
  readonly fileBytes: number | null;
  readonly heapBytes: number | null;
}

export type DeliveredChunk =
  | { readonly form: 'packed'; readonly rows: PackedRows }
  | { readonly form: 'objects'; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly form: 'json'; readonly text: string };

/** The buffers that are transferred instead of copied, if the port supports it. */
export function benchTransfers(value: unknown): ArrayBuffer[] {
  const chunk = value as Partial<DeliveredChunk> | null | undefined;
  return chunk?.form === 'packed' && chunk.rows ? packedRowsTransfers(chunk.rows as PackedRows) : [];
}
