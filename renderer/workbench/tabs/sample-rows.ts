// The kind of tab that fills a table with sample rows.
import type { DatabaseId, SampleColumn } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, showLibrary } from '../../state/store.ts';
import { focusContent } from '../commands/focus-content.ts';
import { refusesWork } from '../databases/no-transactions.ts';
import { Dices } from 'lucide-react';
import * as v from 'valibot';
import { SAMPLE_TEXTS, SAMPLE_TIMES } from '#shared/protocol/sample-rows.ts';
import { each, size } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

export interface SampleRowsTab extends Tab {
  readonly kind: 'sample-rows';
  readonly database: DatabaseId;
  readonly table: string;
  readonly rows: number;
  readonly seed: number;
  /** Columns whose values the user has chosen. */
  readonly chosen: readonly SampleColumn[];
}

const FIRST_ROWS = 1000;

/** Activates the tab of this table, or opens one. */
export function openSampleRows(database: DatabaseId, table: string): void {
  if (refusesWork(database, 'sample rows')) return;
  showLibrary(false);
  const first = { rows: FIRST_ROWS, seed: 1, chosen: [] };
  openSingleTab<SampleRowsTab>({ kind: 'sample-rows', database, table, ...first }, 'table');
  focusContent();
}

const value = v.union([v.string(), v.number()]);
const range = { from: v.number(), to: v.number() };

const source = v.variant('kind', [
  v.object({ kind: v.literal('default') }),
  v.object({ kind: v.literal('null') }),
  v.object({ kind: v.literal('reference') }),
  v.object({ kind: v.literal('constant'), value }),
  v.object({ kind: v.literal('sequence'), start: v.nullable(v.number()), step: v.number() }),
  v.object({ kind: v.literal('integer'), ...range }),
  v.object({ kind: v.literal('real'), ...range, decimals: v.number() }),
  v.object({ kind: v.literal('moment'), as: v.picklist(SAMPLE_TIMES), from: v.string(), to: v.string() }),
  v.object({ kind: v.literal('text'), of: v.picklist(SAMPLE_TEXTS) }),
  v.object({ kind: v.literal('words'), ...range }),
  v.object({ kind: v.literal('list'), values: v.array(value) }),
  v.object({ kind: v.literal('pattern'), pattern: v.string() }),
  v.object({ kind: v.literal('blob'), bytes: v.number() }),
]);

export const SAMPLE_ROWS_TAB: TabDescription<SampleRowsTab> = {
  kind: 'sample-rows',
  belongsTo: 'database',
  icon: Dices,
  hasDetails: false,
  title: ({ table }) => `Sample rows for ${table}`,
  fields: v.object({
    table: v.string(),
    rows: size(1000),
    seed: size(1),
    chosen: each(v.object({ name: v.string(), source, nullPercent: v.number() })),
  }),
  followNames: ({ table }, nameNow) => ({ table: nameNow(table) }),
  withoutValues: () => ({ chosen: [] }),
};
