// Tabs that show a table, as far as others have to know them: which table, how it is arranged, and how one is opened.
import type { DatabaseId, FilterTerm, SortTerm } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activateTab, openTab, updateTab, useStore } from '../state/store.ts';

/** How a person has arranged one table. Columns are named, so that it outlives changes of the schema. */
export interface TableView {
  readonly sort: readonly SortTerm[];
  readonly filter: readonly FilterTerm[];
  /** Raw SQL condition; empty for none. */
  readonly where: string;
  readonly widths: Readonly<Record<string, number>>;
  /** Column names from left to right; columns that are missing here follow in declared order. */
  readonly order: readonly string[];
  /** Number of the topmost visible row. */
  readonly topRow: number;
}

export interface TableTab extends Tab {
  readonly kind: 'table';
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: TableView;
}

export const PLAIN_VIEW: TableView = { sort: [], filter: [], where: '', widths: {}, order: [], topRow: 0 };

export const isTableTab = (tab: Tab | null | undefined): tab is TableTab => tab?.kind === 'table';

export interface OpenTableOptions {
  readonly view?: Partial<TableView>;
  /** Replaceable until it is worked in; default false. */
  readonly preview?: boolean;
}

/** Brings the table's tab to the front or makes one. A given `view` is applied to it. Answers the tab's id. */
export function openTable(
  database: DatabaseId,
  table: string,
  { view, preview = false }: OpenTableOptions = {},
): string {
  const { tabs } = useStore.getState();
  const existing = tabs.filter(isTableTab).find((tab) => tab.database === database && tab.table === table);
  if (!existing) {
    const replaced = preview ? tabs.find(isReplaceable)?.id : undefined;
    return openTab<TableTab>(
      { kind: 'table', database, table, view: { ...PLAIN_VIEW, ...view }, ...(preview && { preview }) },
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

/** A preview in which nothing was arranged or typed. */
function isReplaceable(tab: Tab): boolean {
  if (!isTableTab(tab) || !tab.preview || useStore.getState().tabStatus[tab.id]?.unsaved) return false;
  const { sort, filter, where, order } = tab.view;
  return sort.length + filter.length + where.length + order.length === 0;
}
