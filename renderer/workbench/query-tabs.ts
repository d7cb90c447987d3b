// SQL tabs, as far as others have to know them: what one keeps, and how one is opened.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { freeTitle } from '../state/slices/tabs.ts';
import type { Tab, TextTab } from '../state/slices/tabs.ts';
import { openTab, useStore } from '../state/store.ts';

/** Whether results of an SQL tab follow their tables. */
export interface LiveChoice {
  /** Asked for by the person; otherwise only what costs little is live by itself. */
  readonly pinned: boolean;
  /** What a run may take; null: as long as it likes. */
  readonly limitMs: number | null;
}

/** `auto`: what the text looks like. */
export const PARAMETER_TYPES = ['auto', 'text', 'integer', 'real', 'blob', 'null'] as const;

/** What was given for a parameter, as it was typed. */
export interface ParameterEntry {
  readonly type: (typeof PARAMETER_TYPES)[number];
  readonly text: string;
}

export interface QueryTab extends TextTab {
  readonly kind: 'query';
  readonly live: LiveChoice;
  /** By name as it is written, those that are no longer in the text too: it may be taken back. */
  readonly parameters: Readonly<Record<string, ParameterEntry>>;
}

export const LIVE_BY_ITSELF: LiveChoice = { pinned: false, limitMs: 200 };

export const DEFAULT_SPLIT = 0.42;

export const isQueryTab = (tab: Tab | null | undefined): tab is QueryTab => tab?.kind === 'query';

/** Always a new tab. Answers its id. */
export function openQuery(
  database: DatabaseId,
  { title, sql = '' }: { readonly title?: string; readonly sql?: string } = {},
): string {
  return openTab<QueryTab>({
    kind: 'query',
    database,
    title: title ?? freeTitle(useStore.getState().tabs, 'Query'),
    sql,
    split: DEFAULT_SPLIT,
    live: LIVE_BY_ITSELF,
    parameters: {},
  });
}
