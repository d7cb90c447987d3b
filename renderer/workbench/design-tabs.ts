// Tabs in which a table is designed, as far as others have to know them: what one keeps, and how one is opened.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { freeTitle } from '../state/slices/tabs.ts';
import type { TextTab } from '../state/slices/tabs.ts';
import { activateTab, openTab, useStore } from '../state/store.ts';

export interface DesignTab extends TextTab {
  readonly kind: 'design';
  /** The statement of the table as it was when the design began; null: a new table. */
  readonly base: string | null;
  /** The name it has in the database; null: a new table. */
  readonly table: string | null;
  /** For each column of the text the index it has in `base`; null: a new one. */
  readonly identity: readonly (number | null)[];
}

const NEW_TABLE = 'CREATE TABLE new_table (\n  id INTEGER PRIMARY KEY\n)';

/** The tab of this table, or a new one. */
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
