// The differences of a comparison as changes that a server makes: by the key of each row, and in an order that keeps foreign keys.
import { expect, test } from 'vitest';
import type { ComparedTables } from '#shared/protocol/row-comparison.ts';
import type { Connection } from '../engines/engine.ts';
import { endlessTurn, finish, testEngines } from '../schema-change/engines.test-suite.ts';
import { madeByComparison } from './made-by-comparison.ts';
import { compareRowsOf } from './row-comparison.ts';
import type { ComparedRows } from './row-comparison.ts';

function run(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
}

function changes(mine: Connection, theirs: Connection, tables: readonly ComparedTables[] | null = null) {
  const steps = compareRowsOf(endlessTurn(mine).connection, theirs, tables);
  return madeByComparison(mine, finish(steps as Generator<never, ComparedRows>).collected.changes);
}

const [{ open }] = testEngines as readonly [(typeof testEngines)[number]];

function two(schema: string, mine: string, theirs: string) {
  const both = [open(), open()] as const;
  run(both[0], `${schema}; ${mine}`);
  run(both[1], `${schema}; ${theirs}`);
  return both;
}

test('names each row by its own key, with the values that it rests on', () => {
  const [mine, theirs] = two(
    'CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); CREATE TABLE bare(v); CREATE TABLE w(x, y, v, PRIMARY KEY (x, y)) WITHOUT ROWID',
    "INSERT INTO t VALUES (1, 'a', NULL), (2, 'b', 2); INSERT INTO bare(rowid, v) VALUES (7, 'x'); INSERT INTO w VALUES (1, 'k', 1)",
    "INSERT INTO t VALUES (1, 'a', 5), (3, 'c', 3); INSERT INTO bare(rowid, v) VALUES (7, NULL); INSERT INTO w VALUES (1, 'k', 2)",
  );
  expect(changes(mine, theirs)).toEqual([
    { table: 't', before: { key: [2], image: { id: 2, a: 'b', b: 2 } }, after: null },
    { table: 'bare', before: { key: [7], image: { v: 'x' } }, after: { key: [7], image: { v: null } } },
    { table: 't', before: { key: [1], image: { b: null } }, after: { key: [1], image: { b: 5 } } },
    { table: 'w', before: { key: [1, 'k'], image: { v: 1 } }, after: { key: [1, 'k'], image: { v: 2 } } },
    { table: 't', before: null, after: { key: [3], image: { id: 3, a: 'c', b: 3 } } },
  ]);
});

test('deletes rows before those that they refer to, and adds them after these', () => {
  const [mine, theirs] = two(
    'CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent); CREATE TABLE parent(id INTEGER PRIMARY KEY, up REFERENCES parent)',
    'PRAGMA foreign_keys = OFF; INSERT INTO parent VALUES (1, NULL); INSERT INTO child VALUES (10, 1)',
    'PRAGMA foreign_keys = OFF; INSERT INTO parent VALUES (2, NULL); INSERT INTO child VALUES (20, 2)',
  );
  const order = changes(mine, theirs).map(({ table, after }) => `${after ? 'add' : 'delete'} ${table}`);
  expect(order).toEqual(['delete child', 'delete parent', 'add parent', 'add child']);
});

test('finds the own key of rows that were matched by another one, also if that is what differs', () => {
  const [mine, theirs] = two(
    'CREATE TABLE t(id INTEGER PRIMARY KEY, u TEXT UNIQUE NOT NULL, v); CREATE TABLE bare(u TEXT UNIQUE NOT NULL, v)',
    "INSERT INTO t VALUES (1, 'a', 1); INSERT INTO bare VALUES ('a', 1)",
    "INSERT INTO t VALUES (5, 'a', 1); INSERT INTO bare VALUES ('a', 2)",
  );
  expect(changes(mine, theirs, [{ from: 't', to: 't', key: ['u'] }])).toEqual([
    { table: 't', before: { key: [1], image: { id: 1 } }, after: { key: [5], image: { id: 5 } } },
  ]);
  expect(() => changes(mine, theirs, [{ from: 'bare', to: 'bare', key: ['u'] }])).toThrow(
    /matched by columns that are not their key.*Save the differences as SQL/s,
  );
});
