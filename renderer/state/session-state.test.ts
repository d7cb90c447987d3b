import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TAB_KINDS } from '../app/tab-kinds.ts';
import { ALL_ROWS } from '../workbench/tabs/form.ts';
import { PLAIN_VIEW } from '../workbench/tabs/table.ts';
import type { TableTab } from '../workbench/tabs/table.ts';
import { stringifyState } from './state-json.ts';
import { registerTabKinds } from './tab-kinds.ts';
import type { WindowState } from './window-state.ts';

const host = vi.hoisted(() => ({
  crashes: 0,
  failures: null as string | null,
  text: null as string | null,
  stored: [] as string[],
  /** Databases whose key is not entered. */
  locked: new Set<string>(),
}));

vi.mock('../connection/database-client.ts', () => ({
  client: {
    ready: Promise.resolve(),
    on: () => () => undefined,
    onReconnected: () => undefined,
    call: async (operation: string, { value }: { readonly value?: string }) => {
      if (operation === 'state.put') host.stored.push(value ?? '');
      return operation === 'state.get' ? host.text : null;
    },
  },
}));
vi.mock('../connection/shell.ts', () => ({
  shell: {
    windowInfo: async () => ({ windowId: 'w', crashes: host.crashes }),
    remote: { list: async () => [] },
    onBeforeClose: () => undefined,
  },
}));
vi.mock('../connection/connect.ts', () => ({
  connectHost: () => undefined,
  connectNative: () => undefined,
  connectProcesses: () => undefined,
}));
vi.mock('./databases.ts', () => ({
  openDatabase: async (id: string) => {
    if (host.locked.has(id)) return false;
    useStore.setState(({ openDatabases }) => ({ openDatabases: { ...openDatabases, [id]: {} as never } }));
    return true;
  },
  refreshLibrary: async () =>
    useStore.setState({ entries: ['a', 'file:encrypted-a1', 'file:a1'].map((id) => ({ id })) as never }),
}));
vi.mock(import('../features/table-data/table-data-tab.tsx'), () => ({ TableDataTab: () => null }));
vi.mock(import('../features/history/history-tab.tsx'), () => ({ HistoryTab: () => null }));
vi.stubGlobal('window', { addEventListener: () => undefined });

const { useStore } = await import('./store.ts');
const { startSessionState } = await import('./session-state.ts');

registerTabKinds(TAB_KINDS);

const TAB: TableTab = { id: 't', kind: 'table', database: 'a', table: 'cells', preview: false, view: PLAIN_VIEW };
const STATE: Partial<WindowState> = { databases: ['a'], currentDatabase: 'a', tabs: [TAB], activeTabId: 't' };
const BEFORE = useStore.getState();

beforeEach(() => {
  host.locked.clear();
  Object.assign(host, { crashes: 0, failures: null, text: stringifyState(STATE) });
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', { ...storage, getItem: () => host.failures });
  vi.useFakeTimers();
});
afterEach(() => {
  useStore.setState(BEFORE, true);
  vi.useRealTimers();
});

const said = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);
const start = async (): Promise<void> => {
  const started = startSessionState();
  await vi.runAllTimersAsync();
  await started;
};

test('a window that ended in order comes back with its tab and its cell', async () => {
  await start();
  expect(useStore.getState()).toMatchObject({ activeTabId: 't', currentDatabase: 'a', detailWaits: false });
  expect(said()).toEqual([]);
});

test('nothing is offered to be opened while a window comes back', async () => {
  const wasEmpty: boolean[] = [];
  // The page is painted with what there is after each change.
  const isEmpty = (): boolean => !useStore.getState().isRestoring && useStore.getState().activeTabId === null;
  const stop = useStore.subscribe(() => queueMicrotask(() => wasEmpty.push(isEmpty())));
  await start();
  stop();
  expect(wasEmpty.length).toBeGreaterThan(1);
  expect(new Set(wasEmpty)).toEqual(new Set([false]));
});

test('a window that crashed, or was killed, comes back without its cell, and says so', async () => {
  host.crashes = 1;
  await start();
  expect(useStore.getState()).toMatchObject({ activeTabId: 't', detailWaits: true });
  expect(said()).toEqual([expect.stringContaining('Nothing that was running was restarted')]);
});

test('after a second crash no tab is open, but all are there', async () => {
  host.crashes = 2;
  await start();
  expect(useStore.getState()).toMatchObject({ activeTabId: null, detailWaits: true });
  expect(useStore.getState().tabs).toHaveLength(1);
  expect(said()).toEqual([expect.stringContaining('stopped more than once')]);
});

test('a page that could not be shown counts as a crash', async () => {
  host.crashes = 1;
  host.failures = '1';
  await start();
  expect(useStore.getState().activeTabId).toBeNull();
});

test('after a crash of an empty window there is nothing to say', async () => {
  host.crashes = 1;
  host.text = null;
  await start();
  expect(said()).toEqual([]);
});

test.each([
  ['file:encrypted-a1', false],
  ['file:a1', true],
])('the filters, keys, and other values of tabs of %s are stored: %s', async (database, isStored) => {
  await start();
  host.stored.length = 0;
  const filter = [{ column: 'name', operator: '=', value: 'FILTERED' }] as never;
  const view = { ...PLAIN_VIEW, filter, where: "name > 'TYPED'", topRow: 7 };
  const form = { id: 'f', kind: 'form', database, table: 'cells', view: { ...ALL_ROWS, filter }, key: ['KEY'] };
  const query = { id: 'q', kind: 'query', database, sql: '', parameters: { a: { type: 'text', text: 'BOUND' } } };
  const search = { id: 's', kind: 'search', database, text: 'SEARCHED' };
  const sample = { id: 'r', kind: 'sample-rows', database, chosen: [{ source: { kind: 'list', values: ['LISTED'] } }] };
  useStore.setState({ tabs: [{ ...TAB, database, view }, form, query, search, sample] as never });
  await vi.runAllTimersAsync();
  const stored = host.stored.join();
  expect(stored).toContain('topRow');
  for (const value of ['FILTERED', 'TYPED', 'KEY', 'BOUND', 'SEARCHED', 'LISTED'])
    expect(stored.includes(value)).toBe(isStored);
});

test.each([
  ['file:encrypted-a1', true],
  ['file:a1', false],
])('the tabs of %s wait until it is opened, if it was not when the window came back: %s', async (database, waits) => {
  host.text = stringifyState({ ...STATE, databases: ['a', database], tabs: [TAB, { ...TAB, id: 'u', database }] });
  host.locked.add(database);
  await start();
  const { tabs, waitingTabs } = useStore.getState();
  expect(tabs.map(({ id }) => id)).toEqual(['t']);
  expect(waitingTabs.map(({ id }) => id)).toEqual(waits ? ['u'] : []);
});
