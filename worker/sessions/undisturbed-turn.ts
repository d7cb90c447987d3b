// A turn on a connection that nothing else uses: it lasts as long as the work.
import type { Connection } from '../engines/engine.ts';
import type { Turn } from './session.ts';

export const undisturbedTurn = (connection: Connection): Turn => ({
  connection,
  deadlineMs: Infinity,
  stopRequested: false,
  isPastLimit: false,
  measureBy: () => undefined,
  pauseUntil: () => undefined,
  outlastLock: (thrown) => {
    throw thrown;
  },
});
