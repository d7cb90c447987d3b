// Tables with a CHECK that mentions the table by its name, which SQLite cannot rename without everything that refers to it.
import { describe, expect, test } from 'vitest';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { changeSchema, isClean } from './change.ts';
import type { Pause } from '../sessions/session.ts';
import { asOnServer, endlessTurn, finish, testEngines } from './engines.test-suite.ts';
import { planChanges } from './plan.ts';
import { usesWithParts } from './uses.ts';
import { Work } from './work.ts';

const SCHEMA = [
  'CREATE TABLE "a t"(id INTEGER PRIMARY KEY AUTOINCREMENT, n, up AS (upper(n)) STORED, CHECK ("a t".n <> 7))',
  `INSERT INTO "a t"(id, n) VALUES (1, 'x'), (5, -2), (9, x'00')`,
  'DELETE FROM "a t" WHERE id = 9',
  'CREATE TABLE child(p REFERENCES "a t" ON DELETE CASCADE)',
  'INSERT INTO child VALUES (1), (5)',
  'CREATE TABLE log(what)',
  'CREATE INDEX by_n ON "a t"(n)',
  'CREATE TRIGGER noted AFTER INSERT ON "a t" BEGIN INSERT INTO log VALUES (new.id); END',
  'CREATE VIEW v AS SELECT n FROM "a t"',
];
const ANEW =
  'CREATE TABLE "a t"(n NOT NULL, id INTEGER PRIMARY KEY AUTOINCREMENT, up AS (upper(n)) STORED, CHECK ("a t".n <> 8))';
const CHANGE: SchemaChange = { kind: 'change-table', table: 'a t', sql: ANEW, columns: ['n', 'id', 'up'] };

describe.each([...testEngines, asOnServer])('a table with a CHECK that names it, $name', ({ open }) => {
  const run = <T>(connection: Connection, body: (work: Work) => Generator<Pause, T>): T =>
    finish(body(new Work(endlessTurn(connection), () => undefined)));

  test('is planned, and made anew with all that belongs to it', () => {
    const connection = open();
    for (const sql of SCHEMA) connection.run(sql);
    const { steps, dependents } = run(connection, (work) => planChanges(work, [CHANGE]));
    expect(steps.map(({ kind }) => kind)).toEqual(['rebuild']);
    expect(dependents.map(({ name }) => name).toSorted()).toEqual(['by_n', 'child', 'noted', 'v']);
    const report = run(connection, (work) => changeSchema(work, [CHANGE]));
    expect(isClean(report)).toBe(true);
    expect(report.tables[0]).toMatchObject({ rowsBefore: 2, rowsAfter: 2, rowids: 'kept' });
    connection.run('COMMIT');
    expect(connection.all('SELECT sql FROM sqlite_schema WHERE sql NOT NULL').flat()).toEqual(
      expect.arrayContaining([ANEW, ...SCHEMA.filter((sql) => /^CREATE (?!TABLE "a t")/.test(sql))]),
    );
    expect(connection.all('SELECT id, n, up FROM "a t"')).toEqual([[1, 'x', 'X'], [5, -2, '-2']]); // prettier-ignore
    expect(connection.one('SELECT (SELECT count(*) FROM child), (SELECT count(*) FROM log)')).toEqual([2, 0]);
    connection.run('INSERT INTO "a t"(n) VALUES (\'new\')');
    expect(connection.one('SELECT max(id) FROM "a t"')).toEqual([10]);
    connection.close();
  });

  test('tells what uses it, and its columns', () => {
    const connection = open();
    for (const sql of SCHEMA) connection.run(sql);
    const uses = (column: string | null): readonly string[] =>
      run(connection, (work) => usesWithParts(work, 'a t', column)).map(({ name }) => name);
    expect(uses(null).toSorted()).toEqual(['by_n', 'child', 'noted', 'v']);
    expect(uses('n')).toEqual(expect.arrayContaining(['a t', 'by_n', 'v']));
    expect(connection.one('SELECT count(*) FROM "a t"')).toEqual([2]);
    connection.close();
  });
});
