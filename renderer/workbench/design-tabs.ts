// The shared part of tabs for designing a table: what they store, and how they are opened.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { freeTitle } from '../state/slices/tabs.ts';
import type { TextTab } from '../state/slices/tabs.ts';
import { activateTab, openTab, useStore } from '../state/store.ts';

export interface DesignTab extends TextTab {
  readonly kind: 'design';
  /** The table's statement when the design began; null for a new table. */
  readonly base: string | null;
  /** The table's name in the database; null for a new table. */
  readonly table: string | null;
  /** For each column of the text, its index in `base`; null for a new column. */
  readonly identity: readonly (number | null)[];
}

const NEW_TABLE = 'CREATE TABLE new_table (\n  id INTEGER PRIMARY KEY\n)';

/** Opens the tab of this table, or a new one. */
export function openDesign(database: DatabaseId, table: string, sql: string): void {
  const open = useStore.getState().tabs.find((tab) => {
    const design = tab as DesignTab;
    return tab.kind === 'design' && tab.database === database && design.table === table;
  });
  if (open) return activateTab(open.id);
  openTab<DesignTab>({ kind: 'design', database, title: table, sql, split: 0.5, base: sql, table, identity: [] });
}

export function openNewTable(database: DatabaseId): void {
  const title = freeTitle(useStore.getState().tabs, 'New table');
  openTab<DesignTab>({
    kind: 'design',
    database,
    title,
    sql: NEW_TABLE,
    split: 0.5,
    base: null,
    table: null,
    identity: [],
  });
}
