// The frame of every long library operation: seen in all windows, stoppable from each, reporting progress to its caller.
import { fail } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { Clock } from '../sessions/clock.ts';
import type { OpenDatabases } from '../sessions/open-databases.ts';
import type { WorkMonitor, WorkTitle } from '../sessions/work-monitor.ts';

const REPORT_EVERY_MS = 50;

/** The parts of its call that a handler passes on. */
export type ProgressCall = Pick<CallContext<Progress>, 'id' | 'emit' | 'canceled'>;

export interface LongWork {
  readonly stopRequested: boolean;
  /** Progress handler of a connection: returns whether to interrupt. */
  tick(): boolean;
  /** May be called often: a report too soon after the previous one is not sent. @throws AppError `stopped` */
  report(progress: Progress): Promise<void>;
}

/** @throws AppError `stopped`, and whatever `body` throws */
export async function runLongWork<T>(
  context: {
    readonly monitor: WorkMonitor;
    readonly clock: Clock;
    readonly databases?: Pick<OpenDatabases, 'explain'>;
  },
  title: WorkTitle,
  call: ProgressCall,
  body: (work: LongWork) => Promise<T>,
): Promise<T> {
  const running = context.monitor.begin({ ...title, call: call.id });
  let phase = '';
  let reportedAtMs = -Infinity;
  const work: LongWork = {
    get stopRequested() {
      return call.canceled || running.stopRequested;
    },
    tick() {
      running.tick();
      return work.stopRequested;
    },
    async report(progress) {
      running.tick();
      if (work.stopRequested) fail('stopped', `${title.title} was stopped. Nothing was kept.`);
      const now = context.clock.now();
      if (progress.phase === phase && now - reportedAtMs < REPORT_EVERY_MS) return;
      [phase, reportedAtMs] = [progress.phase, now];
      running.show(progress);
      await call.emit(progress);
    },
  };
  try {
    return await body(work);
  } catch (error) {
    throw context.databases?.explain(error) ?? error;
  } finally {
    running.end();
  }
}
