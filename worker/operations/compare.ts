// Comparisons in the library's worker: the operations of both engines, and the copies for either side.
import type { CompareOperations } from '#shared/protocol/compare.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { sharedCompareHandlers } from '../compare/handlers.ts';
import type { ClientSession } from './client-session.ts';

export const compareHandlers: Handlers<CompareOperations, ClientSession> = {
  ...sharedCompareHandlers,

  'compare.copyOut': (params, context) =>
    context.session.comparisonCopies.copyOut(context.session.library, context.session.window, params, context),

  'compare.copyIn': (params, context) =>
    context.session.comparisonCopies.copyIn(context.session.library, context.session.window, params, context),

  'compare.snapshot': ({ database }, context) =>
    context.session.comparisonCopies.snapshot(context.session.library, context.session.window, database, context),

  'compare.emptyComparisonCopy': (params, { session }) =>
    session.comparisonCopies.empty(session.library, session.window, params),

  'compare.openComparisonCopy'() {
    fail('invalid', 'Comparison copies of this engine are open from the beginning.');
  },

  'compare.closeComparisonCopy': ({ database }, { session }) =>
    session.comparisonCopies.close(session.library, session.window, database),
};
