import { expect, test } from 'vitest';
import type { SchemaObject } from '#shared/protocol/index.ts';
import { sqlOf } from './object-sql.ts';

const object = (kind: SchemaObject['kind'], name: string, tableName: string, sql: string | null): SchemaObject => ({
  kind,
  name,
  tableName,
  sql,
  rows: null,
  problem: null,
});
const TABLE = object('table', 'a', 'a', 'CREATE TABLE a (x UNIQUE)');
const AUTOMATIC = object('index', 'sqlite_autoindex_a_1', 'a', null);
const INDEX = object('index', 'a_x', 'a', 'CREATE INDEX a_x ON a (x)');
const TRIGGER = object('trigger', 'a_t', 'a', 'CREATE TRIGGER a_t AFTER INSERT ON a BEGIN SELECT 1; END');
const OTHER = object('index', 'b_x', 'b', 'CREATE INDEX b_x ON b (x)');
const ALL = [TABLE, AUTOMATIC, INDEX, TRIGGER, OTHER];

test('the SQL of a table has its indexes and triggers, that of others is one statement, and an automatic index has none', () => {
  expect(sqlOf(TABLE, ALL)).toBe(`${TABLE.sql};\n\n${INDEX.sql};\n\n${TRIGGER.sql};`);
  expect(sqlOf(INDEX, ALL)).toBe(`${INDEX.sql};`);
  expect(sqlOf(AUTOMATIC, ALL)).toBeNull();
});

test('a trigger that writes the name of its table differently belongs to the table, too', () => {
  const trigger = { ...TRIGGER, tableName: 'A' };
  expect(sqlOf(TABLE, [TABLE, trigger])).toBe(`${TABLE.sql};\n\n${TRIGGER.sql};`);
});

test('a comment at the end does not hide the semicolon', () => {
  const view = object('view', 'v', 'v', 'CREATE VIEW v AS SELECT 1 -- one');
  expect(sqlOf(view, [view])).toBe(`${view.sql}\n;`);
});
