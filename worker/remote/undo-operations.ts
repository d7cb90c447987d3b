// The operations of undo for a database on a server, and the edits that it can undo.
import { fail } from '#shared/protocol/errors.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { inPlaceHandlers } from '../native/in-place.ts';
import { writing } from '../sessions/call-work.ts';
import type { RemoteSession } from './remote-session.ts';
import { editTitle, heldTitle } from '../query/edit-title.ts';

type UndoOperation =
  | 'edit.apply'
  | 'edit.applyAll'
  | 'edit.applyMade'
  | 'cell.replaceRange'
  | 'cell.load'
  | `history.${Exclude<History, 'setLimits'>}`;
type History = keyof Operations extends infer K ? (K extends `history.${infer Name}` ? Name : never) : never;

const MAX_STEPS = 1000;
const ONE_BY_ONE = 'On a server, edits are undone one after the other, the newest first.';

export const undoHandlers: Pick<Handlers<Operations, RemoteSession>, UndoOperation> = {
  'edit.apply'({ database, table, changes }, context) {
    const { session } = context;
    const title = editTitle(table, changes);
    return writing(context, database, title, ({ connection }) =>
      session.undo.apply(connection, { table, title, windowTitle: session.window.windowTitle }, changes),
    );
  },
  'edit.applyAll'({ database, changes }, context) {
    const { undo, window } = context.session;
    const title = heldTitle(changes);
    return writing(context, database, title, ({ connection }) =>
      undo.applyAll(connection, { title, windowTitle: window.windowTitle }, changes),
    );
  },
  async 'edit.applyMade'({ database, title, changes }, context) {
    const { undo, window } = context.session;
    await writing(context, database, title, ({ connection }) =>
      undo.applyMade(connection, { title, windowTitle: window.windowTitle }, changes),
    );
    return { rowsChanged: changes.length };
  },
  async 'cell.replaceRange'(params, context) {
    const reply = await inPlaceHandlers['cell.replaceRange'](params, context);
    noteLongValue(params.cell, context);
    return reply;
  },
  async 'cell.load'(params, context) {
    const reply = await inPlaceHandlers['cell.load'](params, context);
    noteLongValue(params.cell, context);
    return reply;
  },
  'history.list': ({ before, limit }, { session }) =>
    session.undo.list(before, Math.min(Math.max(limit, 1), MAX_STEPS)),
  'history.state': (_params, { session }) => session.undo.state,
  'history.rows': ({ step, start, count }, { session }) => session.undo.rows(step, start, Math.min(count, MAX_STEPS)),
  'history.undo': ({ database }, context) =>
    writing(context, database, 'Undo', ({ connection }) => context.session.undo.undo(connection)),
  'history.redo': ({ database }, context) =>
    writing(context, database, 'Redo', ({ connection }) => context.session.undo.redo(connection)),
  'history.undoTo': ({ database, step }, context) =>
    writing(context, database, 'Undo', ({ connection }) => context.session.undo.undoTo(connection, step)),
  'history.checkRevert': () => ({ why: ONE_BY_ONE }),
  'history.revert'() {
    fail('unavailable', ONE_BY_ONE);
  },
  'history.clear': (_params, { session }) => session.undo.clear(),
};

function noteLongValue(
  { table, column }: { readonly table: string; readonly column: string },
  { session }: Pick<CallContext<unknown, RemoteSession>, 'session'>,
): void {
  session.undo.noteLongValue({ title: `Edit ${column} in ${table}`, windowTitle: session.window.windowTitle });
}
