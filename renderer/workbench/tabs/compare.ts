// The kind of tab that runs one text on both engines.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { Columns2 } from 'lucide-react';
import * as v from 'valibot';
import { freeTitle, type TextTab } from '../../state/slices/tabs.ts';
import { openTab, useStore } from '../../state/store.ts';
import { oneOf, share } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

const PARTS = ['rows', 'plans', 'times', 'engines'] as const;

export type ComparePart = (typeof PARTS)[number];

export interface CompareTab extends TextTab {
  readonly kind: 'compare';
  readonly part: ComparePart;
}

/** Two results side by side need the height more than the text. */
const DEFAULT_SPLIT = 0.24;

export const COMPARE_TAB: TabDescription<CompareTab> = {
  kind: 'compare',
  belongsTo: 'database',
  icon: Columns2,
  hasDetails: false,
  title: ({ title }) => title,
  fields: v.object({ title: v.string(), sql: v.string(), split: share(DEFAULT_SPLIT), part: oneOf(PARTS, 'rows') }),
};

/** Always a new tab. Returns its id. */
export function openCompare(database: DatabaseId, sql: string): string {
  const title = freeTitle(useStore.getState().tabs, 'Compare');
  return openTab<CompareTab>({ kind: 'compare', database, title, sql, split: DEFAULT_SPLIT, part: 'rows' });
}
