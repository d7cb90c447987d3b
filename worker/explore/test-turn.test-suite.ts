// For tests: a turn in which every offered pause is taken.
import type { Connection } from '../engines/engine.ts';
import type { Turn } from '../sessions/session.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';

export const testTurn = (connection: Connection, isStopped: () => boolean): Turn => ({
  ...undisturbedTurn(connection),
  deadlineMs: 0,
  get stopRequested() {
    return isStopped();
  },
});
