// A database of a synchronous engine, from the few calls such engines have: its settings, and the loops over its statements.
import type { Pragmas } from '#shared/bench/profile.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import type { BenchDatabase, Recorder } from '../driver.ts';
import { readPragmas, setPragmas } from '../pragmas.ts';
import type { ParamRow, SqlStep } from '../program.ts';

export interface SyncCalls {
  /** Every statement of the text, stepped to its end. */
  exec(sql: string): void;
  prepare(sql: string): SyncStatement;
  /** For an engine whose own cache would return a previously prepared statement. Missing: {@link prepare}. */
  prepareAnew?(sql: string): SyncStatement;
}

export interface SyncStatement {
  /** Rows it changed. */
  run(params: ParamRow): number;
  /** Every value of every row to `sink.value`, then `sink.endRow`. */
  read(params: ParamRow, sink: RowSink): void;
  finalize(): void;
}

/** One open database, as its own users call it. */
export interface SyncBinding extends SyncCalls {
  /** The first value of the first row; undefined when there is none. */
  ask(sql: string): unknown;
  close(): void;
}

/** What an engine offers beyond the calls of its binding, and what it does otherwise. */
type Own = Partial<BenchDatabase> & Pick<BenchDatabase, 'sizeBytes'>;

/** @param set executes the statement of a setting */
export function syncDatabase(
  binding: SyncBinding,
  pragmas: Pragmas,
  own: Own,
  set = (sql: string): void => binding.exec(sql),
): BenchDatabase {
  const ask = (sql: string): unknown => binding.ask(sql);
  setPragmas({ exec: set, ask }, pragmas);
  return {
    perform: (step, recorder) => performSync(binding, step, recorder),
    prepare: (sql) => binding.prepare(sql),
    pragmas: () => readPragmas(ask),
    close: () => binding.close(),
    ...own,
  };
}

/** Rows as arrays, as most bindings return them. */
export function sinkRows(rows: readonly (readonly unknown[])[], sink: RowSink): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    for (let column = 0; column < row.length; column++) sink.value(row[column]);
    sink.endRow();
  }
}

export function performSync(calls: SyncCalls, step: SqlStep, recorder: Recorder): void {
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
    if (laps) runTimed(statement, isRead, params, sink, laps);
    else if (isRead) for (let at = 0; at < params.length; at++) statement.read(params[at]!, sink);
    else runAll(statement, params, sink);
  } finally {
    statement.finalize();
  }
}

function runAll(statement: SyncStatement, params: readonly ParamRow[], sink: RowSink): void {
  let changed = 0;
  for (let at = 0; at < params.length; at++) changed += statement.run(params[at]!);
  sink.changed(changed);
}

function runTimed(
  statement: SyncStatement,
  isRead: boolean,
  params: readonly ParamRow[],
  sink: RowSink,
  laps: NonNullable<Recorder['laps']>,
): void {
  for (let at = 0; at < params.length; at++) {
    laps.begin();
    if (isRead) statement.read(params[at]!, sink);
    else sink.changed(statement.run(params[at]!));
    laps.end();
  }
}
