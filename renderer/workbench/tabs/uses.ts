// The kind of tab that shows what uses a table or column.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../../state/store.ts';
import { Waypoints } from 'lucide-react';
import * as v from 'valibot';
import { textOrNull } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

export interface UsesTab extends Tab {
  readonly kind: 'uses';
  readonly database: DatabaseId;
  /** A table or view. */
  readonly table: string;
  /** Null for the table as a whole. */
  readonly column: string | null;
}

/** Activates the tab of the table, or opens one. Returns its id. */
export function openUses(database: DatabaseId, table: string, column: string | null = null): string {
  const id = openSingleTab<UsesTab>({ kind: 'uses', database, table, column }, 'table');
  updateTab<UsesTab>(id, { column });
  return id;
}

export const USES_TAB: TabDescription<UsesTab> = {
  kind: 'uses',
  belongsTo: 'database',
  icon: Waypoints,
  hasDetails: false,
  title: ({ table, column }) => `Uses of ${column === null ? table : `${table}.${column}`}`,
  followNames: ({ table }, nameNow) => ({ table: nameNow(table) }),
  fields: v.object({ table: v.string(), column: textOrNull }),
};
