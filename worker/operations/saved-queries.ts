// Operations on saved queries and snippets.
import type { SavedQueryOperations } from '#shared/protocol/saved-queries.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { ClientSession } from './client-session.ts';

export const savedQueryHandlers: Handlers<SavedQueryOperations, ClientSession> = {
  'savedQuery.list': (_params, { session }) => session.library.catalogue.savedQueries.list(),

  'savedQuery.put'({ query }, { session }) {
    session.library.catalogue.savedQueries.put(query);
    session.announceSavedQueries();
  },

  'savedQuery.change'({ id, patch }, { session }) {
    session.library.catalogue.savedQueries.change(id, patch);
    session.announceSavedQueries();
  },

  'savedQuery.delete'({ id }, { session }) {
    session.library.catalogue.savedQueries.delete(id);
    session.announceSavedQueries();
  },
};
