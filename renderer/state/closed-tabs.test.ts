import { beforeEach, expect, it } from 'vitest';
import { openQuery } from '../workbench/tabs/query.ts';
import { openTable } from '../workbench/tabs/table.ts';
import type { TableTab } from '../workbench/tabs/table.ts';
import { closedTabsToKeep, reopenClosedTab } from './closed-tabs.ts';
import type { Tab, TextTab } from './slices/tabs.ts';
import { closeTab, openSingleTab, useStore } from './store.ts';
import { registerTabKinds } from './tab-kinds.ts';
import type { TabKind } from './tab-kinds.ts';

registerTabKinds([
  { kind: 'table', isSame: (one: TableTab, other: TableTab) => one.table === other.table } as unknown as TabKind,
  { kind: 'log', isSame: () => true } as unknown as TabKind,
]);

beforeEach(() => useStore.setState({ tabs: [], activeTabId: null, closedTabs: [], currentDatabase: null }));

const kinds = (): readonly string[] => useStore.getState().tabs.map(({ kind }) => kind);
const openLog = (): string => openSingleTab<Tab>({ kind: 'log', database: null });

it('a closed tab whose table is open does not come back as a second one', () => {
  closeTab(openQuery('a'));
  closeTab(openTable('a', 'one'));
  closeTab(openLog());
  const [log, one] = [openLog(), openTable('a', 'one')];
  reopenClosedTab();
  expect(kinds()).toEqual(['log', 'table', 'query']);
  expect(useStore.getState().closedTabs).toEqual([]);

  closeTab(one);
  closeTab(log);
  openLog();
  reopenClosedTab();
  expect(kinds().filter((kind) => kind === 'log')).toHaveLength(1);
  expect(kinds().filter((kind) => kind === 'table')).toHaveLength(1);

  const again = openLog();
  closeTab(again);
  const front = openLog();
  openQuery('a');
  reopenClosedTab();
  expect(useStore.getState().activeTabId).toBe(front);
});

it('keeps the last closed tabs across a restart, as far as their texts are not too long', () => {
  const tab = (id: string, chars: number): TextTab => ({ id, sql: 'x'.repeat(chars) }) as unknown as TextTab;
  const closed = [tab('a', 10), { id: 'b' } as Tab, tab('c', 3_999_990), tab('d', 1), { id: 'e' } as Tab];
  expect(closedTabsToKeep(closed).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});
