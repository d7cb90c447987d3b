// Back and Forward: the places a person has been to in this window. A place is a tab, and in a table also its order, its filter, and the current
// row.
import { create } from 'zustand';
import type { Value } from '#shared/protocol/values.ts';
import type { Tab } from '../state/slices/tabs.ts';
import type { AppState } from '../state/store.ts';
import { twinOf } from '../state/tab-kinds.ts';
import { activateTab, activeTab, openTab, updateTab, useStore } from '../state/store.ts';
import { isTableTab } from './table-tabs.ts';
import type { TableTab } from './table-tabs.ts';

export interface CurrentRow {
  readonly key: readonly Value[];
  readonly column: string | null;
}

interface Place {
  /** As it was then. */
  readonly tab: Tab;
  readonly row: CurrentRow | null;
}

interface Places {
  readonly back: readonly Place[];
  readonly forward: readonly Place[];
}

const KEPT = 100;

export const usePlaces = create<Places>()(() => ({ back: [], forward: [] }));

const rows = new Map<string, CurrentRow>();
let isGoing = false;

/** Called by tables as the cursor moves. Null where rows have no key. */
export function noteCurrentRow(tabId: string, row: CurrentRow | null): void {
  if (row) rows.set(tabId, row);
  else rows.delete(tabId);
}

/** From now on remembers where the window has been. Returns a function that stops it. */
export function followPlaces(): () => void {
  // While a tab is being closed there is no active one for a moment.
  let last = activeTab(useStore.getState());
  return useStore.subscribe((state) => {
    const reached = activeTab(state);
    if (!reached || reached === last) return;
    const left = last;
    last = reached;
    if (isGoing || !left || isSamePlace(left, reached)) return;
    // A preview that the next single click replaced: nobody has been there.
    if (left.preview && !state.tabs.some(({ id }) => id === left.id)) return;
    usePlaces.setState(({ back }) => ({ back: [...back, placeOf(left)].slice(-KEPT), forward: [] }));
  });
}

export const goBack = (): void => go('back', 'forward');
export const goForward = (): void => go('forward', 'back');

/** Places of databases that were closed are left out. */
function go(from: keyof Places, to: keyof Places): void {
  const state = useStore.getState();
  const places = usePlaces.getState();
  const open = places[from].filter(({ tab }) => tab.database === null || state.openDatabases[tab.database]);
  const target = open.at(-1);
  if (!target) return usePlaces.setState({ ...places, [from]: [] });
  const here = activeTab(state);
  isGoing = true;
  try {
    const tabId = show(target, state);
    const rest = open.slice(0, -1);
    const other = here ? [...places[to], placeOf(here)].slice(-KEPT) : places[to];
    usePlaces.setState({ [from]: renamed(rest, target.tab.id, tabId), [to]: renamed(other, target.tab.id, tabId) });
  } finally {
    isGoing = false;
  }
}

function show({ tab, row }: Place, { tabs, closedTabs }: Pick<AppState, 'tabs' | 'closedTabs'>): string {
  const isIt = ({ id }: Tab): boolean => id === tab.id;
  // Its table may have been renamed since.
  const known = tabs.find(isIt) ?? closedTabs.find(isIt) ?? tab;
  const open = tabs.find(isIt) ?? twinOf(known, tabs);
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

/** Returns its new id. */
function openAgain({ id, ...fields }: Tab): string {
  useStore.setState(({ closedTabs }) => ({ closedTabs: closedTabs.filter((closed) => closed.id !== id) }));
  return openTab(fields);
}

/** A tab that was closed and is open again has another id. */
const renamed = (places: readonly Place[], from: string, to: string): readonly Place[] =>
  from === to
    ? places
    : places.map((place) => (place.tab.id === from ? { ...place, tab: { ...place.tab, id: to } } : place));

const placeOf = (tab: Tab): Place => ({ tab, row: rows.get(tab.id) ?? null });

function isSamePlace(a: Tab, b: Tab): boolean {
  if (a.id !== b.id) return false;
  if (!isTableTab(a) || !isTableTab(b)) return true;
  return a.view.sort === b.view.sort && a.view.filter === b.view.filter && a.view.where === b.view.where;
}
