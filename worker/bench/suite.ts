// Suites: tests, each a function from a size to a program. Nothing here knows an engine or a clock.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { OwnQuery, Side } from '#shared/bench/protocol.ts';
import type { CellUnit } from '#shared/bench/result.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import type { Random } from '#shared/random.ts';
import type { ConcurrentWork } from './concurrent/bank.ts';
import type { Param, ReadStep, Step } from './program.ts';

export interface BenchSuite {
  readonly id: SuiteId;
  readonly tests: readonly BenchTest[];
}

export interface BenchTest {
  /** Word of the command line and of results: never rename. */
  readonly id: string;
  readonly title: string;
  /**
   * `throughput`: a sample is the time of the whole program. `latency`: each execution of a `run` or `read` step in it is a sample
   * (of {@link Program.group} executions).
   */
  readonly kind: 'throughput' | 'latency';
  /** `us`: per operation, {@link Program.operations} in all. */
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
  readonly sequence?: string;
  /** Sizes of the suite that make sense for it; all when missing. */
  readonly sizes?: readonly number[];
  /** Pragmas under test, instead of the profile's. */
  readonly pragmas?: Partial<Pragmas>;
  /** `delivery`: what counts is when the rows are in the window ({@link Program.deliver}). Missing: the time in the engine. */
  readonly measures?: 'engine' | 'delivery';
  /**
   * The side whose work this test measures, when readers work beside a writer ({@link Program.concurrent}). All such tests of a suite are
   * measured together, in one run.
   */
  readonly side?: Side;
  /** Why it cannot be done on this engine, as a whole sentence; null when it can. */
  unavailable?(engine: EngineDefinition): string | null;
  /**
   * Called outside the timer, with the same seed on every engine. Large parameters are made here. Parts of a sequence are asked anew for
   * each sample, so that not all of them are in memory at once.
   */
  program(input: ProgramInput): Program;
}

export interface ProgramInput {
  readonly size: number;
  readonly random: Random;
  /** Only for writing another dialect; the work must stay the same. */
  readonly engine: EngineDefinition;
  readonly own?: OwnQuery;
}

export interface Program {
  /** Functions and tables of JavaScript that the statements use. */
  readonly functions?: readonly ScalarFunction[];
  readonly tables?: readonly TableFunction[];
  /** The file that is opened instead of an empty one. */
  readonly file?: Uint8Array;
  /** Steps before the timer. */
  readonly prepare: readonly Step[];
  readonly timed: readonly Step[];
  /** Queries after the timer. Their answers must be the same on every engine and in every sample. */
  readonly check: readonly ReadStep[];
  /** Rows that the timed steps read and change together; anything else voids the cell. Missing: only equal on all engines. */
  readonly rows?: number;
  /** Rows that tables must have afterward; anything else voids the cell. */
  readonly counted?: Readonly<Record<string, number>>;
  /** Operations in one sample, for `us`; 1 when missing. */
  readonly operations?: number;
  /** Executions in one sample, for `latency`; 1 when missing. More where one takes less than some steps of the clock. */
  readonly group?: number;
  /** The timed steps change nothing, although each sample has a database of its own. */
  readonly readsOnly?: boolean;
  /** Concurrent work of a writer and readers, instead of the timed steps. */
  readonly concurrent?: ConcurrentWork;
  /** Data sent to the window when delivery is measured. Missing: the timed steps, the rows of each `read` packed. */
  readonly deliver?: Delivery;
}

export interface Delivery {
  readonly read: ReadStep;
  /** `packed`: as the product does; `objects`: an object a row, cloned; `json`: the one text that each execution of the query answers. */
  readonly form: 'packed' | 'objects' | 'json';
}

export interface ScalarFunction {
  readonly name: string;
  readonly arity: number;
  /** Must return the same output for the same input. */
  call(...args: readonly Param[]): Param;
}

/** A table-valued function with one argument and columns of its own. */
export interface TableFunction {
  readonly name: string;
  readonly argument: string;
  readonly columns: readonly string[];
  rows(argument: Param): Iterable<readonly Param[]>;
}
