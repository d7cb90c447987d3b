// The kind of tab that shows a table.
import type { DatabaseId, FilterEntry, SortTerm } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { hasUnsaved } from '../../state/slices/status.ts';
import { STORED_COLOR_RULES, type ColorRules } from '../color-rules/color-rule.ts';
import { tableColumns } from '../columns/column-memory.ts';
import { activateTab, openTab, updateTab, useStore } from '../../state/store.ts';
import { Table2 } from 'lucide-react';
import { STORED_MAP, type MapPart } from '../map/map-state.ts';
import * as v from 'valibot';
import { above0, each, eachEntry, forgiving, size, text } from '#shared/stored.ts';
import { STORED_FILTER_ENTRY } from '../../state/saved-filters.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

/** How the user has arranged one table. Refers to columns by name, so that it survives schema changes. */
export interface TableView {
  readonly sort: readonly SortTerm[];
  readonly filter: readonly FilterEntry[];
  /** Raw SQL condition; empty for none. */
  readonly where: string;
  readonly widths: Readonly<Record<string, number>>;
  /** Column names from left to right; columns missing here follow in declared order. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** How many of the shown columns stay at the left. */
  readonly frozen: number;
  readonly colors: ColorRules;
  readonly topRow: number;
}

export interface TableTab extends Tab, MapPart {
  readonly kind: 'table';
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: TableView;
}

export const PLAIN_VIEW: TableView = {
  sort: [],
  filter: [],
  where: '',
  widths: {},
  order: [],
  hidden: [],
  frozen: 0,
  colors: {},
  topRow: 0,
};

export const isTableTab = (tab: Tab | null | undefined): tab is TableTab => tab?.kind === 'table';

export interface OpenTableOptions {
  readonly view?: Partial<TableView>;
  /** Replaceable until the user works in it; default false. */
  readonly preview?: boolean;
}

/** Activates the table's tab or opens one. Applies `view` if given. Returns the tab's id. */
export function openTable(
  database: DatabaseId,
  table: string,
  { view, preview = false }: OpenTableOptions = {},
): string {
  const { tabs, activeTabId } = useStore.getState();
  // The same table may be shown twice: the active one is meant then.
  const same = tabs.filter(isTableTab).filter((tab) => tab.database === database && tab.table === table);
  const existing = same.find(({ id }) => id === activeTabId) ?? same[0];
  if (!existing) {
    const replaced = preview ? tabs.find(isReplaceable)?.id : undefined;
    return openTab<TableTab>(
      {
        kind: 'table',
        database,
        table,
        view: { ...PLAIN_VIEW, ...tableColumns(database, table), ...view },
        ...(preview && { preview }),
      },
      replaced,
    );
  }
  updateTab<TableTab>(existing.id, {
    ...(view && { view: { ...existing.view, ...view } }),
    ...(!preview && { preview: false }),
  });
  activateTab(existing.id);
  return existing.id;
}

/** The user has changed rows of the table here: its tab is no preview any longer. */
export function keepPreview(database: DatabaseId, table: string): void {
  for (const tab of useStore.getState().tabs)
    if (isTableTab(tab) && tab.preview && tab.database === database && tab.table === table)
      updateTab<TableTab>(tab.id, { preview: false });
}

/** A preview in which the user has sorted, filtered, and typed nothing. How its columns are arranged is remembered anyway. */
function isReplaceable(tab: Tab): boolean {
  if (!isTableTab(tab) || !tab.preview || hasUnsaved(useStore.getState().tabStatus[tab.id])) return false;
  const { sort, filter, where } = tab.view;
  return sort.length + filter.length + where.length === 0;
}

/** The worker validates the rest of a term. */
const term = v.looseObject({ column: v.string() });

const VIEW = v.pipe(
  forgiving({
    sort: each(term),
    filter: each(STORED_FILTER_ENTRY),
    where: text,
    widths: eachEntry(above0),
    order: each(v.string()),
    hidden: each(v.string()),
    frozen: size(0),
    colors: STORED_COLOR_RULES,
    topRow: size(0),
  }),
  v.transform((view) => ({ ...PLAIN_VIEW, ...view }) as unknown as TableView),
);

export const TABLE_TAB: TabDescription<TableTab> = {
  kind: 'table',
  belongsTo: 'database',
  icon: Table2,
  hasDetails: true,
  canRepeat: true,
  title: ({ table }) => table,
  isSame: (one, other) => one.table === other.table,
  followNames: ({ table }, nameNow) => ({ table: nameNow(table) }),
  withoutValues: ({ view }) => ({ view: { ...view, filter: [], where: '' } }),
  fields: v.object({ table: v.string(), view: VIEW, map: STORED_MAP }),
};
