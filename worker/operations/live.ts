// Operations on rows that stay in step with the database.
import { AppError } from '#shared/protocol/errors.ts';
import type { LiveOperations } from '#shared/protocol/live.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { OperationSession } from '../sessions/session.ts';

export const liveHandlers: Handlers<LiveOperations, OperationSession> = {
  'rows.watch'() {
    throw notYet();
  },
  'live.open'() {
    throw notYet();
  },
  'live.set'() {
    throw notYet();
  },
  'live.counters'() {
    throw notYet();
  },
};

function notYet(): AppError {
  return new AppError({ code: 'unavailable', message: 'This is not available yet.' });
}
