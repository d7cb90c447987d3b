import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { TAB_KINDS } from '../app/tab-kinds.ts';
import { LIVE_BY_ITSELF } from '../workbench/tabs/query.ts';
import type { QueryTab } from '../workbench/tabs/query.ts';
import { PLAIN_VIEW } from '../workbench/tabs/table.ts';
import type { TableTab } from '../workbench/tabs/table.ts';
import { parseState, stringifyState } from './state-json.ts';
import { registerTabKinds } from './tab-kinds.ts';
import { readWindowState } from './window-state.ts';
import type { WindowState } from './window-state.ts';

// The content of a tab needs a page, as does the connection.
vi.mock('../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../connection/connect.ts', () => ({
  connectHost: () => undefined,
  connectNative: () => undefined,
  connectProcesses: () => undefined,
}));
vi.mock(import('../features/table-data/table-data-tab.tsx'), () => ({ TableDataTab: () => null }));
vi.mock(import('../features/history/history-tab.tsx'), () => ({ HistoryTab: () => null }));

registerTabKinds(TAB_KINDS);

const TABLE: TableTab = {
  id: 't1',
  kind: 'table',
  database: 'a',
  table: 'Track',
  preview: true,
  view: {
    ...PLAIN_VIEW,
    sort: [{ column: 'Name', descending: true }],
    filter: [
      { column: 'id', operator: '=', value: 9_007_199_254_740_993n },
      { column: 'hash', operator: '=', value: Uint8Array.of(0, 255) },
      { column: 'price', operator: '<', value: { real: 2 } },
    ],
    widths: { Name: 120 },
    topRow: 4_000_000,
  },
  map: { column: 'geom', coordinates: 'plane' },
};

const QUERY: QueryTab = {
  id: 't2',
  kind: 'query',
  database: 'b',
  title: 'Query 1',
  sql: "SELECT '\u{1F600}'",
  split: 0.3,
  live: { pinned: true, limitMs: null },
  parameters: { ':a': { type: 'integer', text: '7' } },
  file: {
    token: 'f1',
    fileName: 'report.sql',
    displayPath: '~/report.sql',
    encoding: 'utf-16le-bom',
    lineEnds: 'crlf',
    content: 'abc',
    isUnsaved: true,
  },
};

const STATE: WindowState = {
  databases: ['a', 'b'],
  currentDatabase: 'b',
  activeTabId: 't2',
  layout: {
    sidebarVisible: false,
    detailsVisible: true,
    sidebarWidth: 300,
    detailsWidth: 200,
    filterRowVisible: false,
    splitShare: 0.4,
    mapShare: 0.3,
  },
  split: { left: 't1', right: 't2', scrolls: true, selects: false },
  tabs: [TABLE, QUERY],
  closedTabs: [{ ...QUERY, id: 't3' }],
};

test('a window comes back as it was, 64-bit integers and bytes of filters included', () => {
  expect(readWindowState(parseState(stringifyState(STATE)))).toEqual(STATE);
});

test('nothing and nonsense become an empty window', () => {
  const empty = readWindowState(undefined);
  expect(empty).toMatchObject({ databases: [], tabs: [], activeTabId: null });
  for (const text of [null, '', '{', '[]', '7', 'null', '{"$integer":"x"}'])
    expect(readWindowState(parseState(text))).toEqual(empty);
});

test('a damaged tab costs only itself', () => {
  const stored = { ...STATE, tabs: [{ id: 1 }, null, STATE.tabs[1], { id: 'x', kind: 'table', database: 'a' }, 'tab'] };
  expect(readWindowState(parseState(stringifyState(stored))).tabs).toEqual([STATE.tabs[1]]);
});

test('whatever JSON is stored, a state comes out', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const state = readWindowState(
        parseState(stringifyState({ ...STATE, tabs: value, layout: value, databases: value })),
      );
      expect(Array.isArray(state.tabs)).toBe(true);
      expect(state.layout.sidebarWidth).toBeGreaterThanOrEqual(0);
    }),
    { seed: 20_261, numRuns: seedCount(100) },
  );
});

test('an import tab of an earlier version finds its file again', () => {
  const tab = { id: 'i', kind: 'import', fileName: 'a.csv', token: 'f1', into: { database: null, table: null } };
  const { tabs } = readWindowState({ tabs: [{ ...tab, sourceId: '0a' }] });
  expect(tabs).toEqual([{ ...tab, database: null, locationId: '0a' }]);
  expect(readWindowState({ tabs })).toMatchObject({ tabs });
});

test('a damaged field of a tab costs only itself', () => {
  const view = {
    sort: 'x',
    filter: [{ column: 1 }, { column: 'a', operator: '=' }],
    widths: { a: -1, b: 2 },
    topRow: -1,
  };
  const stored = {
    tabs: [
      { ...TABLE, view, preview: 'yes' },
      { ...QUERY, split: 7, live: { pinned: 1, limitMs: -3 } },
    ],
  };
  const { tabs } = readWindowState(stored);
  expect(tabs[0]?.preview).toBeUndefined();
  expect(tabs).toMatchObject([
    {
      view: { ...PLAIN_VIEW, filter: [{ column: 'a', operator: '=' }], widths: { b: 2 } },
    },
    { split: 0.42, live: LIVE_BY_ITSELF },
  ]);
  expect(readWindowState({ layout: { sidebarWidth: '9', detailsWidth: -1, sidebarVisible: 0 } }).layout).toEqual(
    readWindowState({}).layout,
  );
});
