// Saved queries and snippets as this window knows them, in step with the library: saving, opening, and inserting them.
import { create } from 'zustand';
import type { DatabaseId, SavedQuery } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure, openDatabase } from '../../state/databases.ts';
import { notify, showLibrary, useStore } from '../../state/store.ts';
import { visibleName } from '#shared/visible-text.ts';
import { focusContent } from '../commands/focus-content.ts';
import { insertText } from './insert-target.ts';
import { openQuery } from '../tabs/query.ts';
import { requestStart } from './start-requests.ts';

/** Null until the queries are known. */
export const useSavedQueries = create<{ readonly queries: readonly SavedQuery[] | null }>()(() => ({ queries: null }));

/** Reads the queries now, and again after each change in any window. */
export function startSavedQueries(): void {
  const read = (): void =>
    void client.call('savedQuery.list', {}).then((queries) => useSavedQueries.setState({ queries }), notifyFailure);
  client.on('savedQuery.changed', read);
  client.onReconnected(read);
  read();
}

/** Saves a query. Returns whether it was saved; if not, the user has been told why. */
export async function putSavedQuery(query: Omit<SavedQuery, 'savedAtMs'>): Promise<boolean> {
  try {
    await client.call('savedQuery.put', { query });
    return true;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

export const changeSavedQuery = (id: string, patch: Partial<Omit<SavedQuery, 'id' | 'savedAtMs'>>): void =>
  void client.call('savedQuery.change', { id, patch }).catch(notifyFailure);

export async function deleteSavedQuery(query: SavedQuery): Promise<void> {
  try {
    await client.call('savedQuery.delete', { id: query.id });
    notify({
      tone: 'info',
      topic: 'saved-query',
      text: `“${visibleName(query.name)}” was deleted.`,
      action: { label: 'Undo', run: () => void putSavedQuery(query) },
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/**
 * Opens the query in a new SQL tab of its database; if the query is for all databases or its database is gone, of the current one. Outside
 * its own database the query does not run.
 */
export async function openSavedQuery({ name, sql, database }: SavedQuery, runs: boolean): Promise<void> {
  const { entries, currentDatabase } = useStore.getState();
  const isOwnThere = database !== null && (entries?.some(({ id }) => id === database) ?? false);
  const target = isOwnThere ? database : currentDatabase;
  if (target === null) return notify({ tone: 'info', text: 'Open a database first: an SQL tab belongs to one.' });
  if (!(await openDatabase(target))) return;
  showLibrary(false);
  const id = openQuery(target, { title: name, sql });
  if (runs && (isOwnThere || database === null)) requestStart(id);
  else if (runs)
    notify({
      tone: 'info',
      text: 'The database of this query is no longer in the library. The query was opened for the current database and was not run.',
    });
  focusContent();
}

export const SHORTCUTS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** The query with this shortcut: a query of the current database comes before one for all databases. */
export const queryWithShortcut = (
  queries: readonly SavedQuery[],
  shortcut: number,
  current: DatabaseId | null,
): SavedQuery | undefined => {
  const having = queries.filter((query) => query.shortcut === shortcut);
  return having.find(({ database }) => database === current) ?? having.find(({ database }) => database === null);
};

/** A snippet goes into the text of the SQL tab in front; everything else, and a snippet without such a tab, is opened. */
export function applySavedQuery(query: SavedQuery): void {
  if (query.kind === 'snippet' && insertText(query.sql)) return;
  void openSavedQuery(query, false);
}
