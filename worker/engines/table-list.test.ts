// The list of tables that is read from texts, against SQLite's own.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { KNOWN_SCHEMAS } from '#shared/ddl/known-schemas.test-suite.ts';
import { randomTable } from '#shared/ddl/random-table.test-suite.ts';
import { createRandom } from '#shared/random.ts';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Connection } from './engine.ts';
import { findTable, listTables } from './table-list.ts';

/** Asks SQLite last, which would show the module of a pragma among the others. */
function expectSameList(script: string): void {
  const db = new DatabaseSync(':memory:');
  try {
    db.exec(script);
    const all = (sql: string, params: readonly string[] = []): unknown[][] =>
      db
        .prepare(sql)
        .all(...params)
        .map((row) => Object.values(row));
    const reader = { all } as unknown as Pick<Connection, 'all'>;
    const tables = listTables(reader);
    for (const table of tables) {
      const capitals = table.name.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
      expect(findTable(reader, capitals)).toEqual(table);
    }
    expect(findTable(reader, 'no_such_table')).toBeNull();
    const own = tables.map(({ name, kind, withoutRowid, strict }) => [name, kind, +withoutRowid, +strict]);
    const said = all("SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'");
    expect(new Set(own.map(String))).toEqual(new Set(said.map(String)));
  } finally {
    db.close();
  }
}

test.each(Object.entries(KNOWN_SCHEMAS))('the tables of %s', (_, script) => expectSameList(script));

test('odd names, options, and modules', () => {
  expectSameList(`
    CREATE TABLE "strict" (a TEXT /* ) STRICT */) -- without rowid
    ; CREATE TABLE a_date (x INT PRIMARY KEY) WITHOUT ROWID, STRICT;
    CREATE TABLE b (x INT PRIMARY KEY CHECK (x <> 'without')) Strict , without /* ) */ rowid;
    CREATE TABLE c AS SELECT 1 AS without;
    CREATE VIRTUAL TABLE "A" USING FTS5(x);
    CREATE TABLE A_node (x); CREATE TABLE a_docs (x);
    CREATE VIRTUAL TABLE m_idx USING fts5(x, content='');
    CREATE VIRTUAL TABLE [f x] USING fts4(x); CREATE VIRTUAL TABLE f3 USING fts3(x);
    CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); CREATE VIRTUAL TABLE ri USING rtree_i32(id, x0, x1, +note);
    CREATE VIRTUAL TABLE g USING geopoly(note);
    CREATE VIEW v (without, strict) AS SELECT 1, 2; CREATE VIEW broken AS SELECT * FROM nowhere;
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT); ANALYZE`);
});

test('random tables', () => {
  for (let seed = 0; seed < seedCount(500); seed += 1) {
    const { sql } = randomTable(createRandom(seed));
    const db = new DatabaseSync(':memory:');
    let isAccepted = true;
    try {
      db.exec(sql);
    } catch {
      isAccepted = false;
    }
    db.close();
    if (isAccepted) expectSameList(sql);
  }
});
