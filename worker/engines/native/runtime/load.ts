// Loads better-sqlite3, or the variant with ciphers, or says why this runtime cannot: both are Node-API 10, and would crash what has less.
import { AppError } from '#shared/protocol/errors.ts';
import type { NativeValue } from '../statements/binding.ts';

/** The part of better-sqlite3 that is used. Its own types leave out what matters here. */
export interface Database {
  readonly inTransaction: boolean;
  readonly open: boolean;
  prepare(sql: string): PreparedStatement;
  exec(sql: string): unknown;
  /** `EXPLAIN` of a statement, parameters unbound. */
  explain(sql: string): readonly ProgramStep[];
  /** Must not throw, and must not use the database. */
  function(name: string, options: FunctionOptions, body: (...args: never[]) => NativeValue): unknown;
  /** `step` gets the state first. What it, or {@link function}, throws ends the statement. */
  aggregate(name: string, options: AggregateOptions): unknown;
  table(name: string, definition: TableDefinition): unknown;
  /** By the C API; `load_extension()` in SQL stays refused. */
  loadExtension(path: string): unknown;
  /** Allows writing while rows are being read. Defensive mode is off as long as it is on. */
  unsafeMode(on: boolean): unknown;
  close(): void;
  /** The content as a file that is not encrypted. */
  serialize(): Buffer;
  /** Only where files can be encrypted: call before anything is read. */
  key?(bytes: Buffer): unknown;
  /** Only where files can be encrypted: writes all pages with another key, or with none if it is empty. */
  rekey?(bytes: Buffer): unknown;
}

export interface ProgramStep {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
}

interface FunctionOptions {
  readonly deterministic?: boolean;
  readonly directOnly?: boolean;
  readonly safeIntegers?: boolean;
  readonly varargs?: boolean;
}

interface AggregateOptions extends FunctionOptions {
  start(): unknown;
  step(...args: never[]): unknown;
  result(state: never): NativeValue;
}

interface TableDefinition {
  readonly columns: readonly string[];
  readonly parameters: readonly string[];
  rows(...args: never[]): Generator;
}

export interface PreparedStatement {
  /** The statement has columns: {@link iterate} runs it, otherwise {@link run}. */
  readonly reader: boolean;
  readonly readonly: boolean;
  run(...args: readonly unknown[]): { readonly changes: number };
  get(...args: readonly unknown[]): unknown;
  all(...args: readonly unknown[]): readonly unknown[];
  iterate(...args: readonly unknown[]): RowIterator;
  raw(on: boolean): this;
  pluck(on: boolean): this;
  safeIntegers(on: boolean): this;
  columns(): readonly ColumnDescription[];
}

export interface RowIterator {
  next(): { readonly value: readonly NativeValue[]; readonly done: boolean };
  return(): unknown;
}

interface ColumnDescription {
  readonly name: string;
  readonly column: string | null;
  readonly table: string | null;
  readonly database: string | null;
  readonly type: string | null;
}

export interface DatabaseOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  readonly timeout?: number;
}

/** `path` may also be the bytes of a database that is to be in memory. */
export type DatabaseConstructor = new (path: string | Uint8Array, options: DatabaseOptions) => Database;

const NODE_API = 10;

/** @throws AppError `unavailable` */
export const loadBetterSqlite = (): Promise<DatabaseConstructor> => load(() => import('better-sqlite3'));

/** The same with another SQLite, which has ciphers and is a few months older. @throws AppError `unavailable` */
export const loadCipherSqlite = (): Promise<DatabaseConstructor> =>
  load(() => import('better-sqlite3-multiple-ciphers'));

async function load(importing: () => Promise<{ readonly default: unknown }>): Promise<DatabaseConstructor> {
  // Asked before anything is loaded: with less, loading ends the process.
  if (Number(process.versions.napi) < NODE_API) {
    throw unavailable(`this runtime has Node-API ${process.versions.napi}, and ${NODE_API} is needed`);
  }
  try {
    const { default: constructor } = (await importing()) as { readonly default: DatabaseConstructor };
    // The binary is only looked for with the first database.
    new constructor(':memory:', {}).close();
    return constructor;
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message.split('\n', 1)[0]! : String(error));
  }
}

function unavailable(why: string): AppError {
  return AppError.unavailable(
    `The native engine is not available here: ${why}. Databases of the library work without it.`,
  );
}
