// The commands that show saved queries, and save the text of the SQL tab in front.
import { useEffect } from 'react';
import { flushState } from '../../state/state-saving.ts';
import { activeTab, notify, prompt, showLibrary, updateTab, useStore } from '../../state/store.ts';
import { registerCommand, useCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { isQueryTab, type QueryTab } from '../../workbench/tabs/query.ts';
import {
  applySavedQuery,
  putSavedQuery,
  queryWithShortcut,
  SHORTCUTS,
  startSavedQueries,
  useSavedQueries,
} from '../../workbench/text/saved-queries.ts';
import { openSavedQueries } from '../../workbench/tabs/saved-queries.ts';

let hasStarted = false;

export function useSavedQueryCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const isQuery = useStore((state) => !state.libraryVisible && isQueryTab(activeTab(state)));
  useEffect(() => {
    if (!isConnected || hasStarted) return;
    hasStarted = true;
    startSavedQueries();
  }, [isConnected]);
  useShortcuts();
  useCommand('savedQueries.show', () => show(null), isConnected);
  useCommand('savedQueries.save', () => void saveShown(), isQuery);
}

function useShortcuts(): void {
  const queries = useSavedQueries((state) => state.queries);
  const current = useStore((state) => state.currentDatabase);
  useEffect(() => {
    const ends = SHORTCUTS.flatMap((shortcut) => {
      const query = queryWithShortcut(queries ?? [], shortcut, current);
      return query ? registerCommand(`savedQueries.use${shortcut}`, () => applySavedQuery(query)) : [];
    });
    return () => ends.forEach((end) => end());
  }, [queries, current]);
}

function show(id: string | null): void {
  showLibrary(false);
  openSavedQueries(id);
  focusContent();
}

async function saveShown(): Promise<void> {
  flushState();
  const tab = activeTab(useStore.getState());
  if (!isQueryTab(tab)) return;
  if (tab.sql.trim() === '') return notify({ tone: 'info', text: 'There is no text to save in this SQL tab.' });
  const name = await prompt({
    title: 'Save query',
    label: 'Name',
    value: tab.title,
    confirmLabel: 'Save',
    validate: (text) => (text.trim() === '' ? 'Enter a name.' : null),
  });
  if (name === null) return;
  const id = crypto.randomUUID();
  const { database, sql } = tab;
  if (!(await putSavedQuery({ id, name, folder: '', tags: [], kind: 'query', database, sql, shortcut: null }))) return;
  // A file names its tab itself.
  if (!tab.file) updateTab<QueryTab>(tab.id, { title: name.trim() });
  notify({
    tone: 'success',
    topic: 'saved-query',
    text: `“${name.trim()}” was saved for this database.`,
    action: { label: 'Folder, tags, and more…', run: () => show(id) },
  });
}
