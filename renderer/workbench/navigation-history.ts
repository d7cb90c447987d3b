// Back and Forward: the tabs a person has been to in this window, and in a table also its order, its filter, and the current row.
import { create } from 'zustand';
import type { Value } from '#shared/protocol/values.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activateTab, activeTab, openTab, updateTab, useStore, type AppState } from '../state/store.ts';
import { tabShowingSame } from '../state/tab-kinds.ts';
import { isTableTab, type TableTab } from './tabs/table.ts';

export interface CurrentRow {
  readonly key: readonly Value[];
  readonly column: string | null;
}

interface NavigationEntry {
  readonly tab: Tab;
  readonly row: CurrentRow | null;
}

interface NavigationHistory {
  readonly back: readonly NavigationEntry[];
  readonly forward: readonly NavigationEntry[];
}

const KEPT = 100;

export const useNavigationHistory = create<NavigationHistory>()(() => ({ back: [], forward: [] }));

const rows = new Map<string, CurrentRow>();
let isGoing = false;

/** Called by tables as the cursor moves. Null where rows have no key. */
export function noteCurrentRow(tabId: string, row: CurrentRow | null): void {
  if (row) rows.set(tabId, row);
  else rows.delete(tabId);
}

/** The row of the cell that has the cursor; null where none has, or rows have no key. */
export const currentRowOf = (tabId: string): CurrentRow | null => rows.get(tabId) ?? null;

/** Starts to remember where the window has been. Returns a function that stops it. */
export function followNavigation(): () => void {
  // While a tab is being closed there is no active one for a moment.
  let last = activeTab(useStore.getState());
  return useStore.subscribe((state) => {
    const reached = activeTab(state);
    if (!reached || reached === last) return;
    const left = last;
    last = reached;
    if (isGoing || !left || isSameEntry(left, reached)) return;
    // A preview that the next single click replaced: the user has not been there.
    if (left.preview && !state.tabs.some(({ id }) => id === left.id)) return;
    useNavigationHistory.setState(({ back }) => ({ back: [...back, entryOf(left)].slice(-KEPT), forward: [] }));
  });
}

export const goBack = (): void => go('back', 'forward');
export const goForward = (): void => go('forward', 'back');

/** Entries of databases that were closed are left out. */
function go(from: keyof NavigationHistory, to: keyof NavigationHistory): void {
  const state = useStore.getState();
  const entries = useNavigationHistory.getState();
  const open = entries[from].filter(({ tab }) => tab.database === null || state.openDatabases[tab.database]);
  const target = open.at(-1);
  if (!target) return useNavigationHistory.setState({ ...entries, [from]: [] });
  const here = activeTab(state);
  isGoing = true;
  try {
    const tabId = show(target, state);
    const rest = open.slice(0, -1);
    const other = here ? [...entries[to], entryOf(here)].slice(-KEPT) : entries[to];
    useNavigationHistory.setState({
      [from]: renamed(rest, target.tab.id, tabId),
      [to]: renamed(other, target.tab.id, tabId),
    });
  } finally {
    isGoing = false;
  }
}

function show({ tab, row }: NavigationEntry, { tabs, closedTabs }: Pick<AppState, 'tabs' | 'closedTabs'>): string {
  const isIt = ({ id }: Tab): boolean => id === tab.id;
  // The table of the entry may have been renamed since.
  const known = tabs.find(isIt) ?? closedTabs.find(isIt) ?? tab;
  const open = tabs.find(isIt) ?? tabShowingSame(known, tabs);
  const tabId = open ? open.id : openAgain(known);
  const shown = open ?? known;
  if (isTableTab(tab) && isTableTab(shown)) {
    const { sort, filter, where, topRow } = tab.view;
    updateTab<TableTab>(tabId, { view: { ...shown.view, sort, filter, where, topRow } });
  }
  activateTab(tabId);
  if (row && isTableTab(shown)) {
    const { database, table } = shown;
    useStore.setState({ revealedRow: { database, table, askedAtMs: performance.now(), ...row } });
  }
  return tabId;
}

/** Returns the new id of the tab. */
function openAgain({ id, ...fields }: Tab): string {
  useStore.setState(({ closedTabs }) => ({ closedTabs: closedTabs.filter((closed) => closed.id !== id) }));
  return openTab(fields);
}

/** A tab that was closed and is open again has another id. */
const renamed = (entries: readonly NavigationEntry[], from: string, to: string): readonly NavigationEntry[] =>
  from === to
    ? entries
    : entries.map((entry) => (entry.tab.id === from ? { ...entry, tab: { ...entry.tab, id: to } } : entry));

const entryOf = (tab: Tab): NavigationEntry => ({ tab, row: currentRowOf(tab.id) });

function isSameEntry(a: Tab, b: Tab): boolean {
  if (a.id !== b.id) return false;
  if (!isTableTab(a) || !isTableTab(b)) return true;
  return a.view.sort === b.view.sort && a.view.filter === b.view.filter && a.view.where === b.view.where;
}
