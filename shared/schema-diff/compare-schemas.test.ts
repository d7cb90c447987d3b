import { expect, test } from 'vitest';
import { NO_RENAMES } from './accepted-renames.ts';
import type { Renames } from './accepted-renames.ts';
import { compareSchemas, countDifferences } from './compare-schemas.ts';
import type { ObjectDifference } from './compare-schemas.ts';
import { likelyColumnRenames, likelyTableRenames } from './renames.ts';
import { sameSql } from './same-sql.ts';
import { schemaOf } from './schema-of.test-suite.ts';

const options = (renames: Renames = NO_RENAMES) => ({ meaningOnly: true, renames });

const lines = (objects: readonly ObjectDifference[], indent = ''): readonly string[] =>
  objects.flatMap(({ kind, name, status, table, children }) => [
    `${indent}${status} ${kind} ${name}${table ? `: ${table.changes.map((change) => change.kind).join()}` : ''}`,
    ...lines(children, `${indent}  `),
  ]);

test('objects are added, removed, changed, and the same, with indexes and triggers below their table', () => {
  const from = schemaOf(
    'CREATE TABLE a (id INTEGER PRIMARY KEY, x)',
    'CREATE TABLE gone (y)',
    'CREATE TABLE same (z)',
    'CREATE INDEX i ON a (x)',
    'CREATE INDEX old ON same (z)',
    'CREATE VIEW v AS SELECT x FROM a',
  );
  const to = schemaOf(
    'CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT NOT NULL, w)',
    'CREATE TABLE same (z)',
    'CREATE INDEX i ON a (x DESC)',
    'CREATE VIEW v AS SELECT w FROM a',
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END',
  );
  const difference = compareSchemas(from, { ...to, settings: { ...to.settings, user_version: '3' } }, options());
  expect(lines(difference.objects)).toEqual([
    'changed table a: add-column,set-type,set-not-null',
    '  changed index i',
    '  added trigger t',
    'removed table gone',
    'same table same',
    '  removed index old',
    'changed view v',
  ]);
  expect(difference.settings).toEqual([
    { name: 'user_version', from: '0', to: '3' },
    { name: 'page_size', from: '4096', to: '4096' },
  ]);
  expect(countDifferences(difference)).toEqual({ added: 1, removed: 2, changed: 4, same: 1 });
});

test('an index that moved to another table has changed, below the table it will belong to', () => {
  const from = schemaOf('CREATE TABLE a (x)', 'CREATE TABLE b (x)', 'CREATE INDEX i ON a (x)');
  const to = schemaOf('CREATE TABLE a (x)', 'CREATE TABLE b (x)', 'CREATE INDEX i ON b (x)');
  expect(lines(compareSchemas(from, to, options()).objects)).toEqual([
    'same table a',
    'same table b',
    '  changed index i',
  ]);
});

test('a table that became a view has changed', () => {
  const difference = compareSchemas(schemaOf('CREATE TABLE a (x)'), schemaOf('CREATE VIEW a AS SELECT 1'), options());
  expect(lines(difference.objects)).toEqual(['changed view a']);
});

test('comments, white space, quotes of names, and the case of keywords are ignored on request only', () => {
  const from = schemaOf('CREATE TABLE a (x, "y" TEXT) -- old');
  const to = schemaOf('create table a (\n  x,\n  y TEXT /* new */\n)');
  expect(lines(compareSchemas(from, to, options()).objects)).toEqual(['same table a']);
  const exact = compareSchemas(from, to, { meaningOnly: false, renames: NO_RENAMES });
  expect(lines(exact.objects)).toEqual(['changed table a: set-text']);
});

test.each([
  ['SELECT "a" FROM [t]', 'select a from "t"', true],
  ["DEFAULT 'a'", 'DEFAULT "a"', false],
  ["DEFAULT 'a'", "DEFAULT 'A'", false],
  ['DEFAULT "Abc"', 'DEFAULT "abc"', false],
  ['DEFAULT "Abc"', 'DEFAULT abc', false],
  ['DEFAULT "true"', 'DEFAULT true', false],
  ['a INTEGER', 'a integer', false],
  ['a "select"', 'a select', false],
  ["x'00FF'", "x'00ff'", false],
  ['a,b', 'a , b -- and nothing', true],
  ['a', 'a b', false],
  ['a /* open', 'a', true],
])('%s and %s are the same: %s', (one, other, isSame) => {
  expect(sameSql(one, other)).toBe(isSame);
  expect(sameSql(other, one)).toBe(isSame);
});

test('renames are suggested, and count once they are accepted', () => {
  const from = schemaOf('CREATE TABLE person (id INTEGER, name TEXT, born TEXT)', 'CREATE INDEX i ON person (name)');
  const to = schemaOf('CREATE TABLE people (id INTEGER, name TEXT, birthday TEXT)', 'CREATE INDEX i ON people (name)');
  const { objects } = compareSchemas(from, to, options());
  expect(lines(objects)).toEqual(['added table people', '  changed index i', 'removed table person']);
  const [table] = likelyTableRenames(objects);
  expect(table).toEqual({ from: 'person', to: 'people' });
  const renamed = compareSchemas(from, to, options({ tables: [table!], columns: [] })).objects;
  expect(lines(renamed)).toEqual(['changed table people: rename-table,drop-column,add-column', '  changed index i']);
  const columns = renamed.flatMap(likelyColumnRenames);
  expect(columns).toEqual([{ table: 'people', from: 'born', to: 'birthday' }]);
  expect(lines(compareSchemas(from, to, options({ tables: [table!], columns })).objects)).toEqual([
    'changed table people: rename-table,rename-column',
    '  changed index i',
  ]);
});

test('tables that have little in common are no rename', () => {
  const from = schemaOf('CREATE TABLE a (id INTEGER, x TEXT, y TEXT)');
  const to = schemaOf('CREATE TABLE b (id INTEGER, v TEXT, w TEXT)');
  expect(likelyTableRenames(compareSchemas(from, to, options()).objects)).toEqual([]);
});
