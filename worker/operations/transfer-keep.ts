// Turns a file of SQL into a database of the library. A separate file, because only the library can do it.
import type { TransferOperations } from '#shared/protocol/transfer.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { keepAsDatabase } from '../transfer/keep.ts';
import type { ClientSession } from './client-session.ts';

export const transferKeepHandlers: Handlers<Pick<TransferOperations, 'transfer.keep'>, ClientSession> = {
  'transfer.keep': async (kept, call) => {
    const { session } = call;
    return session.announce(await keepAsDatabase(session.library, session.window, kept, call));
  },
};
