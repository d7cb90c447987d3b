import { beforeEach, expect, test, vi } from 'vitest';
import type { TableTab } from './table.ts';

vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onReconnected: () => undefined,
    call: async (operation: string) =>
      operation === 'edit.apply'
        ? { keys: [[1]], rowsChanged: 1 }
        : { isOn: false, interruptedAt: null, undone: 0, renames: 0, steps: [] },
  },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));

const { setTabStatus, useStore } = await import('../../state/store.ts');
const { hold, saveChanges } = await import('../held/held-store.ts');
const { openTable } = await import('./table.ts');

const titles = (): string[] => useStore.getState().tabs.map((tab) => (tab as TableTab).table);
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

test('a preview whose rows were changed stays', async () => {
  openTable('a', 'edited', { preview: true });
  await saveChanges('a', 'edited', [{ kind: 'insert', set: {} }]);
  openTable('a', 'held', { preview: true });
  await hold('a', [{ table: 'held', kind: 'delete', key: [1] }]);
  openTable('a', 'next', { preview: true });
  openTable('a', 'last', { preview: true });
  expect(titles()).toEqual(['edited', 'held', 'last']);
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
