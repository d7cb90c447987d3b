// The loops of an asynchronous engine: the same as for a synchronous one, with its promises awaited. One that takes very long is given up,
// so that a run ends.
import type { RowSink } from '#shared/bench/sink.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Recorder } from '../driver.ts';
import type { ParamRow, SqlStep } from '../program.ts';

/** Longer steps would take minutes over all rounds. */
const LONGEST_STEP_MS = 10_000;

export interface AsyncCalls {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<AsyncStatement>;
}

export interface AsyncStatement {
  run(params: ParamRow): Promise<number>;
  read(params: ParamRow, sink: RowSink): Promise<void>;
  finalize(): Promise<void>;
}

export async function performAsync(calls: AsyncCalls, step: SqlStep, recorder: Recorder): Promise<void> {
  if (step.do === 'exec') return calls.exec(step.sql);
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

function tooSlow(done: number, all: number, ms: number): AppError {
  return new AppError({
    code: 'unavailable',
    message: `After ${Math.floor(ms / 1_000)} s it had done ${done} of ${all.toLocaleString('en-US')} executions, ${Math.round(ms / done)} ms each, and was stopped so that the run can end. Try a smaller size.`,
  });
}
