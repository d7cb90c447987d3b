import { expect, test } from 'vitest';
import type { SchemaObject, SchemaSnapshot } from '#shared/protocol/index.ts';
import { renamedRelations } from './renamed-relations.ts';

const schema = (...statements: string[]): SchemaSnapshot => ({
  schemaVersion: 1,
  objects: statements.map((sql): SchemaObject => {
    const [, kind, name] = /^CREATE (?:VIRTUAL )?(\w+) "?(.*?)"? ?(?:\(|AS|USING)/.exec(sql)!;
    return { kind: kind!.toLowerCase() as 'table', name: name!, tableName: name!, sql, rows: null, problem: null };
  }),
});
const renamed = (before: SchemaSnapshot, after: SchemaSnapshot): string[] =>
  renamedRelations(before, after).map(({ from, to }) => `${from} → ${to}`);

const OTHER = 'CREATE TABLE other (id)';

test('a table that is gone and a new one with the same definition are the same table', () => {
  const before = schema('CREATE TABLE old (id INTEGER, boss REFERENCES old (id), CHECK (old.id > 0))', OTHER);
  const after = schema('CREATE TABLE "new" (id INTEGER, boss REFERENCES "new" (id), CHECK ("new".id > 0))', OTHER);
  expect(renamed(before, after)).toEqual(['old → new']);
  expect(renamed(after, before)).toEqual(['new → old']);
  expect(renamed(schema('CREATE VIEW a AS SELECT 1'), schema('CREATE VIEW b AS SELECT 1'))).toEqual(['a → b']);
});

test('nothing is renamed where a table was dropped, created, changed or duplicated', () => {
  const one = 'CREATE TABLE one (id)';
  expect(renamed(schema(one, OTHER), schema(OTHER))).toEqual([]);
  expect(renamed(schema(OTHER), schema(one, OTHER))).toEqual([]);
  expect(renamed(schema(one), schema('CREATE TABLE two (id, more)'))).toEqual([]);
  expect(renamed(schema(one), schema('CREATE VIEW two (id) AS SELECT 1'))).toEqual([]);
  expect(renamed(schema(one), schema(one, 'CREATE TABLE two (id)'))).toEqual([]);
});

test('of several alike it is not known which became which', () => {
  const more = schema('CREATE TABLE a (id)', 'CREATE TABLE b (id)');
  expect(renamed(more, schema('CREATE TABLE c (id)'))).toEqual([]);
  expect(renamed(more, schema('CREATE TABLE c (id)', 'CREATE TABLE d (id)'))).toEqual([]);
  expect(renamed(more, schema('CREATE TABLE a (id)', 'CREATE TABLE c (id)'))).toEqual(['b → c']);
});
