// State: the tabs of the window, in order, and recently closed ones. Features define the data of each kind of tab (tab-kinds.ts).
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';
import type { LibrarySlice } from './library.ts';

/** The fields of every tab. Each kind adds its own as plain values, because all of them are stored with the window. */
export interface Tab {
  readonly id: string;
  readonly kind: string;
  /** Null if the tab belongs to the window, not to a database. */
  readonly database: DatabaseId | null;
  /** Opened by a single click: the next single click replaces it. */
  readonly preview?: boolean;
}

/** A tab with a text by the user, which is stored separately. */
export interface TextTab extends Tab {
  readonly database: DatabaseId;
  readonly title: string;
  readonly sql: string;
  /** Fraction of the height used by the editor, 0 … 1. */
  readonly split: number;
}

/** A tab with a field `sql` has a text, whatever its kind. */
export const hasText = (tab: Tab): tab is TextTab => 'sql' in tab;

/** “Query 3”: uses the first number that no tab has. */
export function freeTitle(tabs: readonly Tab[], word: string): string {
  const taken = new Set(tabs.map((tab) => hasText(tab) && tab.title));
  for (let number = 1; ; number++) if (!taken.has(`${word} ${number}`)) return `${word} ${number}`;
}

/** Two tabs that are shown side by side while one of them is active. */
export interface Split {
  /** Ids; a tab may have been closed since. */
  readonly left: string;
  readonly right: string;
  /** The sides scroll together. */
  readonly scrolls: boolean;
  /** Selecting a row selects the row that belongs to it on the other side. */
  readonly selects: boolean;
}

/** The tabs on screen from left to right: one, two, or none. */
export function sidesOf({
  tabs,
  activeTabId,
  split,
}: Pick<TabsSlice, 'tabs' | 'activeTabId' | 'split'>): readonly Tab[] {
  const tab = (id: string | null): Tab | undefined => tabs.find((candidate) => candidate.id === id);
  const active = tab(activeTabId);
  if (!active) return [];
  if (!split || (active.id !== split.left && active.id !== split.right)) return [active];
  const [left, right] = [tab(split.left), tab(split.right)];
  return left && right ? [left, right] : [active];
}

export interface TabsSlice {
  readonly tabs: readonly Tab[];
  readonly activeTabId: string | null;
  readonly closedTabs: readonly Tab[];
  /** Tabs of the last run whose database is on a server that was not reached: they come back when that database is opened. */
  readonly waitingTabs: readonly Tab[];
  /** The waiting tab that was active: it becomes active again, unless the user has activated another tab by then. */
  readonly awaitedTabId: string | null;
  /** Puts the waiting tabs of a database that is open now back into the strip. */
  takeWaitingTabs(database: DatabaseId): void;
  readonly split: Split | null;
  /** Shows two tabs side by side. The active one stays active if it is one of them. */
  splitTabs(left: string, right: string): void;
  updateSplit(patch: Partial<Pick<Split, 'scrolls' | 'selects'>>): void;
  closeSplit(): void;
  /** Always opens a new tab, in front, next to the active one or replacing `replaced`. Returns its id. */
  openTab<T extends Tab>(tab: Omit<T, 'id'>, replaced?: string): string;
  /** Activates the tab of this kind and database in which these fields are the same, or opens one: there is at most one. Returns its id. */
  openSingleTab<T extends Tab>(tab: Omit<T, 'id'>, ...fields: readonly (keyof Omit<T, 'id'>)[]): string;
  closeTab(id: string): void;
  /** Closes every tab of a database; these tabs cannot be reopened. */
  closeTabsOf(database: DatabaseId): void;
  reopenTab(): void;
  activateTab(id: string): void;
  /** `index` is the position in the strip after the move. */
  moveTab(id: string, index: number): void;
  updateTab<T extends Tab>(id: string, patch: Partial<Omit<T, 'id' | 'kind'>>): void;
}

const KEPT_CLOSED_TABS = 20;

type Slice<Part> = StateCreator<TabsSlice & LibrarySlice, [], [], Part>;

export const createTabsSlice: Slice<TabsSlice> = (...tools) => ({
  tabs: [],
  activeTabId: null,
  closedTabs: [],
  waitingTabs: [],
  awaitedTabId: null,
  split: null,
  ...splittingActions(...tools),
  ...openingActions(...tools),
  ...closingActions(...tools),
  ...arrangingActions(...tools),
});

const openingActions: Slice<Pick<TabsSlice, 'openTab' | 'openSingleTab' | 'reopenTab' | 'takeWaitingTabs'>> = (
  set,
  get,
) => ({
  takeWaitingTabs(database) {
    const { tabs, waitingTabs, activeTabId, awaitedTabId } = get();
    const taken = waitingTabs.filter((tab) => tab.database === database);
    if (taken.length === 0) return;
    set({ tabs: [...tabs, ...taken], waitingTabs: waitingTabs.filter((tab) => tab.database !== database) });
    if (activeTabId === null && taken.some(({ id }) => id === awaitedTabId)) get().activateTab(awaitedTabId!);
  },

  openTab(fields, replaced) {
    const tab: Tab = { ...(fields as Omit<Tab, 'id'>), id: crypto.randomUUID() };
    const { tabs } = get();
    set({
      tabs: tabs.some(({ id }) => id === replaced)
        ? tabs.map((other) => (other.id === replaced ? tab : other))
        : insertAfterActive(get(), tab),
    });
    get().activateTab(tab.id);
    return tab.id;
  },

  openSingleTab<T extends Tab>(opened: Omit<T, 'id'>, ...fields: readonly (keyof Omit<T, 'id'>)[]) {
    const same = ['kind', 'database', ...fields] as readonly (keyof Omit<T, 'id'>)[];
    const existing = get().tabs.find((tab) => same.every((field) => (tab as T)[field] === opened[field]));
    if (!existing) return get().openTab(opened);
    get().activateTab(existing.id);
    return existing.id;
  },

  reopenTab() {
    const [tab, ...closedTabs] = get().closedTabs;
    if (!tab) return;
    set({ tabs: insertAfterActive(get(), tab), closedTabs });
    get().activateTab(tab.id);
  },
});

const splittingActions: Slice<Pick<TabsSlice, 'splitTabs' | 'updateSplit' | 'closeSplit'>> = (set, get) => ({
  splitTabs(left, right) {
    const { scrolls = false, selects = false } = get().split ?? {};
    set({ split: { left, right, scrolls, selects } });
    if (get().activeTabId !== left) get().activateTab(right);
  },
  updateSplit(patch) {
    const { split } = get();
    if (split) set({ split: { ...split, ...patch } });
  },
  closeSplit: () => set({ split: null }),
});

const closingActions: Slice<Pick<TabsSlice, 'closeTab' | 'closeTabsOf'>> = (set, get) => ({
  closeTab(id) {
    const { tabs, activeTabId, closedTabs } = get();
    const index = tabs.findIndex((tab) => tab.id === id);
    const closed = tabs[index];
    if (!closed) return;
    const rest = tabs.filter((tab) => tab.id !== id);
    const beside = sidesOf(get()).find((tab) => tab.id !== id);
    set({ tabs: rest, closedTabs: [closed, ...closedTabs].slice(0, KEPT_CLOSED_TABS) });
    if (activeTabId !== id) return;
    const next = beside ?? rest[Math.min(index, rest.length - 1)];
    if (next) get().activateTab(next.id);
    else set({ activeTabId: null });
  },

  closeTabsOf(database) {
    const { tabs, closedTabs, waitingTabs, activeTabId } = get();
    const rest = tabs.filter((tab) => tab.database !== database);
    set({
      tabs: rest,
      closedTabs: closedTabs.filter((tab) => tab.database !== database),
      waitingTabs: waitingTabs.filter((tab) => tab.database !== database),
    });
    if (rest.some((tab) => tab.id === activeTabId)) return;
    const last = rest.at(-1);
    if (last) get().activateTab(last.id);
    else set({ activeTabId: null });
  },
});

const arrangingActions: Slice<Pick<TabsSlice, 'activateTab' | 'moveTab' | 'updateTab'>> = (set, get) => ({
  activateTab(id) {
    const tab = get().tabs.find((candidate) => candidate.id === id);
    if (!tab) return;
    const { currentDatabase, openDatabases } = get();
    // The tables of an attached file are listed with the database that it is attached to.
    const attached = currentDatabase === null ? undefined : openDatabases[currentDatabase]?.attached;
    const isListed = tab.database === null || attached?.some(({ file }) => file === tab.database) === true;
    set({ activeTabId: id, ...(!isListed && { currentDatabase: tab.database }) });
  },

  moveTab(id, index) {
    const tab = get().tabs.find((candidate) => candidate.id === id);
    if (!tab) return;
    const tabs = get().tabs.filter((candidate) => candidate.id !== id);
    tabs.splice(index, 0, tab);
    set({ tabs });
  },

  updateTab(id, patch) {
    set({ tabs: get().tabs.map((tab) => (tab.id === id ? { ...tab, ...patch } : tab)) });
  },
});

function insertAfterActive({ tabs, activeTabId }: TabsSlice, tab: Tab): readonly Tab[] {
  const at = tabs.findIndex((candidate) => candidate.id === activeTabId) + 1 || tabs.length;
  return [...tabs.slice(0, at), tab, ...tabs.slice(at)];
}
