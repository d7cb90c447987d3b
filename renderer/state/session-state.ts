// State restored after a restart, a crash or a reload: open databases, tabs with their views, unsaved SQL, sizes.
import { capabilitiesOf } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../connection/database-client.ts';
import { closedTabsToKeep } from './closed-tabs.ts';
import { openDatabase, refreshLibrary } from './databases.ts';
import { shell } from '../connection/shell.ts';
import { hasText } from './slices/tabs.ts';
import type { Tab, TextTab } from './slices/tabs.ts';
import { endWork, flushState } from './state-saving.ts';
import { parseState, stringifyState } from './state-json.ts';
import { activateTab, notify, putConnections, showDatabase, useStore } from './store.ts';
import type { AppState } from './store.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved } from './unsaved-state.ts';
import { tabKindNamed } from './tab-kinds.ts';
import { readWindowState } from './window-state.ts';
import type { WindowState } from './window-state.ts';

const SAVE_DELAY_MS = 300;
/** The tabs of a server that takes longer come when the server is reached; the others are not held up. */
const SERVER_TIMEOUT_MS = 3_000;
const KEPT = [
  'tabs',
  'closedTabs',
  'waitingTabs',
  'activeTabId',
  'split',
  'layout',
  'currentDatabase',
  'openDatabases',
] as const;

const CRASHED = 'Sidelite stopped unexpectedly. Your tabs were restored. Nothing that was running was restarted.';
const CRASHED_AGAIN =
  'This window stopped more than once in a row. Your tabs were restored, but none is open: the last one may be the cause.';
const FAILURES_KEY = 'sidelite:failures';

/** Restores the window as after a crash, because its page can no longer be shown. */
export function startAnew(): void {
  sessionStorage.setItem(FAILURES_KEY, String(failures + 1));
  location.reload();
}

let failures = 0;

/** Failures before this start. They count only for the next start. */
function takeFailures(): number {
  failures = Number(sessionStorage.getItem(FAILURES_KEY) ?? 0);
  sessionStorage.removeItem(FAILURES_KEY);
  return failures;
}

/** Restores the window's state once connected, then keeps saving it. */
export async function startSessionState(): Promise<void> {
  // Main answers while the engine starts.
  const [{ windowId, crashes }] = await Promise.all([
    shell.windowInfo(),
    shell.remote.list().then(putConnections),
    client.ready,
  ]);
  const key = `window:${windowId}`;
  const [windowText] = await Promise.all([
    saveUnsaved(key).then(() => client.call('state.get', { key })),
    refreshLibrary(),
  ]);
  const state = readWindowState(parseState(windowText));
  await restore({ ...state, tabs: await withTexts(key, state.tabs) }, crashes + takeFailures());
  await restoreClosedTabs(key, state);
  keepSaving(key);
}

/** Saves the state that the previous page had no time to save. */
async function saveUnsaved(key: string): Promise<void> {
  const unsaved = readUnsaved(key);
  if (unsaved.size === 0) return;
  await Promise.all([...unsaved].map(([each, value]) => client.call('state.put', { key: each, value })));
  forgetUnsaved(key);
}

/** Opening it does not wait for a server. */
const isLocal = (database: DatabaseId): boolean => capabilitiesOf(database).local;

/** A server may answer later, and the key of an encrypted file may be entered later. */
const mayOpenLater = (database: DatabaseId): boolean => !isLocal(database) || !capabilitiesOf(database).plain;

/** @param crashes consecutive crashes before this start: interrupted work is not restarted automatically */
async function restore(state: WindowState, crashes: number): Promise<void> {
  useStore.setState(({ layout }) => ({ layout: { ...layout, ...state.layout } }));
  const inLibrary = new Set(useStore.getState().entries?.map(({ id }) => id));
  const wanted = state.databases.filter((id) => inLibrary.has(id));
  const opened: DatabaseId[] = [];
  const servers = wanted
    .filter((id) => !isLocal(id))
    .map(async (id) => (await openDatabase(id, false)) && opened.push(id));
  for (const id of wanted) if (isLocal(id) && (await openDatabase(id))) opened.push(id);
  // A server may take seconds.
  if (servers.length > 0) useStore.setState({ isRestoring: false });
  await Promise.race([Promise.all(servers), new Promise((resolve) => setTimeout(resolve, SERVER_TIMEOUT_MS))]);
  const isHere = (tab: Tab): boolean => tab.database === null || opened.includes(tab.database);
  const tabs = state.tabs.filter(isHere);
  const waits = (tab: Tab): boolean => !isHere(tab) && tab.database !== null && inLibrary.has(tab.database);
  const waitingTabs = state.tabs.filter((tab) => mayOpenLater(tab.database ?? '') && waits(tab));
  // A file opened during the restore has created tabs of its own: they stay, and stay in front.
  const { tabs: newer, activeTabId } = useStore.getState();
  const awaitedTabId = crashes < 2 ? state.activeTabId : null;
  const restored = {
    tabs: [...tabs, ...newer],
    waitingTabs,
    awaitedTabId,
    split: state.split,
    detailWaits: crashes > 0,
  };
  useStore.setState({ ...restored, isRestoring: false });
  if (crashes > 0 && tabs.length > 0)
    notify({ tone: 'warning', topic: 'crash', text: crashes > 1 ? CRASHED_AGAIN : CRASHED });
  if (newer.length > 0 && activeTabId) return activateTab(activeTabId);
  const active = tabs.find((tab) => tab.id === state.activeTabId) ?? tabs[0];
  // A tab without a database leaves the current database unchanged.
  if (state.currentDatabase && opened.includes(state.currentDatabase)) showDatabase(state.currentDatabase);
  if (active && crashes < 2) activateTab(active.id);
}

/** Runs after the first screen, which does not need closed tabs. */
async function restoreClosedTabs(key: string, state: WindowState): Promise<void> {
  const { openDatabases } = useStore.getState();
  const isReachable = ({ database }: Tab): boolean => database === null || openDatabases[database] !== undefined;
  // Nothing else would ever name the texts of tabs that are not kept.
  for (const tab of state.closedTabs)
    if (hasText(tab) && !isReachable(tab)) await client.call('state.put', { key: textKey(key, tab.id), value: null });
  const restored = await withTexts(key, state.closedTabs.filter(isReachable));
  useStore.setState(({ closedTabs }) => ({ closedTabs: [...closedTabs, ...restored] }));
}

/** Texts are stored separately: megabytes of SQL must not be written again whenever a row is scrolled. */
const textKey = (key: string, tabId: string): string => `${key}:sql:${tabId}`;

function withTexts(key: string, tabs: readonly Tab[]): Promise<readonly Tab[]> {
  const withText = async (tab: Tab): Promise<Tab> => {
    if (!hasText(tab)) return tab;
    const sql = (await client.call('state.get', { key: textKey(key, tab.id) })) ?? '';
    const whole: TextTab = { ...tab, sql };
    return whole;
  };
  return Promise.all(tabs.map(withText));
}

/** Remembers what is already stored, so that only changes are written. */
class Saver {
  readonly #key: string;
  readonly #saved = new Map<string, string | null>();

  constructor(key: string) {
    this.#key = key;
    for (const [each, value] of this.#wanted()) this.#saved.set(each, value);
  }

  /** Keys and values that are not stored yet; null: the key is to be removed. */
  get unsaved(): ReadonlyMap<string, string | null> {
    const wanted = this.#wanted();
    for (const each of this.#saved.keys()) if (!wanted.has(each)) wanted.set(each, null);
    return new Map([...wanted].filter(([each, value]) => this.#saved.get(each) !== value));
  }

  async save(): Promise<void> {
    const puts = [...this.unsaved].map(async ([each, value]) => {
      await client.call('state.put', { key: each, value });
      if (value === null) this.#saved.delete(each);
      else this.#saved.set(each, value);
    });
    // The request was lost with the connection: the next change or the reconnection saves the state.
    await Promise.all(puts).then(
      () => puts.length > 0 && forgetUnsaved(this.#key),
      () => undefined,
    );
  }

  #wanted(): Map<string, string | null> {
    const state = useStore.getState();
    const wanted = new Map<string, string | null>();
    for (const tab of [...state.tabs, ...state.waitingTabs, ...closedTabsToKeep(state.closedTabs)])
      if (hasText(tab)) wanted.set(textKey(this.#key, tab.id), tab.sql);
    wanted.set(this.#key, windowText(state));
    return wanted;
  }
}

let saver: Saver | null = null;

/** Stores the state of the window now, instead of soon. */
export const saveState = async (): Promise<void> => saver?.save();

function keepSaving(key: string): void {
  const own = (saver = new Saver(key));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    return own.save();
  };
  const saveAll = (): Promise<void> => {
    flushState();
    return save();
  };
  const saveNow = (): void => void saveAll();

  useStore.subscribe((state, before) => {
    if (KEPT.some((part) => state[part] !== before[part])) timer ??= setTimeout(() => void save(), SAVE_DELAY_MS);
  });
  client.onReconnected(saveNow);
  window.addEventListener('pagehide', () => {
    flushState();
    // The engine of a browser's page ends with it, before it reads the messages that saving sends.
    keepUnsaved(key, own.unsaved);
    void save();
  });
  window.addEventListener('blur', saveNow);
  shell.onBeforeClose(async () => {
    await endWork();
    await saveAll();
  });
}

function windowText(state: AppState): string {
  const { openDatabases, currentDatabase, tabs, waitingTabs, closedTabs, split, layout } = state;
  return stringifyState({
    databases: Object.keys(openDatabases).filter((id) => !isOnlyAttached(state, id)),
    currentDatabase,
    tabs: [...tabs, ...waitingTabs].map(asStored),
    closedTabs: closedTabsToKeep(closedTabs).map(asStored),
    activeTabId: state.activeTabId ?? state.awaitedTabId,
    split,
    layout,
  } satisfies WindowState);
}

/** It is opened again with the database that it is attached to, and if it is gone by then, that is no error. */
function isOnlyAttached({ openDatabases, currentDatabase, tabs }: AppState, id: DatabaseId): boolean {
  if (id === currentDatabase || tabs.some(({ database }) => database === id)) return false;
  return Object.values(openDatabases).some(({ attached }) => attached?.some(({ file }) => file === id) === true);
}

function asStored(tab: Tab): Tab {
  const isPlain = tab.database === null || capabilitiesOf(tab.database).plain;
  // Not encrypted: a filter that is left to a person to type again is better than a value that others can read.
  const kept: Tab = isPlain ? tab : { ...tab, ...tabKindNamed(tab.kind)?.withoutValues?.(tab) };
  return hasText(kept) ? ({ ...kept, sql: '' } as Tab) : kept;
}
