// A database of an asynchronous engine: the same as that of a synchronous one, with its promises awaited. A step that takes very long is
// given up, so that a run ends.
import type { Pragmas } from '#shared/bench/profile.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDatabase, Recorder } from '../driver.ts';
import { readPragmasLater, setPragmasLater } from '../pragmas.ts';
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

export interface AsyncBinding extends AsyncCalls {
  /** The first value of the first row. */
  ask(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

/** What an engine offers beyond the calls of its binding. */
type Own = Partial<BenchDatabase> & Pick<BenchDatabase, 'sizeBytes'>;

export async function asyncDatabase(binding: AsyncBinding, pragmas: Pragmas, own: Own): Promise<BenchDatabase> {
  await setPragmasLater((sql) => binding.exec(sql), pragmas);
  return {
    perform: (step, recorder) => performAsync(binding, step, recorder),
    prepare: (sql) => binding.prepare(sql),
    pragmas: () => readPragmasLater((sql) => binding.ask(sql)),
    close: () => binding.close(),
    ...own,
  };
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

function tooSlow(done: number, all: number, ms: number): Error {
  return AppError.unavailable(
    `After ${Math.floor(ms / 1_000)} s it had done ${done} of ${all.toLocaleString('en-US')} executions, ${Math.round(ms / done)} ms each, and was stopped so that the run can end. Try a smaller size.`,
  );
}
