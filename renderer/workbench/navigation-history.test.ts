import { beforeEach, expect, it } from 'vitest';
import type { DatabaseState } from '#shared/protocol/index.ts';
import { followRenames } from '../state/follow-renames.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activeTab, closeTab, openSingleTab, useStore } from '../state/store.ts';
import { registerTabKinds, type TabKind } from '../state/tab-kinds.ts';
import { followNavigation, goBack, goForward, noteCurrentRow, useNavigationHistory } from './navigation-history.ts';
import { isTableTab, openTable, type TableTab } from './tabs/table.ts';

registerTabKinds([
  { kind: 'log', isSame: () => true } as unknown as TabKind,
  {
    kind: 'table',
    isSame: (one: TableTab, other: TableTab) => one.table === other.table,
    followNames: ({ table }: TableTab, nameNow: (name: string) => string) => ({ table: nameNow(table) }),
  } as unknown as TabKind,
]);

let stop = (): void => undefined;

beforeEach(() => {
  stop();
  useStore.setState({
    tabs: [],
    closedTabs: [],
    activeTabId: null,
    openDatabases: { db: {} as DatabaseState },
    revealedRow: null,
  });
  useNavigationHistory.setState({ back: [], forward: [] });
  stop = followNavigation();
});

const here = (): string => {
  const tab = activeTab(useStore.getState());
  return isTableTab(tab) ? `${tab.table} ${tab.view.where}`.trim() : '';
};

it('goes back and forward through tabs, filters, and tabs that were closed', () => {
  openTable('db', 'a');
  const b = openTable('db', 'b');
  openTable('db', 'b', { view: { where: 'x' } });
  openTable('db', 'a', { view: { where: 'y' } });
  expect(here()).toBe('a y');
  goBack();
  expect(here()).toBe('b x');
  goBack();
  expect(here()).toBe('b');
  closeTab(b);
  expect(here()).toBe('a y');
  goBack();
  expect(here()).toBe('b');
  goBack();
  expect(here()).toBe('a');
  goForward();
  expect(here()).toBe('b');
  goForward();
  expect(here()).toBe('a y');
  goForward();
  expect(here()).toBe('a y');
});

it('takes the table to the row that was the current one', () => {
  const a = openTable('db', 'a');
  noteCurrentRow(a, { key: [7], column: 'name' });
  openTable('db', 'b');
  goBack();
  expect(useStore.getState().revealedRow).toMatchObject({ database: 'db', table: 'a', key: [7], column: 'name' });
});

it('forgets what was ahead when something else is opened, and leaves out closed databases', () => {
  openTable('db', 'a');
  openTable('db', 'b');
  goBack();
  openTable('db', 'c');
  expect(useNavigationHistory.getState().forward).toEqual([]);
  useStore.setState({ openDatabases: {} });
  goBack();
  expect(here()).toBe('c');
  expect(useNavigationHistory.getState().back).toEqual([]);
});

it('follows a table to its new name, and opens no second tab of a table that is open', () => {
  const a = openTable('db', 'a');
  noteCurrentRow(a, { key: [7], column: 'name' });
  const b = openTable('db', 'b');
  openTable('db', 'c');
  followRenames('db', [
    { from: 'a', to: 'a2' },
    { from: 'b', to: 'b2' },
  ]);
  closeTab(b);
  goBack();
  expect(here()).toBe('b2');
  expect(useStore.getState().closedTabs).toEqual([]);
  goBack();
  expect(here()).toBe('a2');
  expect(useStore.getState().revealedRow).toMatchObject({ table: 'a2', key: [7] });

  openTable('db', 'c');
  closeTab(a);
  const again = openTable('db', 'a2');
  openTable('db', 'c');
  goBack();
  goBack();
  goBack();
  const tabs = useStore.getState().tabs.filter(isTableTab);
  expect(tabs.filter(({ table }) => table === 'a2').map(({ id }) => id)).toEqual([again]);
});

it('goes back to the one tab of its kind that is open now', () => {
  const open = (): string => openSingleTab<Tab>({ kind: 'log', database: null });
  const first = open();
  openTable('db', 'a');
  closeTab(first);
  const second = open();
  openTable('db', 'a', { view: { where: 'x' } });
  goBack();
  goBack();
  goBack();
  expect(activeTab(useStore.getState())!.id).toBe(second);
  expect(useStore.getState().tabs.filter(({ kind }) => kind === 'log')).toHaveLength(1);
});
