// Operations on the query history.
import type { QueryLogOperations } from '#shared/protocol/query-log.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { ClientSession } from './client-session.ts';

export const queryLogHandlers: Handlers<QueryLogOperations, ClientSession> = {
  'queryLog.begin'({ run }, { session }) {
    const id = session.library.catalogue.queryLog.begin(run, session.window);
    session.announceLoggedRun(id);
    return { id };
  },

  'queryLog.end'({ id, end }, { session }) {
    session.library.catalogue.queryLog.end(id, session.window, end);
    session.announceLoggedRun(id);
  },

  'queryLog.list': ({ filter, before, limit }, { session }) =>
    session.library.catalogue.queryLog.list(filter, before, limit),
  'queryLog.read': ({ id }, { session }) => session.library.catalogue.queryLog.read(id),
  'queryLog.parameters': ({ sql }, { session }) => session.library.catalogue.queryLog.parametersOf(sql),
  'queryLog.summary': (_params, { session }) => session.library.catalogue.queryLog.summary(),

  'queryLog.delete'({ ids }, { session }) {
    session.library.catalogue.queryLog.delete(ids);
    session.announceLoggedRun(null);
  },

  'queryLog.setLimit'({ runs }, { session }) {
    const { queryLog } = session.library.catalogue;
    if (queryLog.setLimit(runs)) session.announceLoggedRun(null);
    return { runs: queryLog.summary().runs };
  },

  'queryLog.clear'(_params, { session }) {
    session.library.catalogue.queryLog.clear();
    session.announceLoggedRun(null);
  },
};
