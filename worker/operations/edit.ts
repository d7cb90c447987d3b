// Operations that change rows from the grid.
import type { EditOperations } from '#shared/protocol/edit.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import type { OperationSession } from '../sessions/session.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import { readersOf } from '../live/reader-registry.ts';
import { editableColumns, findKey } from '../query/edit-columns.ts';
import { applyAll, checkChanges } from '../query/apply-all.ts';
import { applyChanges } from '../query/apply-edits.ts';
import { editTitle, heldTitle } from '../query/edit-title.ts';

export const editHandlers: Handlers<EditOperations, OperationSession> = {
  'edit.columns'({ database, reader: id }, context) {
    const reader = readersOf(context.session.window).get(id);
    const sql = reader instanceof SpooledReader ? reader.sql : null;
    return reading(context, database, `Finding editable columns in ${reader.title}`, ({ connection }) =>
      editableColumns(connection, sql, reader.layout.columns),
    );
  },

  'edit.findKey': ({ database, table, by, values }, context) =>
    reading(context, database, `Looking for a row of ${table}`, ({ connection }) =>
      findKey(connection, table, by, values),
    ),

  'edit.apply': ({ database, table, changes }, context) =>
    writing(context, database, editTitle(table, changes), ({ connection }) => applyChanges(connection, table, changes)),

  'edit.applyAll': ({ database, changes, title = heldTitle(changes) }, context) =>
    writing(context, database, title, ({ connection }) => applyAll(connection, changes)),

  'edit.applyMade'() {
    fail(
      'invalid',
      'Only databases on servers take changes in this form. Others keep them as a step of their history.',
    );
  },

  'edit.check': ({ database, changes }, context) =>
    reading(context, database, 'Comparing held changes with the database', ({ connection }) =>
      checkChanges(connection, changes),
    ),
};
