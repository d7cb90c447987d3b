import { expect, test } from 'vitest';
import { registerTabKinds, tabKind } from '../../state/tab-kinds.ts';
import { LIVE_BY_ITSELF, QUERY_TAB, type QueryTab } from '../../workbench/tabs/query.ts';
import { actionItems, paletteItems, rankItems } from './palette-items.ts';

registerTabKinds([tabKind(QUERY_TAB, { Content: () => null })]);
const tab: QueryTab = {
  id: 't',
  kind: 'query',
  database: 'a',
  title: 'Track',
  sql: '',
  split: 0.4,
  live: LIVE_BY_ITSELF,
  parameters: {},
  file: null,
};

const items = paletteItems({
  tabs: [tab],
  schema: {
    schemaVersion: 1,
    objects: [
      { kind: 'table', name: 'Track', tableName: 'Track', sql: '', rows: null, problem: null },
      { kind: 'index', name: 'track_by_name', tableName: 'Track', sql: '', rows: null, problem: null },
    ],
  },
  entries: [],
  enabled: new Set(['tab.close', 'help.keys', 'palette.show']),
});
const labels = (typed: string): string[] => rankItems(items, typed).map(({ item }) => `${item.kind} ${item.label}`);

test('what is open comes first, then what could be opened; only enabled commands are offered', () => {
  expect(labels('track')).toEqual(['tab Track', 'table Track', 'index track_by_name']);
  expect(labels('')).toEqual([
    'tab Track',
    'table Track',
    'command Close Tab',
    'command Keyboard Shortcuts',
    'index track_by_name',
  ]);
});

test('> asks for commands alone', () => {
  expect(labels('>')).toEqual(['command Close Tab', 'command Keyboard Shortcuts']);
  expect(labels('> keys')).toEqual(['command Keyboard Shortcuts']);
  expect(labels('>track')).toEqual([]);
  expect(labels('>short')).toEqual(['command Keyboard Shortcuts']);
});

test('an index leads to its table', () => {
  expect(rankItems(items, 'by_name')[0]?.item.target).toMatchObject({ kind: 'object', table: 'Track' });
});

test('entries of a menu are found by typing, those that do nothing now are left out', () => {
  const run = (): void => undefined;
  const actions = actionItems([
    { label: 'Open', run },
    'separator',
    { heading: 'More' },
    { label: 'Rename…', run },
    { label: 'Drop…', run, disabled: true },
    { submenu: 'Copy as', entries: [] },
  ]);
  expect(actions.map(({ label }) => label)).toEqual(['Open', 'Rename…']);
  expect(rankItems(actions, 'ren').map(({ item }) => item.label)).toEqual(['Rename…']);
});
