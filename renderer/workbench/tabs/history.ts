// The kind of tab that shows the changes to a database, step by step.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { History } from 'lucide-react';
import * as v from 'valibot';
import type { TabDescription } from '../../state/tab-kinds.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab } from '../../state/store.ts';

export interface HistoryTab extends Tab {
  readonly kind: 'history';
  readonly database: DatabaseId;
}

/** Activates the history tab of the database, or opens one. Returns the tab's id. */
export const openHistory = (database: DatabaseId): string => openSingleTab<HistoryTab>({ kind: 'history', database });

export const HISTORY_TAB: TabDescription<HistoryTab> = {
  kind: 'history',
  belongsTo: 'database',
  icon: History,
  hasDetails: false,
  title: () => 'History',
  isSame: () => true,
  fields: v.object({}),
};
