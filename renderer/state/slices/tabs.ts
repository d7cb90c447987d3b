// State: the tabs of the window, in order, and what was closed lately.
import type { DatabaseId, FilterTerm, SortTerm } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';
import type { LibrarySlice } from './library.ts';
import type { StatusSlice } from './status.ts';

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

export interface TableTab {
  readonly id: string;
  readonly kind: 'table';
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: TableView;
  /** Opened by a single click: the next single click replaces it. */
  readonly preview: boolean;
}

/** Whether results of an SQL tab follow their tables. */
export interface LiveChoice {
  /** Asked for by the person; otherwise only what costs little is live by itself. */
  readonly pinned: boolean;
  /** What a run may take; null: as long as it likes. */
  readonly limitMs: number | null;
}

export interface QueryTab {
  readonly id: string;
  readonly kind: 'query';
  readonly database: DatabaseId;
  readonly title: string;
  readonly sql: string;
  /** Share of the height the editor takes, 0 … 1. */
  readonly split: number;
  readonly live: LiveChoice;
}

/** What was done to a database, step by step. */
export interface HistoryTab {
  readonly id: string;
  readonly kind: 'history';
  readonly database: DatabaseId;
}

export type ComparePart = 'rows' | 'plans' | 'times' | 'engines';

/** One text on both engines. */
export interface CompareTab {
  readonly id: string;
  readonly kind: 'compare';
  readonly database: DatabaseId;
  readonly title: string;
  readonly sql: string;
  /** Share of the height the editor takes, 0 … 1. */
  readonly split: number;
  readonly part: ComparePart;
}

/** What is chosen to be measured, and which result is shown. Belongs to no database. */
export interface BenchmarkTab {
  readonly id: string;
  readonly kind: 'benchmark';
  readonly database: null;
  /** Of the benchmark feature, which reads it back with care: it outlives changes of what can be chosen. */
  readonly choice: unknown;
}

export type Tab = TableTab | QueryTab | HistoryTab | CompareTab | BenchmarkTab;

/** Tabs with a text of the person's, which is kept apart from the rest. */
export type TextTab = QueryTab | CompareTab;

export const hasText = (tab: Tab): tab is TextTab => tab.kind === 'query' || tab.kind === 'compare';

export function tabTitle(tab: Tab): string {
  if (tab.kind === 'history') return 'History';
  if (tab.kind === 'benchmark') return 'Benchmark';
  return tab.kind === 'table' ? tab.table : tab.title;
}

export interface OpenTableOptions {
  readonly view?: Partial<TableView>;
  /** Replaceable until it is worked in; default false. */
  readonly preview?: boolean;
}

export interface TabsSlice {
  readonly tabs: readonly Tab[];
  readonly activeTabId: string | null;
  readonly closedTabs: readonly Tab[];
  /** Brings the table's tab to the front or makes one. A given `view` is applied to it. Answers the tab's id. */
  openTable(database: DatabaseId, table: string, options?: OpenTableOptions): string;
  /** Always a new tab. Answers its id. */
  openQuery(database: DatabaseId, query?: { readonly title?: string; readonly sql?: string }): string;
  /** Always a new tab. Answers its id. */
  openCompare(database: DatabaseId, sql: string): string;
  /** Brings the history of the database to the front. Answers the tab's id. */
  openHistory(database: DatabaseId): string;
  /** Brings the benchmark to the front; a window has one. Answers the tab's id. */
  openBenchmark(): string;
  closeTab(id: string): void;
  /** Closes every tab of a database; they cannot be reopened. */
  closeTabsOf(database: DatabaseId): void;
  reopenTab(): void;
  activateTab(id: string): void;
  /** `index` is the place in the strip after the move. */
  moveTab(id: string, index: number): void;
  updateTab(
    id: string,
    patch:
      | Partial<Omit<TableTab, 'id' | 'kind'>>
      | Partial<Omit<QueryTab, 'id' | 'kind'>>
      | Partial<Omit<CompareTab, 'id' | 'kind'>>
      | Pick<BenchmarkTab, 'choice'>,
  ): void;
}

export const PLAIN_VIEW: TableView = { sort: [], filter: [], where: '', widths: {}, order: [], topRow: 0 };

export const LIVE_BY_ITSELF: LiveChoice = { pinned: false, limitMs: 200 };

const KEPT_CLOSED_TABS = 20;
const DEFAULT_SPLIT = 0.42;
/** Two results beside each other need the height more than the text. */
const COMPARE_SPLIT = 0.24;

type Slice<Part> = StateCreator<TabsSlice & LibrarySlice & StatusSlice, [], [], Part>;

export const createTabsSlice: Slice<TabsSlice> = (...tools) => ({
  tabs: [],
  activeTabId: null,
  closedTabs: [],
  ...tableActions(...tools),
  ...openingActions(...tools),
  ...closingActions(...tools),
  ...arrangingActions(...tools),
});

const tableActions: Slice<Pick<TabsSlice, 'openTable'>> = (set, get) => ({
  openTable(database, table, { view, preview = false } = {}) {
    const { tabs } = get();
    const existing = tabs.find(
      (tab): tab is TableTab => tab.kind === 'table' && tab.database === database && tab.table === table,
    );
    if (existing) {
      get().updateTab(existing.id, {
        ...(view && { view: { ...existing.view, ...view } }),
        ...(!preview && { preview: false }),
      });
      get().activateTab(existing.id);
      return existing.id;
    }
    const tab: TableTab = {
      id: crypto.randomUUID(),
      kind: 'table',
      database,
      table,
      view: { ...PLAIN_VIEW, ...view },
      preview,
    };
    const replaced = preview ? tabs.findIndex((other) => isReplaceable(other, get())) : -1;
    set({
      tabs:
        replaced < 0 ? insertAfterActive(get(), tab) : tabs.map((other, index) => (index === replaced ? tab : other)),
    });
    get().activateTab(tab.id);
    return tab.id;
  },
});

const openingActions: Slice<
  Pick<TabsSlice, 'openQuery' | 'openCompare' | 'openHistory' | 'openBenchmark' | 'reopenTab'>
> = (set, get) => ({
  openQuery(database, { title, sql = '' } = {}) {
    const tab: QueryTab = {
      id: crypto.randomUUID(),
      kind: 'query',
      database,
      title: title ?? freeTitle(get().tabs, 'Query'),
      sql,
      split: DEFAULT_SPLIT,
      live: LIVE_BY_ITSELF,
    };
    set({ tabs: insertAfterActive(get(), tab) });
    get().activateTab(tab.id);
    return tab.id;
  },

  openCompare(database, sql) {
    const tab: CompareTab = {
      id: crypto.randomUUID(),
      kind: 'compare',
      database,
      title: freeTitle(get().tabs, 'Compare'),
      sql,
      split: COMPARE_SPLIT,
      part: 'rows',
    };
    set({ tabs: insertAfterActive(get(), tab) });
    get().activateTab(tab.id);
    return tab.id;
  },

  openHistory(database) {
    const existing = get().tabs.find((tab) => tab.kind === 'history' && tab.database === database);
    const tab: Tab = existing ?? { id: crypto.randomUUID(), kind: 'history', database };
    if (!existing) set({ tabs: insertAfterActive(get(), tab) });
    get().activateTab(tab.id);
    return tab.id;
  },

  openBenchmark() {
    const existing = get().tabs.find((tab) => tab.kind === 'benchmark');
    const tab: Tab = existing ?? { id: crypto.randomUUID(), kind: 'benchmark', database: null, choice: null };
    if (!existing) set({ tabs: insertAfterActive(get(), tab) });
    get().activateTab(tab.id);
    return tab.id;
  },

  reopenTab() {
    const [tab, ...closedTabs] = get().closedTabs;
    if (!tab) return;
    set({ tabs: insertAfterActive(get(), tab), closedTabs });
    get().activateTab(tab.id);
  },
});

const closingActions: Slice<Pick<TabsSlice, 'closeTab' | 'closeTabsOf'>> = (set, get) => ({
  closeTab(id) {
    const { tabs, activeTabId, closedTabs } = get();
    const index = tabs.findIndex((tab) => tab.id === id);
    const closed = tabs[index];
    if (!closed) return;
    const rest = tabs.filter((tab) => tab.id !== id);
    set({ tabs: rest, closedTabs: [closed, ...closedTabs].slice(0, KEPT_CLOSED_TABS) });
    if (activeTabId !== id) return;
    const next = rest[Math.min(index, rest.length - 1)];
    if (next) get().activateTab(next.id);
    else set({ activeTabId: null });
  },

  closeTabsOf(database) {
    const { tabs, closedTabs, activeTabId } = get();
    const rest = tabs.filter((tab) => tab.database !== database);
    set({ tabs: rest, closedTabs: closedTabs.filter((tab) => tab.database !== database) });
    if (rest.some((tab) => tab.id === activeTabId)) return;
    const last = rest.at(-1);
    if (last) get().activateTab(last.id);
    else set({ activeTabId: null });
  },
});

const arrangingActions: Slice<Pick<TabsSlice, 'activateTab' | 'moveTab' | 'updateTab'>> = (set, get) => ({
  activateTab(id) {
    const tab = get().tabs.find((candidate) => candidate.id === id);
    if (tab) set({ activeTabId: id, ...(tab.database !== null && { currentDatabase: tab.database }) });
  },

  moveTab(id, index) {
    const tab = get().tabs.find((candidate) => candidate.id === id);
    if (!tab) return;
    const tabs = get().tabs.filter((candidate) => candidate.id !== id);
    tabs.splice(index, 0, tab);
    set({ tabs });
  },

  updateTab(id, patch) {
    set({ tabs: get().tabs.map((tab) => (tab.id === id ? ({ ...tab, ...patch } as Tab) : tab)) });
  },
});

/** A preview in which nothing was arranged or typed. */
function isReplaceable(tab: Tab, { tabStatus }: StatusSlice): boolean {
  if (tab.kind !== 'table' || !tab.preview || tabStatus[tab.id]?.unsaved) return false;
  const { sort, filter, where, order } = tab.view;
  return sort.length + filter.length + where.length + order.length === 0;
}

function insertAfterActive({ tabs, activeTabId }: TabsSlice, tab: Tab): readonly Tab[] {
  const at = tabs.findIndex((candidate) => candidate.id === activeTabId) + 1 || tabs.length;
  return [...tabs.slice(0, at), tab, ...tabs.slice(at)];
}

function freeTitle(tabs: readonly Tab[], word: string): string {
  const taken = new Set(tabs.map((tab) => hasText(tab) && tab.title));
  for (let number = 1; ; number++) if (!taken.has(`${word} ${number}`)) return `${word} ${number}`;
}
