// What comes back after a restart, a crash or a reload: open databases, tabs with their views, unsaved SQL, sizes.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from './database-client.ts';
import { openDatabase, refreshLibrary } from './databases.ts';
import { shell } from './shell.ts';
import { flushState } from './state-saving.ts';
import { parseState, stringifyState } from './state-json.ts';
import { activateTab, showDatabase, useStore } from './store.ts';
import type { AppState } from './store.ts';
import { readTheme, readWindowState } from './window-state.ts';
import type { WindowState } from './window-state.ts';

const SAVE_DELAY_MS = 300;
const SETTINGS_KEY = 'settings';

/** Brings back what the window had, then keeps saving it. Call once connected. */
export async function startSessionState(): Promise<void> {
  const { windowId } = await shell.windowInfo();
  const key = `window:${windowId}`;
  const [windowText, settingsText] = await Promise.all([
    client.call('state.get', { key }),
    client.call('state.get', { key: SETTINGS_KEY }),
    refreshLibrary(),
  ]);
  const theme = readTheme(parseState(settingsText));
  if (theme) useStore.setState({ theme });
  await restore(readWindowState(parseState(windowText)));
  keepSaving(key);
}

async function restore(state: WindowState): Promise<void> {
  useStore.setState(({ layout }) => ({ layout: { ...layout, ...state.layout } }));
  const inLibrary = new Set(useStore.getState().entries?.map(({ id }) => id));
  const wanted = state.databases.filter((id) => inLibrary.has(id));
  const opened: DatabaseId[] = [];
  for (const id of wanted) if (await openDatabase(id)) opened.push(id);
  const tabs = state.tabs.filter((tab) => opened.includes(tab.database));
  // A file opened while we were restoring has made tabs of its own: they stay, and stay in front.
  const { tabs: newer, activeTabId } = useStore.getState();
  useStore.setState({ tabs: [...tabs, ...newer] });
  if (newer.length > 0 && activeTabId) return activateTab(activeTabId);
  const active = tabs.find((tab) => tab.id === state.activeTabId) ?? tabs[0];
  if (active) activateTab(active.id);
  else if (state.currentDatabase && opened.includes(state.currentDatabase)) showDatabase(state.currentDatabase);
}

function keepSaving(key: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved = windowText(useStore.getState());
  let savedTheme = useStore.getState().theme;

  const save = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const state = useStore.getState();
    const text = windowText(state);
    const puts: Promise<unknown>[] = [];
    if (text !== saved) puts.push(client.call('state.put', { key, value: text }).then(() => (saved = text)));
    if (state.theme !== savedTheme) {
      const { theme } = state;
      puts.push(
        client
          .call('state.put', { key: SETTINGS_KEY, value: stringifyState({ theme }) })
          .then(() => (savedTheme = theme)),
      );
    }
    // Lost with the connection: the next change, or the reconnection, saves it.
    await Promise.all(puts).catch(() => undefined);
  };
  const saveSoon = (): void => {
    timer ??= setTimeout(() => void save(), SAVE_DELAY_MS);
  };
  const saveAll = (): Promise<void> => {
    flushState();
    return save();
  };
  const saveNow = (): void => void saveAll();

  useStore.subscribe((state, before) => {
    const same =
      state.tabs === before.tabs &&
      state.activeTabId === before.activeTabId &&
      state.layout === before.layout &&
      state.theme === before.theme &&
      state.currentDatabase === before.currentDatabase &&
      state.openDatabases === before.openDatabases;
    if (!same) saveSoon();
  });
  client.onReconnected(saveNow);
  window.addEventListener('pagehide', saveNow);
  window.addEventListener('blur', saveNow);
  shell.onBeforeClose(saveAll);
}

function windowText({ openDatabases, currentDatabase, tabs, activeTabId, layout }: AppState): string {
  return stringifyState({
    databases: Object.keys(openDatabases),
    currentDatabase,
    tabs,
    activeTabId,
    layout,
  } satisfies WindowState);
}
