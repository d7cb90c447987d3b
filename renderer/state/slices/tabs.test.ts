import { beforeEach, expect, test } from 'vitest';
import { openTable } from '../../workbench/tabs/table.ts';
import type { TableTab } from '../../workbench/tabs/table.ts';
import { useStore } from '../store.ts';
import { currentDetail } from './detail.ts';
import type { Detail } from './detail.ts';
import { sidesOf } from './tabs.ts';

const { openSingleTab, closeTab, reopenTab, moveTab, activateTab, closeTabsOf, updateTab } = useStore.getState();
const titles = (): string[] => useStore.getState().tabs.map((tab) => (tab as TableTab).table);
const active = (): string | null => useStore.getState().activeTabId;

const sides = (): string[] => sidesOf(useStore.getState()).map(({ id }) => id);

beforeEach(() =>
  useStore.setState({ tabs: [], split: null, activeTabId: null, closedTabs: [], currentDatabase: null }),
);

test('of some kinds there is one tab for each database, or one for the window', () => {
  const log = openSingleTab({ kind: 'log', database: 'a' });
  const other = openSingleTab({ kind: 'log', database: 'b' });
  const whole = openSingleTab({ kind: 'log', database: null });
  expect(new Set([log, other, whole]).size).toBe(3);
  expect(openSingleTab({ kind: 'log', database: 'a' })).toBe(log);
  expect(active()).toBe(log);
  expect(openSingleTab({ kind: 'log', database: null })).toBe(whole);
  expect(useStore.getState().tabs).toHaveLength(3);
});

test('closing the active tab shows its right neighbor, else its left, and it can come back', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((table) => openTable('a', table)) as [string, string, string];
  activateTab(two);
  closeTab(two);
  expect(active()).toBe(three);
  closeTab(three);
  expect(active()).toBe(one);
  closeTab(one);
  expect(active()).toBeNull();
  reopenTab();
  expect(active()).toBe(one);
});

test('two tabs are side by side while one of them is active, and closing one leaves the other', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((table) => openTable('a', table)) as [string, string, string];
  useStore.getState().splitTabs(one, three);
  expect([sides(), active()]).toEqual([[one, three], three]);
  activateTab(two);
  expect(sides()).toEqual([two]);
  activateTab(one);
  expect(sides()).toEqual([one, three]);
  closeTab(one);
  expect([sides(), active()]).toEqual([[three], three]);
  reopenTab();
  expect(sides()).toEqual([one, three]);
  useStore.getState().closeSplit();
  expect(sides()).toEqual([one]);
});

test('a table that is shown twice opens where the user is', () => {
  const one = openTable('a', 'one');
  const { id: _id, ...copy } = useStore.getState().tabs[0]!;
  const other = useStore.getState().openTab(copy);
  useStore.getState().splitTabs(one, other);
  expect(openTable('a', 'one', { view: { where: 'x' } })).toBe(other);
  activateTab(one);
  expect(openTable('a', 'one')).toBe(one);
});

test('details are kept for the tabs on screen', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((table) => openTable('a', table)) as [string, string, string];
  const { setDetail, splitTabs } = useStore.getState();
  const detail = (tabId: string): Detail => ({ tabId }) as Detail;
  splitTabs(one, two);
  setDetail(one, detail(one));
  setDetail(two, detail(two));
  expect(currentDetail(useStore.getState())?.tabId).toBe(two);
  activateTab(one);
  setDetail(two, null);
  expect(currentDetail(useStore.getState())?.tabId).toBe(one);
  activateTab(three);
  setDetail(three, null);
  expect(useStore.getState().details).toEqual({});
});

test('a tab moves to its place after the move', () => {
  const [one] = ['one', 'two', 'three'].map((table) => openTable('a', table)) as [string, string, string];
  moveTab(one, 2);
  expect(titles()).toEqual(['two', 'three', 'one']);
  moveTab(one, 0);
  expect(titles()).toEqual(['one', 'two', 'three']);
});

test('with its database a tab goes for good', () => {
  openTable('a', 'one');
  const other = openTable('b', 'two');
  const gone = openTable('a', 'three');
  closeTab(gone);
  openTable('a', 'four');
  closeTabsOf('a');
  expect(titles()).toEqual(['two']);
  expect(active()).toBe(other);
  reopenTab();
  expect(titles()).toEqual(['two']);
});

test('a table of an attached file leaves the database that it is attached to on the left', () => {
  const attached = [{ name: 'b', file: 'b', fileName: 'b.db', why: null }];
  useStore.setState({ openDatabases: { a: { attached } as never } });
  openTable('a', 'one');
  openTable('b', 'two');
  expect(useStore.getState().currentDatabase).toBe('a');
  openTable('c', 'three');
  expect(useStore.getState().currentDatabase).toBe('c');
  useStore.setState({ openDatabases: {} });
});

test('the tab in front decides which database is shown', () => {
  const one = openTable('a', 'one');
  openTable('b', 'two');
  expect(useStore.getState().currentDatabase).toBe('b');
  activateTab(one);
  expect(useStore.getState().currentDatabase).toBe('a');
  updateTab(one, { preview: true });
  expect(useStore.getState().tabs[0]).toMatchObject({ preview: true, table: 'one' });
});

test('the tab that was active is active again when its server is reached, unless another tab is by then', () => {
  const waiting = ['b', 'c'].map((database) => ({ id: database, kind: 'log', database }));
  useStore.setState({ waitingTabs: waiting, awaitedTabId: 'c' });
  const { takeWaitingTabs } = useStore.getState();
  takeWaitingTabs('b');
  expect(useStore.getState().activeTabId).toBeNull();
  takeWaitingTabs('c');
  expect(useStore.getState().activeTabId).toBe('c');
  useStore.setState({ waitingTabs: [{ ...waiting[0]!, id: 'd' }], awaitedTabId: 'd' });
  takeWaitingTabs('b');
  expect(useStore.getState().activeTabId).toBe('c');
});

test('tabs of a server that was not reached come back when its database is opened, and go with it', () => {
  openTable('a', 'one');
  const waiting = ['b', 'c'].map((database) => ({ id: database, kind: 'log', database }));
  useStore.setState({ waitingTabs: waiting });
  const { takeWaitingTabs } = useStore.getState();
  takeWaitingTabs('b');
  expect(useStore.getState().tabs.map(({ database }) => database)).toEqual(['a', 'b']);
  takeWaitingTabs('b');
  expect(useStore.getState().tabs).toHaveLength(2);
  closeTabsOf('c');
  expect(useStore.getState().waitingTabs).toEqual([]);
});

test('a message about a tab goes with the tab, also when another tab replaces it', () => {
  const { notify, openTab } = useStore.getState();
  const texts = (): string[] => useStore.getState().notices.map(({ text }) => text);
  const first = openTable('a', 'Album');
  notify({ tone: 'error', text: 'of the window' });
  notify({ tone: 'error', text: 'of the tab', tabId: first });
  openTab({ kind: 'log', database: 'a' });
  expect(texts()).toEqual(['of the window', 'of the tab']);
  closeTab(first);
  expect(texts()).toEqual(['of the window']);
  useStore.setState({ notices: [] });
});
