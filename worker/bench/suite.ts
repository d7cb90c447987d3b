// Suites: tests, each a function from a size to a program. Nothing here knows an engine or a clock.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { OwnQuery, TestFacts } from '#shared/bench/protocol.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import type { Random } from '#shared/random.ts';
import type { ConcurrentWork } from './concurrent/bank.ts';
import type { Param, ReadStep, Step } from './program.ts';

export interface BenchSuite {
  readonly id: SuiteId;
  readonly tests: readonly BenchTest[];
}

/** {@link TestFacts}; what is missing is as usual: no sequence, all sizes, the settings of the profile, the time in the engine. */
export interface BenchTest
  extends
    Pick<TestFacts, 'id' | 'title' | 'kind' | 'unit' | 'transaction' | 'database'>,
    Partial<Pick<TestFacts, 'sizes' | 'pragmas' | 'measures' | 'side'>> {
  readonly sequence?: string;
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
