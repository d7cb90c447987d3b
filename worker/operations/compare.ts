// Comparisons in the library's worker: beside what both engines do, the copies for either side.
import type { CompareOperations } from '#shared/protocol/compare.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { compareHandlers as shared } from '../compare/handlers.ts';
import type { ClientSession } from './client-session.ts';

export const compareHandlers: Handlers<CompareOperations, ClientSession> = {
  ...shared,

  'compare.copyOut': (params, context) =>
    context.session.twins.copyOut(context.session.library, context.session.window, params, context),

  'compare.copyIn': ({ source }, context) =>
    context.session.twins.copyIn(context.session.library, context.session.window, source, context),

  'compare.snapshot': ({ database }, context) =>
    context.session.twins.snapshot(context.session.library, context.session.window, database, context),

  'compare.emptyTwin': (params, { session }) => session.twins.empty(session.library, session.window, params),

  'compare.openTwin'() {
    throw new AppError({ code: 'invalid', message: 'Twins of this engine are open from the beginning.' });
  },

  'compare.closeTwin'({ database }, { session }) {
    session.twins.close(session.library, session.window, database);
    return null;
  },
};
