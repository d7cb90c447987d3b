// The loops of a synchronous engine, over the few calls such engines have.
import type { RowSink } from '#shared/bench/sink.ts';
import type { Recorder } from '../driver.ts';
import type { Param, ParamRow, SqlStep } from '../program.ts';

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

function runAll(statement: SyncStatement, params: readonly (readonly Param[])[], sink: RowSink): void {
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
