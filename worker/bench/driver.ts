// The interface an engine has to offer to be measured. The table of engines says which file drives which.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { EngineFacts } from '#shared/bench/result.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { ParamRow, ReadStep, SqlStep } from './program.ts';
import type { ScalarFunction, TableFunction } from './suite.ts';

/** Result now or later. Synchronous engines never pay for a promise, because the caller awaits only promises. */
export type Maybe<T> = T | Promise<T>;

/** Exports of every file in `drivers/`. @throws AppError `unavailable` with the reason, which becomes the cell's */
interface DriverModule {
  startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver>;
}

/** A driver's own place for files: nothing of the library is there. */
export interface DriverLocation {
  /** A name for OPFS folders and IndexedDB databases, or the path of a folder in the bench process. */
  readonly directory: string;
}

export interface BenchDriver {
  /**
   * Whether several connections to one database can work at once: a connection each in threads of their own, or all of them in this
   * one, where the engine has threads itself. Missing: what is asked at once takes turns on one connection.
   */
  readonly connections?: 'threads' | 'here';
  readonly facts: Omit<EngineFacts, 'engine' | 'startMs' | 'timerStepMs' | 'runtime'>;
  /**
   * An empty database under a name that may have been used before, or one made of `file`.
   * Applies every pragma it has; what it found is answered by {@link BenchDatabase.pragmas}.
   */
  create(name: string, pragmas: Pragmas, file?: Uint8Array): Maybe<BenchDatabase>;
  /** Opens a database that was closed. */
  open(name: string, pragmas: Pragmas): Maybe<BenchDatabase>;
  /** Removes a closed database: its file and everything beside it. */
  remove(name: string): Maybe<void>;
  /** Bytes of wasm memory, null where there is none. */
  heapBytes(): number | null;
  /** Leaves nothing behind. */
  end(): Maybe<void>;
}

export interface BenchDatabase {
  /** The hot loop is inside: one step may be 100,000 executions. */
  perform(step: SqlStep, recorder: Recorder): Maybe<void>;
  /** A statement that is kept. */
  prepare(sql: string): Maybe<BenchStatement>;
  /** Read back from the engine; pragmas it does not support are missing. */
  pragmas(): Maybe<Partial<Pragmas>>;
  /** Missing: it calls no functions of JavaScript. */
  define?(functions: readonly ScalarFunction[]): void;
  /** Missing: it takes no tables of JavaScript, or not through its own calls. */
  defineTables?(tables: readonly TableFunction[]): void;
  /** Packs as the product does, piece by piece. Missing: packed value by value. */
  pack?(read: ReadStep, rowsInPiece: number): Iterable<PackedRows>;
  /** One object per row. Missing: delivery as objects is not possible. */
  objects?(read: ReadStep): readonly Readonly<Record<string, unknown>>[];
  /** Includes the files beside it; null when not known. */
  sizeBytes(): Maybe<number | null>;
  close(): Maybe<void>;
}

export interface BenchStatement {
  /** Returns the number of rows it changed. */
  run(params: ParamRow): Maybe<number>;
  /** Every value of every row to `sink.value`, then `sink.endRow`. */
  read(params: ParamRow, sink: RowSink): Maybe<void>;
  finalize(): Maybe<void>;
}

/** Records the results of executions. */
export interface Recorder {
  readonly sink: RowSink;
  /** Told before and after each execution of a latency test; null in all others. */
  readonly laps: Laps | null;
}

export interface Laps {
  begin(): void;
  end(): void;
}

export type LoadDriver = () => Promise<DriverModule>;

/** Drivers by their names in the table of engines. */
export type DriverRegistry = Readonly<Record<string, LoadDriver>>;
