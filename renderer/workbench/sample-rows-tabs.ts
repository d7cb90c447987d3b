// The shared part of tabs that fill a table with sample rows: what they store, and how they are opened.
import type { DatabaseId, SampleColumn } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activateTab, openTab, showLibrary, useStore } from '../state/store.ts';
import { focusContent } from './focus-content.ts';
import { refusesWork } from './no-transactions.ts';

export interface SampleRowsTab extends Tab {
  readonly kind: 'sample-rows';
  readonly database: DatabaseId;
  readonly table: string;
  readonly rows: number;
  readonly seed: number;
  /** Columns whose values the user has chosen. */
  readonly chosen: readonly SampleColumn[];
}

const FIRST_ROWS = 1000;

/** Activates the tab of this table, or opens one. */
export function openSampleRows(database: DatabaseId, table: string): void {
  if (refusesWork(database, 'sample rows')) return;
  showLibrary(false);
  const open = useStore.getState().tabs.find((tab) => {
    const other = tab as SampleRowsTab;
    return tab.kind === 'sample-rows' && tab.database === database && other.table === table;
  });
  if (open) activateTab(open.id);
  else openTab<SampleRowsTab>({ kind: 'sample-rows', database, table, rows: FIRST_ROWS, seed: 1, chosen: [] });
  focusContent();
}
