import { beforeEach, expect, test, vi } from 'vitest';
import { useStore } from '../../state/store.ts';
import { keepOrder, takeOrder } from './agreed-orders.ts';
import { consentToScan, hasConsented, type RowsView } from './scan-consent.ts';
import type { TableSource } from './table-source.ts';

const { tellChange } = vi.hoisted(() => ({ tellChange: vi.fn<(change: unknown) => void>() }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: (_topic: string, listener: (change: unknown) => void) => tellChange.mockImplementation(listener),
    onReconnected: () => undefined,
  },
}));

const sortedBy = (column: string): RowsView => ({ sort: [{ column, descending: false }], filter: [], where: '' });
const openTabs = (...ids: string[]): void =>
  useStore.setState({ tabs: ids.map((id) => ({ id, kind: 'table', database: 'd' })) });

class FakeSource {
  readonly database = 'd';
  readonly detail = { name: 't' };
  view: RowsView;
  isClosed = false;

  constructor(view: RowsView) {
    this.view = view;
  }
  close(): void {
    this.isClosed = true;
  }
  hide(): void {}
  shownAgain(): void {}
}

function keep(tabId: string, column: string): FakeSource {
  const source = new FakeSource(sortedBy(column));
  keepOrder(tabId, source as unknown as TableSource);
  return source;
}

beforeEach(() => {
  openTabs();
  openTabs('one', 'two');
});

test('an order that was left is taken again, once, by the tab that left it', () => {
  const source = keep('one', 'a');
  expect(takeOrder('one', 'd', 't', sortedBy('b'))).toBeNull();
  expect(takeOrder('two', 'd', 't', sortedBy('a'))).toBeNull();
  expect(takeOrder('one', 'd', 'other', sortedBy('a'))).toBeNull();
  expect(takeOrder('one', 'd', 't', sortedBy('a'))).toBe(source);
  expect(takeOrder('one', 'd', 't', sortedBy('a'))).toBeNull();
  expect(source.isClosed).toBe(false);
});

test('an order that is taken again is that of the tab, which compares views by identity', () => {
  const source = keep('one', 'a');
  const view = sortedBy('a');
  expect(takeOrder('one', 'd', 't', view)?.view).toBe(view);
  expect(source.view).toBe(view);
});

test('the three that were left last are kept, and each only once', () => {
  const all = ['a', 'b', 'a', 'c', 'd'].map((column) => keep('one', column));
  expect(all.map(({ isClosed }) => isClosed)).toEqual([true, true, false, false, false]);
});

test('they go with their tab', () => {
  const source = keep('one', 'a');
  openTabs('two');
  expect(source.isClosed).toBe(true);
  expect(keep('one', 'a').isClosed).toBe(true);
});

test('what changes many rows of the table or the schema ends them, and asks again', () => {
  const asked = { database: 'd', table: 't' };
  const ends = (change: object): readonly boolean[] => {
    consentToScan(asked, sortedBy('a'));
    const source = keep('one', 'a');
    tellChange({ database: 'd', schema: false, ...change });
    return [source.isClosed, hasConsented(asked, sortedBy('a'))];
  };
  expect(ends({ tables: ['t'] })).toEqual([false, true]);
  expect(ends({ manyRows: true, tables: ['other'] })).toEqual([false, true]);
  expect(ends({ manyRows: true, tables: ['t'] })).toEqual([true, false]);
  expect(ends({ manyRows: true, tables: null })).toEqual([true, false]);
  expect(ends({ schema: true })).toEqual([true, false]);
});
