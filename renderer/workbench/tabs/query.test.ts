import { beforeEach, expect, test } from 'vitest';
import { closeTab, useStore } from '../../state/store.ts';
import { openQuery, type QueryTab } from './query.ts';

const titles = (): string[] => useStore.getState().tabs.map((tab) => (tab as QueryTab).title);

beforeEach(() => useStore.setState({ tabs: [], activeTabId: null, closedTabs: [], currentDatabase: null }));

test('SQL tabs get free names, beside the active tab', () => {
  const first = openQuery('a');
  openQuery('a');
  closeTab(first);
  openQuery('a');
  expect(titles().sort()).toEqual(['Query 1', 'Query 2']);
});
