import { beforeEach, expect, test, vi } from 'vitest';
import type { HistoryState } from '#shared/protocol/index.ts';
import type { TableTab } from '../../workbench/tabs/table.ts';

vi.mock('../../connection/database-client.ts', () => ({
  client: { on: () => () => undefined, onReconnected: () => undefined, call: () => new Promise(() => undefined) },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));

const { updateTab, useStore } = await import('../../state/store.ts');
const { openTable } = await import('../../workbench/tabs/table.ts');
const { tellHidden } = await import('./use-hidden-rows.ts');

const { notify, putHistory } = useStore.getState();
const said = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);
const history = (undo: number, redo: number | null): HistoryState =>
  ({ undo: { step: undo, title: '' }, redo: redo === null ? null : { step: redo, title: '' } }) as HistoryState;
const MESSAGE = 'The filter hides the row that was just saved.';
let tab: TableTab;

beforeEach(() => {
  useStore.setState({ tabs: [], notices: [] });
  const id = openTable('a', 'Album', { view: { filter: [], where: 'year < 1850' } });
  tab = useStore.getState().tabs.find((one): one is TableTab => one.id === id)!;
  // What was undone before is still to be redone when the window hears that the row was saved.
  putHistory('a', history(1, 2));
  tellHidden(tab, [[7]], false);
  putHistory('a', history(3, null));
});

test('the message about a hidden row stays while other things are said and changed', () => {
  notify({ tone: 'info', text: 'other' });
  putHistory('a', history(4, null));
  updateTab<TableTab>(tab.id, { view: { ...tab.view, topRow: 12 } });
  expect(said()).toEqual([MESSAGE, 'other']);
});

test('it goes when a step is undone, and when the filter changes or its tab is gone', () => {
  putHistory('b', history(1, 2));
  expect(said()).toEqual([MESSAGE]);
  putHistory('a', history(1, 3));
  expect(said()).toEqual([]);

  tellHidden(tab, [[7]], false);
  expect(said()).toEqual([MESSAGE]);
  updateTab<TableTab>(tab.id, { view: { ...tab.view, where: 'year > 1850' } });
  expect(said()).toEqual([]);

  tellHidden({ ...tab, view: { ...tab.view, where: 'year > 1850' } }, [[7]], false);
  expect(said()).toEqual([MESSAGE]);
  useStore.setState({ tabs: [] });
  expect(said()).toEqual([]);
});
