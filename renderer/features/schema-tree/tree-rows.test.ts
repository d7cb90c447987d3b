import { expect, test } from 'vitest';
import type { SchemaObject } from '#shared/protocol/index.ts';
import { treeRows } from './tree-rows.ts';
import type { TreeOptions } from './tree-rows.ts';

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
