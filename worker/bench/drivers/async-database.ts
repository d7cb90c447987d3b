// The loops of an engine that answers later: the same as for one that answers at once, with its promises awaited.
import type { RowSink } from '#shared/bench/sink.ts';
import type { Recorder } from '../driver.ts';
import type { ParamRow, SqlStep } from '../program.ts';

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
  for (const row of step.params) {
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
