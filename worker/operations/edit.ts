// Operations that change rows from the grid.
import type { EditOperations } from '#shared/protocol/edit.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { OperationSession } from '../sessions/session.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import { readersOf } from '../live/reader-registry.ts';
import { editableColumns, findKey } from '../query/edit-columns.ts';
import { applyAll, checkChanges } from '../query/apply-all.ts';
import { applyChanges } from '../query/apply-edits.ts';
import { editTitle, heldTitle } from '../query/edit-title.ts';

export const editHandlers: Handlers<EditOperations, OperationSession> = {
  'edit.columns'({ database, reader: id }, { session, onCancel }) {
    const reader = readersOf(session.window).get(id);
    const sql = reader instanceof SpooledReader ? reader.sql : null;
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: `Finding editable columns in ${reader.title}`,
      onCancel,
      body: ({ connection }) => editableColumns(connection, sql, reader.layout.columns),
    });
  },

  'edit.findKey'({ database, table, by, values }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: `Looking for a row of ${table}`,
      onCancel,
      body: ({ connection }) => findKey(connection, table, by, values),
    });
  },

  'edit.apply'({ database, table, changes }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'write',
      title: editTitle(table, changes),
      onCancel,
      body: ({ connection }) => applyChanges(connection, table, changes),
    });
  },

  'edit.applyAll'({ database, changes }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'write',
      title: heldTitle(changes),
      onCancel,
      body: ({ connection }) => applyAll(connection, changes),
    });
  },

  'edit.applyMade'() {
    fail(
      'invalid',
      'Only databases on servers take changes in this form. Others keep them as a step of their history.',
    );
  },

  'edit.check'({ database, changes }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: 'Comparing held changes with the database',
      onCancel,
      body: ({ connection }) => checkChanges(connection, changes),
    });
  },
};
