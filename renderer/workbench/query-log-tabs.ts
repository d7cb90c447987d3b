// The shared part of the query history tab: what it stores, and how it is opened.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../state/store.ts';

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

/** Activates the query history, or opens it. @param words words to search for; without them the history keeps its own filter */
export function openQueryLog(words?: string): void {
  const all = { words: words ?? '', of: null, outcome: 'all', period: 'any' } as const;
  const id = openSingleTab<QueryLogTab>({ kind: 'query-log', database: null, ...all });
  if (words !== undefined) updateTab<QueryLogTab>(id, all);
}
