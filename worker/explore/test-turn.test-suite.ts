// For tests: a turn in which every pause that is offered is taken.
import type { Connection } from '../engines/engine.ts';
import type { Turn } from '../sessions/session.ts';

export const testTurn = (connection: Connection, isStopped: () => boolean): Turn => ({
  connection,
  deadlineMs: 0,
  get stopRequested() {
    return isStopped();
  },
  isPastLimit: false,
  measureBy: () => undefined,
  pauseUntil: () => undefined,
  outlastLock: (thrown) => {
    throw thrown;
  },
});
