// A database of an engine, from the few calls that it has: its settings, the loops over its statements, and what it says of itself. Synchronous
// engines never pay for a promise. A step of an asynchronous one that takes very long is given up, so that a run ends.
import { type Pragmas, PRAGMA_NAMES, pragmaFromSqlite, pragmaToSqlite } from '#shared/bench/profile.ts';
import { type RowSink, valueSink } from '#shared/bench/sink.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDatabase, BenchDriver, BenchStatement, Recorder } from '../driver.ts';
import type { ParamRow, SqlStep } from '../program.ts';

export interface SyncStatement {
  run(params: ParamRow): number;
  /** Every value of every row to `sink.value`, then `sink.endRow`. */
  read(params: ParamRow, sink: RowSink): void;
  finalize(): void;
}

/** One open database, as its own users call it. */
export interface SyncBinding {
  /** Every statement of the text, stepped to its end. */
  exec(sql: string): void;
  prepare(sql: string): SyncStatement;
  /** For an engine whose own cache would return a previously prepared statement. Missing: {@link prepare}. */
  prepareAnew?(sql: string): SyncStatement;
  close(): void;
}

/** @param own what the engine offers beyond the calls of its binding, and what it does otherwise. @param set executes the statement of a setting */
export function syncDatabase(
  binding: SyncBinding,
  pragmas: Pragmas,
  own: Partial<BenchDatabase>,
  set = (sql: string): void => binding.exec(sql),
): BenchDatabase {
  const ask = (sql: string): unknown => {
    const statement = binding.prepare(sql);
    const values: unknown[] = [];
    statement.read([], valuesInto(values));
    statement.finalize();
    return values[0];
  };
  setPragmas({ exec: set, ask }, pragmas);
  return {
    perform: (step, recorder) => performSync(binding, step, recorder),
    prepare: (sql) => binding.prepare(sql),
    pragmas: () => asText(PRAGMA_NAMES.map((name) => [name, ask(`PRAGMA ${name}`)])),
    sizeBytes: () => Number(ask('PRAGMA page_count')) * Number(ask('PRAGMA page_size')),
    close: () => binding.close(),
    ...own,
  };
}

const valuesInto = (values: unknown[]): RowSink => valueSink((value) => void values.push(value));

/** Rows as arrays, as most bindings return them. */
export function sinkRows(rows: readonly unknown[], sink: RowSink): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as readonly unknown[];
    for (let column = 0; column < row.length; column++) sink.value(row[column]);
    sink.endRow();
  }
}

export function performSync(calls: Omit<SyncBinding, 'close'>, step: SqlStep, recorder: Recorder): void {
  if (step.do === 'exec') return calls.exec(step.sql);
  const { sink, laps } = recorder;
  const isRead = step.do === 'read';
  const { params, sql } = step;
  if (step.prepare === 'each') {
    for (let at = 0; at < params.length; at++) {
      laps?.begin();
      const statement = calls.prepareAnew?.(sql) ?? calls.prepare(sql);
      if (isRead) statement.read(params[at]!, sink);
      else sink.changed(statement.run(params[at]!));
      statement.finalize();
      laps?.end();
    }
    return;
  }
  const statement = calls.prepare(sql);
  try {
    if (laps) runTimed(statement, isRead, params, { sink, laps });
    else if (isRead) for (let at = 0; at < params.length; at++) statement.read(params[at]!, sink);
    else {
      let changed = 0;
      for (let at = 0; at < params.length; at++) changed += statement.run(params[at]!);
      sink.changed(changed);
    }
  } finally {
    statement.finalize();
  }
}

function runTimed(
  statement: SyncStatement,
  isRead: boolean,
  params: readonly ParamRow[],
  { sink, laps }: Recorder,
): void {
  for (let at = 0; at < params.length; at++) {
    laps!.begin();
    if (isRead) statement.read(params[at]!, sink);
    else sink.changed(statement.run(params[at]!));
    laps!.end();
  }
}

/** Longer steps would take minutes over all rounds. */
const LONGEST_STEP_MS = 10_000;

export interface AsyncBinding {
  exec(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<BenchStatement>;
  close(): Promise<void>;
}

export async function asyncDatabase(
  binding: AsyncBinding,
  pragmas: Pragmas,
  own: Partial<BenchDatabase>,
): Promise<BenchDatabase> {
  await setPragmasLater((sql) => binding.exec(sql), pragmas);
  const ask = async (sql: string): Promise<unknown> => (await valuesLater(binding, sql))[0];
  return {
    perform: (step, recorder) => performAsync(binding, step, recorder),
    prepare: (sql) => binding.prepare(sql),
    pragmas: () => readPragmasLater(ask),
    sizeBytes: async () => Number(await ask('PRAGMA page_count')) * Number(await ask('PRAGMA page_size')),
    close: () => binding.close(),
    ...own,
  };
}

type Preparing = Pick<SyncBinding | AsyncBinding, 'prepare'>;

async function valuesLater(calls: Preparing, sql: string): Promise<readonly unknown[]> {
  const statement = await calls.prepare(sql);
  const values: unknown[] = [];
  await statement.read([], valuesInto(values));
  await statement.finalize();
  return values;
}

export type AsyncCalls = Omit<AsyncBinding, 'close'>;

export async function performAsync(calls: AsyncCalls, step: SqlStep, recorder: Recorder): Promise<void> {
  if (step.do === 'exec') return void (await calls.exec(step.sql));
  const { sink, laps } = recorder;
  const each = step.prepare === 'each';
  let statement = each ? null : await calls.prepare(step.sql);
  let changed = 0;
  const began = performance.now();
  for (const [done, row] of step.params.entries()) {
    const ms = performance.now() - began;
    if (ms > LONGEST_STEP_MS) throw tooSlow(done, step.params.length, ms);
    laps?.begin();
    statement ??= await calls.prepare(step.sql);
    if (step.do === 'read') await statement.read(row, sink);
    else if (each || laps) sink.changed(await statement.run(row));
    else changed += await statement.run(row);
    if (each) {
      await statement.finalize();
      statement = null;
    }
    laps?.end();
  }
  await statement?.finalize();
  if (step.do === 'run' && !each && !laps) sink.changed(changed);
}

function tooSlow(done: number, all: number, ms: number): Error {
  return AppError.unavailable(
    `After ${Math.floor(ms / 1_000)} s it had done ${done} of ${all.toLocaleString('en-US')} executions, ${Math.round(ms / done)} ms each, and was stopped so that the run can end. Try a smaller size.`,
  );
}

/** What SQLite says of itself, in a database that is closed then. @param hasOptions whether the engine lists its compile options */
export async function sqliteFacts(
  memory: Preparing & Pick<SyncBinding | AsyncBinding, 'close'>,
  hasOptions = true,
): Promise<Pick<BenchDriver['facts'], 'version' | 'sourceId' | 'compileOptions'>> {
  const version = String((await valuesLater(memory, 'SELECT sqlite_version()'))[0]);
  const sourceId = await valuesLater(memory, 'SELECT sqlite_source_id()').then(
    ([id]) => String(id),
    () => null,
  );
  const compileOptions = hasOptions ? (await valuesLater(memory, 'PRAGMA compile_options')).map(String) : [];
  await memory.close();
  return { version, sourceId, compileOptions };
}

/** Calls a driver provides; `ask` returns the first value of the first row. */
interface PragmaCalls {
  exec(sql: string): void;
  ask(sql: string): unknown;
}

/** `journal_mode` late: a database in WAL cannot change its page size, and exclusive locking has to come before WAL. */
const ORDER: readonly (keyof Pragmas)[] = [
  'locking_mode', 'page_size', 'journal_mode', 'synchronous', 'cache_size', 'temp_store', 'foreign_keys', 'mmap_size',
]; // prettier-ignore

function setPragmas({ exec, ask }: PragmaCalls, pragmas: Pragmas): void {
  for (const name of ORDER) {
    if (name === 'page_size') changePageSize({ exec, ask }, pragmas.page_size);
    // Also set values that are already right: until `synchronous` is set explicitly, a build may lower it at the first read of a WAL.
    else exec(`PRAGMA ${name} = ${pragmaToSqlite(pragmas[name])}`);
  }
}

/** {@link setPragmas} for an asynchronous engine. It skips pragmas it does not know; the values are read back and shown. */
export async function setPragmasLater(exec: (sql: string) => Promise<unknown>, pragmas: Pragmas): Promise<void> {
  for (const name of ORDER) await exec(`PRAGMA ${name} = ${pragmaToSqlite(pragmas[name])}`).catch(() => undefined);
}

/** For a database that already has a file, this takes a VACUUM and no WAL. */
function changePageSize({ exec, ask }: PragmaCalls, bytes: number): void {
  if (ask('PRAGMA page_size') === bytes) return;
  if (ask('PRAGMA journal_mode') === 'wal') exec('PRAGMA journal_mode = DELETE');
  exec(`PRAGMA page_size = ${bytes}`);
  if (ask('PRAGMA page_size') !== bytes) exec('VACUUM');
}

export async function readPragmasLater(ask: (sql: string) => Promise<unknown>): Promise<Partial<Pragmas>> {
  const answers: Answer[] = [];
  for (const name of PRAGMA_NAMES) answers.push([name, await ask(`PRAGMA ${name}`).catch(() => null)]);
  return asText(answers);
}

type Answer = readonly [name: keyof Pragmas, answer: unknown];

function asText(answers: readonly Answer[]): Partial<Pragmas> {
  return Object.fromEntries(
    answers
      .filter(([, answer]) => answer !== undefined && answer !== null)
      .map(([name, answer]) => [name, pragmaFromSqlite(name, answer)]),
  );
}
