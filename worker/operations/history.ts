// Operations that take changes back, and show what they were.
import { AppError } from '#shared/protocol/errors.ts';
import type { HistoryOperations } from '#shared/protocol/history.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { OperationSession } from '../sessions/session.ts';

export const historyHandlers: Handlers<HistoryOperations, OperationSession> = {
  'history.list'() {
    throw notYet();
  },
  'history.state'() {
    throw notYet();
  },
  'history.rows'() {
    throw notYet();
  },
  'history.undo'() {
    throw notYet();
  },
  'history.redo'() {
    throw notYet();
  },
  'history.undoTo'() {
    throw notYet();
  },
  'history.revert'() {
    throw notYet();
  },
  'history.clear'() {
    throw notYet();
  },
  'history.setLimits'() {
    throw notYet();
  },
  'patch.export'() {
    throw notYet();
  },
  'patch.apply'() {
    throw notYet();
  },
  'dryRun.start'() {
    throw notYet();
  },
  'dryRun.rows'() {
    throw notYet();
  },
  'dryRun.finish'() {
    throw notYet();
  },
};

function notYet(): AppError {
  return new AppError({ code: 'unavailable', message: 'This is not available yet.' });
}
