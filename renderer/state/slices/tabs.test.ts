import { beforeEach, expect, test } from 'vitest';
import { openTable } from '../../workbench/table-tabs.ts';
import type { TableTab } from '../../workbench/table-tabs.ts';
import { useStore } from '../store.ts';

const { openSingleTab, closeTab, reopenTab, moveTab, activateTab, closeTabsOf, updateTab } = useStore.getState();
const titles = (): string[] => useStore.getState().tabs.map((tab) => (tab as TableTab).table);
const active = (): string | null => useStore.getState().activeTabId;

beforeEach(() => useStore.setState({ tabs: [], activeTabId: null, closedTabs: [], currentDatabase: null }));

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
