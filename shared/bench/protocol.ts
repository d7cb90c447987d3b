// What a window asks of one engine that is measured: one port an engine, one database at a time.
import type { Op } from '../protocol/envelope.ts';
import type { PackedRows } from '../packed-rows/format.ts';
import { packedRowsTransfers } from '../packed-rows/format.ts';
import type { Pragmas, ProfileName, SettingDifference } from './profile.ts';
import type { CellUnit, EngineCode, EngineFacts, ShownStatement } from './result.ts';
import type { SuiteId } from './suites.ts';

export interface BenchOperations {
  'driver.start': Op<Nothing, EngineFacts>;
  /** Reads and compiles the engine's code once more, for its size and time: nothing may be timed meanwhile. Null: it has none of its own. */
  'driver.code': Op<Nothing, EngineCode | null>;
  /** @throws AppError `unavailable` for a suite that no engine runs */
  'suite.tests': Op<{ readonly suite: SuiteId }, readonly TestFacts[]>;
  /** Makes the program; nothing is opened yet. */
  'test.load': Op<LoadTest, LoadedTest>;
  /** `fresh`: an empty database first. Then everything that comes before the timer. */
  'test.prepare': Op<{ readonly fresh: boolean }, Prepared>;
  /** `group`: executions of a latency test that are timed together. */
  'test.run': Op<{ readonly mode: RunMode; readonly repeat: number; readonly group: number }, RunFacts>;
  /** Sends rows to the window. */
  'test.deliver': Op<Nothing, null, DeliveredChunk>;
  /** Execution number `at` of a latency test, as an app asks for it: the rows are in the answer. */
  'test.execute': Op<{ readonly at: number }, DeliveredChunk | null>;
  /** A writer and its readers at once, for tests that have a {@link TestFacts.side}. */
  'test.concurrent': Op<Nothing, ConcurrentFacts>;
  'test.check': Op<Nothing, CheckFacts>;
  'database.close': Op<Nothing, null>;
  /** Leaves nothing behind; the port answers nothing more. */
  'driver.end': Op<Nothing, null>;
}

type Nothing = Readonly<Record<string, never>>;

/** A test without its program. */
export interface TestFacts {
  readonly id: string;
  readonly title: string;
  readonly kind: 'throughput' | 'latency';
  readonly unit: CellUnit;
  readonly transaction: string;
  readonly database: 'fresh' | 'kept';
  readonly sequence: string | null;
  /** All of the suite when null. */
  readonly sizes: readonly number[] | null;
  /** What it is about, instead of the profile's. */
  readonly pragmas: Partial<Pragmas>;
  /** The delivery is what is measured: the time in the engine is only a part of it. */
  readonly measures: 'engine' | 'delivery';
  /** Whose work it tells of, where readers work beside a writer. Tests that have a side are measured together, in one run. Missing: alone. */
  readonly side?: Side;
  /** `app`: of the app as a whole, whatever engines it has; measured once. Missing: of each engine. */
  readonly scope?: 'app';
  /** Why it cannot be done on this engine. */
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

/** For the suite `own-query`. */
export interface OwnQuery {
  readonly sql: string;
  /** The database file it runs on; it is copied to each engine. */
  readonly file: Uint8Array;
}

export interface LoadedTest {
  readonly statements: readonly ShownStatement[];
  readonly operations: number;
  readonly rows: number | null;
  /** What can be sent to the window: rows, an execution at a time, or nothing but the answer. */
  readonly delivery: 'rows' | 'each' | 'answer';
  /** What is timed reads only: it can be done once more on the same database, for its delivery. */
  readonly readsOnly: boolean;
  /** For `each`: how many executions there are. */
  readonly executions: number;
}

export interface Prepared {
  /** Read back. */
  readonly pragmas: Partial<Pragmas>;
  /** What is not as the profile and the test ask for. */
  readonly differences: readonly SettingDifference[];
}

/** `deep` reads every byte, and its time means nothing. */
export type RunMode = 'timed' | 'deep';

export interface RunFacts {
  /** Of all repeats together. */
  readonly elapsedMs: number;
  /** Of each group of executions of a latency test, an execution's share of it; otherwise empty. */
  readonly laps: Float64Array;
  /** Of one repeat. */
  readonly rows: number;
  readonly checksum: string;
}

/** What a writer and its readers did in one window of time. */
export interface ConcurrentFacts {
  readonly elapsedMs: number;
  readonly sides: Readonly<Record<Side, SideFacts>>;
  /** How this engine lets them work at once, as a sentence. */
  readonly way: string;
  /** “a reader saw 999,990 on all accounts instead of 1,000,000”; null when every reader saw one state after another, and all is there at the end. */
  readonly wrong: string | null;
}

export interface SideFacts {
  /** Reads or commits in a millisecond, by all of this side. */
  readonly perMs: number;
  /** Milliseconds from asking for one until it is done; some of them, evenly drawn. */
  readonly waits: Float64Array;
}

export interface CheckFacts {
  readonly checksum: string;
  /** “t1 has 999 rows instead of 1000”; null when every table has what it must have. */
  readonly wrong: string | null;
  readonly fileBytes: number | null;
  readonly heapBytes: number | null;
}

export type DeliveredChunk =
  | { readonly form: 'packed'; readonly rows: PackedRows }
  | { readonly form: 'objects'; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly form: 'json'; readonly text: string };

/** The buffers that move instead of being copied, where ports can. */
export function benchTransfers(value: unknown): ArrayBuffer[] {
  const chunk = value as Partial<DeliveredChunk> | null | undefined;
  return chunk?.form === 'packed' && chunk.rows ? packedRowsTransfers(chunk.rows as PackedRows) : [];
}
