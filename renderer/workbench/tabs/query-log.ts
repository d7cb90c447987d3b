// The kind of tab that shows the query history: the runs of SQL tabs. It belongs to the window, which has one at most.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../../state/store.ts';
import { FileClock } from 'lucide-react';
import * as v from 'valibot';
import { oneOf, text, textOrNull } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

const OUTCOMES = ['all', 'done', 'failed'] as const;
const PERIODS = ['any', 'day', 'week', 'month'] as const;

export interface QueryLogTab extends Tab {
  readonly kind: 'query-log';
  readonly database: null;
  readonly words: string;
  /** Shows only runs of this database; null: all. */
  readonly of: DatabaseId | null;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly period: (typeof PERIODS)[number];
}

/** Activates the query history, or opens it. @param words words to search for; without them the history keeps its own filter */
export function openQueryLog(words?: string): void {
  const all = { words: words ?? '', of: null, outcome: 'all', period: 'any' } as const;
  const id = openSingleTab<QueryLogTab>({ kind: 'query-log', database: null, ...all });
  if (words !== undefined) updateTab<QueryLogTab>(id, all);
}

export const QUERY_LOG_TAB: TabDescription<QueryLogTab> = {
  kind: 'query-log',
  belongsTo: 'window',
  icon: FileClock,
  hasDetails: false,
  title: () => 'Query history',
  isSame: () => true,
  fields: v.object({ words: text, of: textOrNull, outcome: oneOf(OUTCOMES, 'all'), period: oneOf(PERIODS, 'any') }),
};
