// The kind of tab that searches all tables of a database.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../../state/store.ts';
import { Search } from 'lucide-react';
import * as v from 'valibot';
import { text } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

export interface SearchTab extends Tab {
  readonly kind: 'search';
  readonly database: DatabaseId;
  readonly text: string;
}

/**
 * Activates the search of the database, or opens one. Returns the tab's id.
 * @param text text to fill in; without it the search keeps its own
 */
export function openSearch(database: DatabaseId, text?: string): string {
  const id = openSingleTab<SearchTab>({ kind: 'search', database, text: text ?? '' });
  if (text !== undefined) updateTab<SearchTab>(id, { text });
  return id;
}

export const SEARCH_TAB: TabDescription<SearchTab> = {
  kind: 'search',
  belongsTo: 'database',
  icon: Search,
  hasDetails: false,
  title: () => 'Search',
  isSame: () => true,
  withoutValues: () => ({ text: '' }),
  fields: v.object({ text }),
};
