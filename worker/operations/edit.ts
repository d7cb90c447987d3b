// Operations that change rows from the grid.
import type { EditOperations } from '#shared/protocol/edit.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { readersOf } from '../readers/reader-registry.ts';
import type { OperationSession } from '../sessions/session.ts';
import { applyChanges } from './apply-changes.ts';

export const editHandlers: Handlers<EditOperations, OperationSession> = {
  async 'edit.apply'({ database: id, table, changes }, { session: { window }, session, onCancel }) {
    const database = session.database(id);
    let uncommitted = false;
    const reply = await database.enqueue({
      window,
      kind: 'write',
      title: `Edit of ${table}`,
      onCancel,
      body({ connection }) {
        uncommitted = !connection.autocommit;
        return applyChanges(connection, table, changes);
      },
    });
    if (uncommitted) readersOf(window).noteUncommitted(database, { tables: null, schema: false });
    return reply;
  },
};
