// The shared part of search tabs: what they store, and how they are opened.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../state/store.ts';

/** A search through all tables of one database. */
export interface SearchTab extends Tab {
  readonly kind: 'search';
  readonly database: DatabaseId;
  /** Text as typed last. */
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
