// Operations on the session of one window: its identity, its open databases, and the state it keeps for the next start.
import { AppError } from '#shared/protocol/errors.ts';
import type { SessionOperations } from '#shared/protocol/session.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { checkDatabase } from '../library/check.ts';
import type { ClientSession } from './client-session.ts';

/** Each database of the library, and of a server, is one by itself. */
function attachesNothing(): never {
  throw AppError.unavailable('Files can be attached only to a file that is opened in place.');
}

export const sessionHandlers: Handlers<SessionOperations, ClientSession> = {
  'session.begin': ({ windowTitle }, { session }) => session.window.introduce(windowTitle),

  async 'database.open'({ database, standIns }, { session }) {
    await session.library.standIns.prepare(database, standIns);
    await session.library.histories.reserve();
    return session.open(database).state;
  },

  async 'standIn.try'({ standIn, values }) {
    const { createSandbox } = await import('../engines/stand-ins/sandbox.ts');
    return (await createSandbox()).try(standIn, values);
  },

  // Only databases on servers, and files in place, ask.
  'database.allowWriting': () => null,

  'database.attach': attachesNothing,
  'database.detach': attachesNothing,

  'database.close': ({ database }, { session }) => session.close(database),

  'session.show': ({ databases }, { session }) => session.show(databases),

  async 'database.check'({ database: id, kind }, { session, id: call, onCancel, emit }) {
    return session.database(id).enqueue({
      window: session.window,
      kind: 'file',
      title: kind === 'quick' ? 'Quick check' : 'Integrity check',
      call,
      onCancel,
      body: (turn) => checkDatabase(turn, kind, (progress) => void emit(progress).catch(() => undefined)),
    });
  },

  'state.get': ({ key }, { session }) => session.library.catalogue.getState(key),

  'state.put': ({ key, value }, { session }) => session.library.catalogue.putState(key, value),
};
