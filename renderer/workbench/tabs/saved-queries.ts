// The kind of tab that shows saved queries and snippets. It belongs to the window, which has one at most.
import { Bookmark } from 'lucide-react';
import * as v from 'valibot';
import { text, textOrNull } from '#shared/stored.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../../state/store.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

export interface SavedQueriesTab extends Tab {
  readonly kind: 'saved-queries';
  readonly database: null;
  readonly words: string;
  readonly shown: string | null;
}

export const SAVED_QUERIES_TAB: TabDescription<SavedQueriesTab> = {
  kind: 'saved-queries',
  belongsTo: 'window',
  icon: Bookmark,
  hasDetails: false,
  title: () => 'Saved queries',
  isSame: () => true,
  fields: v.object({ words: text, shown: textOrNull }),
};

/** Activates the list, or opens it. @param shown ID of one to show */
export function openSavedQueries(shown: string | null = null): void {
  const id = openSingleTab<SavedQueriesTab>({ kind: 'saved-queries', database: null, words: '', shown });
  if (shown !== null) updateTab<SavedQueriesTab>(id, { words: '', shown });
}
