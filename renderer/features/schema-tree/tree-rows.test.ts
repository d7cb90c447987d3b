import { expect, test } from 'vitest';
import type { SchemaObject } from '#shared/protocol/index.ts';
import { treeRows, type TreeOptions } from './tree-rows.ts';

const object = (kind: SchemaObject['kind'], name: string, tableName = name): SchemaObject => ({
  kind,
  name,
  tableName,
  sql: name.startsWith('sqlite_autoindex') ? null : `CREATE ${kind} ${name}`,
  rows: null,
  problem: null,
});
const SCHEMA = {
  schemaVersion: 1,
  objects: [
    object('table', 'track10'),
    object('table', 'track9'),
    object('table', 'Album'),
    object('view', 'best'),
    object('virtual', 'search'),
    object('shadow', 'search_data', 'search'),
    object('shadow', 'search_idx', 'search'),
    object('index', 'by_name', 'Album'),
    object('index', 'sqlite_autoindex_Album_1', 'Album'),
  ],
};
const COLUMNS = [
  { table: 'Album', columns: ['AlbumId', 'Title'] },
  { table: 'best', columns: ['Title'] },
];
const NOTHING: TreeOptions = { filter: '', columns: COLUMNS, folded: new Set(), unfolded: new Set() };
const shown = (options: Partial<TreeOptions>): string[] =>
  treeRows(SCHEMA, { ...NOTHING, ...options }).map((row) =>
    row.kind === 'heading'
      ? `# ${row.group} ${row.count}`
      : row.kind === 'column'
        ? `. ${row.column}`
        : row.kind === 'attached'
          ? `@ ${row.attached.name} ${row.count}${row.folded ? ' +' : ''}`
          : row.kind === 'note'
            ? `! ${row.text}`
            : `${'- '.repeat(row.depth)}${row.object.name}`,
  );

test('groups in order, names as people count, without automatic indexes and shadow tables', () => {
  expect(shown({})).toEqual([
    ...['# Tables 3', 'Album', 'track9', 'track10'],
    ...['# Views 1', 'best'],
    ...['# Virtual tables 1', 'search'],
    ...['# Indexes 1', 'by_name'],
  ]);
});

test('shadow tables unfold below their table, groups fold', () => {
  expect(shown({ unfolded: new Set(['search']), folded: new Set(['Tables', 'Indexes']) })).toEqual([
    '# Tables 3',
    ...['# Views 1', 'best'],
    ...['# Virtual tables 1', 'search', '- search_data', '- search_idx'],
    '# Indexes 1',
  ]);
});

test('the filter finds columns and shadow tables, also in folded groups', () => {
  expect(shown({ filter: 'TITLE', folded: new Set(['Tables']) })).toEqual([
    '# Tables 1',
    'Album',
    '. Title',
    '# Views 1',
    'best',
    '. Title',
  ]);
  expect(shown({ filter: '_idx' })).toEqual(['# Virtual tables 1', 'search', '- search_idx']);
  expect(shown({ filter: 'nothing like it' })).toEqual([]);
});

test('beginnings of names come before names, and names before columns', () => {
  const objects = ['Apart', 'cart', 'art', 'Line'].map((name) => object('table', name));
  const rows = treeRows(
    { schemaVersion: 1, objects },
    {
      ...NOTHING,
      filter: 'art',
      columns: [
        { table: 'Apart', columns: [] },
        { table: 'Line', columns: ['part'] },
      ],
    },
  );
  expect(rows.map((row) => row.kind === 'object' && row.object.name).filter(Boolean)).toEqual([
    'art',
    'Apart',
    'cart',
    'Line',
  ]);
});

test('attached files follow, each with its tables and then its views', () => {
  const prices = { name: 'prices', file: 'file:2', fileName: 'prices.db', why: null };
  const gone = { name: 'old', file: 'file:3', fileName: 'old.db', why: 'There is no file “old.db”.' };
  const objects = [object('view', 'a_view'), object('table', 'price'), object('index', 'by_item', 'price')];
  const attached = [
    { attached: prices, objects },
    { attached: gone, objects: null },
  ];
  const last = (options: Partial<TreeOptions>): string[] => {
    const rows = shown({ attached, ...options });
    return rows.slice(rows.findIndex((row) => row.startsWith('@')));
  };
  expect(last({})).toEqual(['@ prices 2', 'price', 'a_view', '@ old null', '! There is no file “old.db”.']);
  expect(last({ folded: new Set(['file:2']) }).slice(0, 2)).toEqual(['@ prices 2 +', '@ old null']);
  expect(shown({ attached: [{ attached: prices, objects: null }] }).at(-1)).toBe('@ prices null +');
  expect(last({ filter: 'a_v', folded: new Set(['file:2']) })).toEqual(['@ prices 1', 'a_view']);
  expect(shown({ attached, filter: 'album' }).join()).not.toContain('@');
});
