// The kind of tab that shows the query history: the runs of SQL tabs. It belongs to the window, which has one at most.
import { FileClock } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { oneOf, text, textOrNull } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import { OUTCOMES, PERIODS } from '../../workbench/query-log-tabs.ts';
import type { QueryLogTab } from '../../workbench/query-log-tabs.ts';

export const QUERY_LOG_TAB = defineTabKind<QueryLogTab>({
  kind: 'query-log',
  belongsTo: 'window',
  icon: FileClock,
  hasDetails: false,
  title: () => 'Query history',
  isSame: () => true,
  fields: v.object({ words: text, of: textOrNull, outcome: oneOf(OUTCOMES, 'all'), period: oneOf(PERIODS, 'any') }),
  Content: lazyComponent(async () => ({ default: (await import('./query-log-tab.tsx')).QueryLogTabContent })),
});
