// The kind of tab that shows the query history: the runs of SQL tabs. It belongs to the window, which has one at most.
import { FileClock } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { oneOf, text, textOrNull } from '#shared/stored.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab } from '../../state/store.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';

export const OUTCOMES = ['all', 'done', 'failed'] as const;
export const PERIODS = ['any', 'day', 'week', 'month'] as const;

export interface QueryLogTab extends Tab {
  readonly kind: 'query-log';
  readonly database: null;
  readonly words: string;
  /** Shows only runs of this database; null: all. */
  readonly of: DatabaseId | null;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly period: (typeof PERIODS)[number];
}

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

/** Activates the query history, or opens it. Returns the tab's id. */
export const openQueryLog = (): string =>
  openSingleTab<QueryLogTab>({ kind: 'query-log', database: null, words: '', of: null, outcome: 'all', period: 'any' });
