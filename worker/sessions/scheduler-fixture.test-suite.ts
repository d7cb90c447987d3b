// For tests of the scheduler: tasks that log what they do, and pauses between their steps.
import { AppError } from '#shared/protocol/errors.ts';
import { fakeClock } from './fake-clock.test-suite.ts';
import { Scheduler } from './scheduler.ts';
import type { Pause, WorkKind } from './session.ts';
import type { Slice, Task } from './task.ts';

interface Named extends Task {
  readonly name: string;
}

/** A scheduler, and a log of what its tasks do. */
export function schedulerFixture() {
  const clock = fakeClock();
  const log: string[] = [];
  const state = { inTransaction: false, refuse: null as object | null, broken: '' };
  const hook = (name: string): void => {
    if (state.broken === name) throw new Error(`broken ${name}`);
  };
  const scheduler = new Scheduler<Named>({
    clock,
    inTransaction: () => state.inTransaction,
    refusal: (task) =>
      state.refuse && task.kind !== 'read' && task.lane !== state.refuse
        ? new AppError({ code: 'transaction-elsewhere', message: 'Elsewhere.' })
        : null,
    beforeTurn: () => hook('beforeTurn'),
    afterTurn: () => hook('afterTurn'),
  });
  const slice = (): Slice => ({ deadlineMs: 0, stopRequested: false, pauseUntil: null });
  const once = (lane: object, kind: WorkKind, name: string) =>
    scheduler.add({ lane, kind, name, slice: slice(), body: () => void log.push(name) });
  const steps = (
    lane: object,
    kind: WorkKind,
    name: string,
    pauses: readonly Pause[],
    onStep?: (step: number) => void,
  ) => {
    const own = slice();
    return {
      slice: own,
      ...scheduler.add({
        lane,
        kind,
        name,
        pausesReading: pauses.includes('reading'),
        slice: own,
        *body() {
          for (const [step, pause] of pauses.entries()) {
            log.push(`${name}${step}`);
            onStep?.(step);
            yield pause;
          }
          log.push(`${name}!`);
          return name;
        },
      }),
    };
  };
  return { clock, log, state, scheduler, once, steps };
}

/** Windows. */
export const [a, b, c] = [{ window: 'a' }, { window: 'b' }, { window: 'c' }];
export const reading = (times: number): Pause[] => Array.from({ length: times }, () => 'reading');
