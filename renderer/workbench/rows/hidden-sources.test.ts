import { beforeEach, expect, test, vi } from 'vitest';
import { useStore } from '../../state/store.ts';
import type { RowsView } from './scan-consent.ts';
import type { TableSource } from './table-source.ts';
import { hiddenSource, hideSource, takeSource } from './hidden-sources.ts';

const { tellChange, tellReconnected } = vi.hoisted(() => ({
  tellChange: vi.fn<(change: unknown) => void>(),
  tellReconnected: vi.fn<() => void>(),
}));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: (_topic: string, listener: (change: unknown) => void) => tellChange.mockImplementation(listener),
    onReconnected: (listener: () => void) => tellReconnected.mockImplementation(listener),
  },
}));

const PLAIN: RowsView = { sort: [], filter: [], where: '' };
const SORTED: RowsView = { ...PLAIN, sort: [{ column: 'a', descending: false }] };

class FakeSource {
  readonly database: string;
  readonly detail = { name: 't' };
  readonly view: RowsView;
  readonly extent: { rows: number; exact: boolean };
  readonly info: { key: { kind: string } };
  isClosed = false;
  shows = 0;

  constructor({ view = PLAIN, rows = 10, key = 'rowid', database = 'd' } = {}) {
    [this.database, this.view, this.extent] = [database, view, { rows, exact: true }];
    this.info = { key: { kind: key } };
  }
  close(): void {
    this.isClosed = true;
  }
  hide(): void {}
  shownAgain(): void {
    this.shows++;
  }
}

const asSource = (source: FakeSource): TableSource => source as unknown as TableSource;
const tab = (id: string, view = PLAIN) => ({ id, database: 'd', table: 't', view });
const openTabs = (...ids: string[]): void =>
  useStore.setState({ tabs: ids.map((id) => ({ id, kind: 'table', database: 'd' })) });

function hide(id: string, options: ConstructorParameters<typeof FakeSource>[0] = {}): FakeSource {
  const source = new FakeSource(options);
  hideSource(id, asSource(source));
  return source;
}

beforeEach(() => {
  openTabs();
  openTabs('one', 'two', 'three', 'four');
});

test('a tab that is shown again takes its rows, once', () => {
  const source = hide('one');
  expect(hiddenSource(tab('one'))).toBe(source);
  expect(takeSource('one', asSource(source))).toBe(true);
  expect(source.shows).toBe(1);
  expect(hiddenSource(tab('one'))).toBeNull();
  expect(source.isClosed).toBe(false);
});

test('rows of another order are of no use and are closed when the tab is shown', () => {
  const source = hide('one');
  expect(hiddenSource(tab('one', SORTED))).toBeNull();
  expect(takeSource('one', null)).toBe(false);
  expect(source.isClosed).toBe(true);
});

test('closing a tab closes its rows, hidden before or after', () => {
  const before = hide('one');
  openTabs('two');
  expect(before.isClosed).toBe(true);
  expect(hide('one').isClosed).toBe(true);
});

test('the rows hidden longest ago make room', () => {
  const all = ['one', 'two', 'three', 'four'].map((id) => hide(id));
  expect(all.map(({ isClosed }) => isClosed)).toEqual([true, false, false, false]);
});

test('the lists of sorted rows have a limit together', () => {
  const [one, two] = [hide('one', { view: SORTED, rows: 6e6 }), hide('two', { view: SORTED, rows: 6e6 })];
  expect([one.isClosed, two.isClosed]).toEqual([true, false]);
  expect(hide('three', { view: SORTED, rows: 2e7 }).isClosed).toBe(true);
  expect(hide('four', { rows: 2e7 }).isClosed).toBe(false);
});

test('rows of a server and of a view are not kept', () => {
  expect(hide('one', { database: 'remote-1' }).isClosed).toBe(true);
  expect(hide('two', { key: 'none' }).isClosed).toBe(true);
});

test('a change of the schema and a lost connection end them', () => {
  const [one, two] = [hide('one'), hide('two', { database: 'e' })];
  tellChange({ database: 'd', schema: false });
  expect(one.isClosed).toBe(false);
  tellChange({ database: 'd', schema: true });
  expect([one.isClosed, two.isClosed]).toEqual([true, false]);
  tellReconnected();
  expect(two.isClosed).toBe(true);
});
