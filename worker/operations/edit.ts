// Operations that change rows from the grid.
import type { EditOperations } from '#shared/protocol/edit.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { OperationSession } from '../sessions/session.ts';
import { applyChanges } from '../query/apply-edits.ts';

export const editHandlers: Handlers<EditOperations, OperationSession> = {
  'edit.apply'({ database, table, changes }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'write',
      title: `Edit of ${table}`,
      onCancel,
      body: ({ connection }) => applyChanges(connection, table, changes),
    });
  },
};
