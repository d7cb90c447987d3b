// A history keeper for operations that prepare a history, where none is kept.
import type { HistoryKeeper } from '../library/context.ts';
import { fail } from '#shared/protocol/errors.ts';

export const noHistories: HistoryKeeper = {
  reserve: () => Promise.resolve(),
  setLimits() {
    fail('unavailable', 'No history is kept for databases on a server.');
  },
};
