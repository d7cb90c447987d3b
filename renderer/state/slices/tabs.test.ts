import { beforeEach, expect, test } from 'vitest';
import { useStore } from '../store.ts';
import { tabTitle } from './tabs.ts';

const { openTable, openQuery, closeTab, reopenTab, moveTab, activateTab, closeTabsOf, updateTab, setTabStatus } =
  useStore.getState();
const titles = (): string[] => useStore.getState().tabs.map(tabTitle);
const active = (): string | null => useStore.getState().activeTabId;

beforeEach(() => useStore.setState({ tabs: [], activeTabId: null, closedTabs: [], currentDatabase: null }));

test('a preview is replaced by the next one, a pinned tab is not', () => {
  openTable('a', 'one', { preview: true });
  openTable('a', 'two', { preview: true });
  expect(titles()).toEqual(['two']);
  openTable('a', 'two');
  openTable('a', 'three', { preview: true });
  expect(titles()).toEqual(['two', 'three']);
});

test('a preview somebody has worked in stays', () => {
  openTable('a', 'sorted', { preview: true, view: { sort: [{ column: 'id', descending: true }] } });
  const typedIn = openTable('a', 'typed in', { preview: true });
  setTabStatus(typedIn, { unsaved: true });
  openTable('a', 'next', { preview: true });
  expect(titles()).toEqual(['sorted', 'typed in', 'next']);
});

test('a table has one tab; opening it again brings it to the front with the given view', () => {
  const id = openTable('a', 'one');
  openTable('a', 'two');
  const filter = [{ column: 'id', operator: '=', value: 7 }] as const;
  expect(openTable('a', 'one', { view: { filter } })).toBe(id);
  expect(active()).toBe(id);
  expect(useStore.getState().tabs[0]).toMatchObject({ view: { filter, where: '' } });
  expect(openTable('b', 'one')).not.toBe(id);
});

test('SQL tabs get free names, beside the active tab', () => {
  const first = openQuery('a');
  openQuery('a');
  closeTab(first);
  openQuery('a');
  expect(titles().sort()).toEqual(['Query 1', 'Query 2']);
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

test('the tab in front decides which database is shown', () => {
  const one = openTable('a', 'one');
  openTable('b', 'two');
  expect(useStore.getState().currentDatabase).toBe('b');
  activateTab(one);
  expect(useStore.getState().currentDatabase).toBe('a');
  updateTab(one, { preview: true });
  expect(useStore.getState().tabs[0]).toMatchObject({ preview: true, table: 'one' });
});
