// The kind of tab that shows the changes to a database, step by step.
import { History } from 'lucide-react';
import * as v from 'valibot';
import { defineTabKind } from '../../state/tab-kinds.ts';
import type { HistoryTab as Tab } from '../../workbench/history.ts';
import { HistoryTab } from './history-tab.tsx';

export const HISTORY_TAB = defineTabKind<Tab>({
  kind: 'history',
  belongsTo: 'database',
  icon: History,
  hasDetails: false,
  title: () => 'History',
  isSame: () => true,
  fields: v.object({}),
  Content: HistoryTab,
});
