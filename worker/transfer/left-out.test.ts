// An object that SQLite cannot use keeps nothing else from being moved, and is named.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TransferPlan } from '#shared/protocol/transfer.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { openStrange, STRANGE_SCHEMA } from '../engines/strange-schema.test-suite.ts';
import { IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { databaseOf, ENGINES, native, temporaryFolder } from '../export/export-fixture.test-suite.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { moveTables } from './move.ts';
import type { Moved } from './move.ts';

function strange(engine: Engine, sql: string): Connection {
  const connection = openStrange(engine, engine === native ? join(temporaryFolder(), 'strange.db') : IN_MEMORY, sql);
  onTestFinished(() => connection.close());
  return connection;
}

function move(source: Connection, target: Connection, names: readonly string[]): Moved {
  const tables: TransferPlan['tables'] = names.map((name) => ({ name, into: name, how: 'new' }));
  const plan = { tables, indexes: true, triggers: true };
  const body = moveTables(undisturbedTurn(target), { source, plan, totalRows: 0, report: () => undefined });
  for (;;) {
    const step = body.next();
    if (step.done) return step.value;
  }
}

describe.each(ENGINES)('the %s engine', (_, engine) => {
  test('leaves out an index that it cannot create, and keeps the rows of its table', () => {
    const source = strange(
      engine,
      `${STRANGE_SCHEMA}; PRAGMA writable_schema = ON;
       CREATE INDEX by_v ON plain (v COLLATE NOCASE);
       UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'LOCALIZED') WHERE name = 'by_v'; PRAGMA writable_schema = RESET`,
    );
    const target = databaseOf(engine, 'CREATE TABLE taken (a); CREATE INDEX by_a ON taken (a)');
    const { leftOut, notes, tables } = move(source, target, ['plain', 'indexed', 'same_a']);
    expect(leftOut).toEqual([
      { kind: 'index', name: 'by_a', reason: 'Something with this name already exists.' },
      { kind: 'index', name: 'by_v', reason: expect.stringContaining('“LOCALIZED”') as unknown },
    ]);
    expect(notes.join('\n')).toContain('The index “by_v” was left out.');
    expect(notes.join('\n')).toContain('The table “indexed” compares its text by bytes now.');
    expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['plain', 2],
      ['indexed', 3],
    ]);
    expect(target.all("SELECT type FROM sqlite_schema WHERE name = 'same_a'")).toEqual([['view']]);
  });

  test('moves the rows of tables that it cannot make into plain tables', () => {
    const source = strange(
      engine,
      `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a, twice AS (abs(a)), UNIQUE (a));
       INSERT INTO t (id, a) VALUES (7, 1); CREATE INDEX by_twice ON t (twice);
       CREATE TABLE child (t REFERENCES t (id)); INSERT INTO child VALUES (7);
       CREATE VIRTUAL TABLE words USING fts5(x); INSERT INTO words (rowid, x) VALUES (5, 'hello');
       CREATE TABLE rest (a); INSERT INTO rest VALUES (1);
       PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, 'abs(', 'gone(') WHERE name = 't';
       UPDATE sqlite_schema SET sql = replace(sql, '(x)', '(x, tokenize = ''icu de'')') WHERE name = 'words';
       PRAGMA writable_schema = RESET`,
    );
    const target = databaseOf(engine, '');
    const { leftOut, notes, tables } = move(source, target, ['t', 'child', 'words', 'rest']);
    expect(leftOut.map(({ kind, name }) => [kind, name])).toEqual([
      ['table', 't'],
      ['table', 'words'],
      ['index', 'by_twice'],
    ]);
    expect(notes.join('\n')).toContain('The table “t” was left out. There is no function named “gone”.');
    expect(notes.join('\n')).toContain('The rows of “t” are in a plain table instead.');
    expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['t', 1],
      ['child', 1],
      ['rest', 1],
      ['words', 1],
    ]);
    expect(target.all('SELECT * FROM t')).toEqual([[7, 1]]);
    expect(target.all('SELECT rowid, x FROM words')).toEqual([[5, 'hello']]);
  });

  test('moves a view whose query fails', () => {
    const source = strange(engine, 'CREATE TABLE t (a); CREATE VIEW broken AS SELECT x FROM nowhere');
    const target = databaseOf(engine, '');
    expect(move(source, target, ['t', 'broken']).leftOut).toEqual([]);
    expect(target.all("SELECT name FROM sqlite_schema WHERE type = 'view'")).toEqual([['broken']]);
  });
});
