import { expect, test, vi } from 'vitest';
import type { Tab } from '../state/slices/tabs.ts';
import { followRenames } from '../state/follow-renames.ts';
import { parseState } from '../state/state-json.ts';
import { useStore } from '../state/store.ts';
import { registerTabKinds, tabTitle } from '../state/tab-kinds.ts';
import { readWindowState } from '../state/window-state.ts';
import { TAB_KINDS } from './tab-kinds.ts';

// The content of a tab needs a page.
vi.mock(import('../features/table-data/table-data-tab.tsx'), () => ({ TableDataTab: () => null }));
vi.mock(import('../features/history/history-tab.tsx'), () => ({ HistoryTab: () => null }));
vi.mock('../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../connection/database-client.ts', () => ({ client: {} }));

registerTabKinds(TAB_KINDS);

const readTabs = (...tabs: readonly string[]): readonly Tab[] =>
  readWindowState(parseState(`{"tabs":[${tabs.join()}]}`)).tabs;

test('tabs as earlier versions stored them come back, each with its title', () => {
  const tabs = readTabs(
    '{"id":"1","kind":"table","database":"a","table":"Track","preview":false,"view":{"sort":[{"column":"Name","descending":true}],"filter":[],"where":"id > 1","widths":{"Name":120},"order":["Name"],"topRow":7}}',
    '{"id":"2","kind":"query","database":"a","title":"Query 1","sql":"","split":0.3,"live":{"pinned":true,"limitMs":null}}',
    '{"id":"3","kind":"history","database":"a"}',
    '{"id":"4","kind":"compare","database":"a","title":"Compare 1","sql":"","split":0.5,"part":"plans"}',
    '{"id":"5","kind":"benchmark","database":null,"choice":{"screen":"runs"}}',
  );
  expect(tabs).toEqual([
    {
      id: '1',
      kind: 'table',
      database: 'a',
      table: 'Track',
      view: {
        sort: [{ column: 'Name', descending: true }],
        filter: [],
        hidden: [],
        frozen: 0,
        colors: {},
        where: 'id > 1',
        widths: { Name: 120 },
        order: ['Name'],
        topRow: 7,
      },
    },
    {
      id: '2',
      kind: 'query',
      database: 'a',
      title: 'Query 1',
      sql: '',
      split: 0.3,
      live: { pinned: true, limitMs: null },
      parameters: {},
      file: null,
    },
    { id: '3', kind: 'history', database: 'a' },
    { id: '4', kind: 'compare', database: 'a', title: 'Compare 1', sql: '', split: 0.5, part: 'plans' },
    { id: '5', kind: 'benchmark', database: null, choice: { screen: 'runs' } },
  ]);
  expect(tabs.map(tabTitle)).toEqual(['Track', 'Query 1', 'History', 'Compare 1', 'Benchmark']);
});

test('what an earlier version did not store, or what is damaged, is as in a new tab', () => {
  expect(
    readTabs(
      '{"id":"1","kind":"table","database":"a","table":"Track","preview":true,"view":7}',
      '{"id":"2","kind":"query","database":"a","title":"Query 1","sql":"","split":9}',
      '{"id":"3","kind":"compare","database":"a","title":"Compare 1","sql":"","part":"none"}',
      '{"id":"4","kind":"benchmark","database":"a"}',
    ),
  ).toMatchObject([
    { preview: true, view: { sort: [], filter: [], where: '', widths: {}, order: [], topRow: 0 } },
    { split: 0.42, live: { pinned: false, limitMs: 200 } },
    { split: 0.24, part: 'rows' },
    { database: null, choice: null },
  ]);
});

test('a tab that nobody knows, of no database, or without what it shows, is left out', () => {
  expect(
    readTabs(
      '{"id":"1","kind":"unheard of","database":"a"}',
      '{"id":"2","kind":["table"],"database":"a","table":"Track"}',
      '{"id":"3","kind":"history","database":null}',
      '{"id":"4","kind":"table","database":"a"}',
      '{"id":"5","kind":"query","database":"a","title":"Query 1"}',
      '{"id":"6","kind":"compare","database":"a","sql":""}',
      '{"kind":"history","database":"a"}',
    ),
  ).toEqual([]);
});

test('each kind is one of its own', () => {
  const kinds = TAB_KINDS.map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
});

test('tabs about a table follow it to its new name', () => {
  const tabs = readTabs(
    '{"id":"1","kind":"table","database":"a","table":"Track"}',
    '{"id":"2","kind":"uses","database":"a","table":"Track","column":null}',
    '{"id":"3","kind":"sample-rows","database":"a","table":"Track"}',
    '{"id":"4","kind":"table","database":"b","table":"Track"}',
  );
  useStore.setState({ tabs });
  followRenames('a', [{ from: 'Track', to: 'Song' }]);
  const now = useStore.getState().tabs as readonly (Tab & { readonly table: string })[];
  expect(now.map(({ table }) => table)).toEqual(['Song', 'Song', 'Song', 'Track']);
});
