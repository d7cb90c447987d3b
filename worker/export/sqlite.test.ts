// Tests the export of chosen tables to a SQLite file by reading it with another build of SQLite: the same rows, and everything that can
// work without the other tables.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { ExportSource } from '#shared/protocol/export.ts';
import type { Connection } from '../engines/engine.ts';
import {
  contentsOf,
  contentsOfConnection,
  databaseOf,
  ENGINES,
  exportedFile,
  ofTable,
  readFile,
  temporaryFolder,
  native,
  wasm,
} from './export-fixture.test-suite.ts';
import { EVERYTHING } from './everything.test-suite.ts';
import { BLOB, exact, INTEGER, orNull, REAL, stored, tableWith, TEXT } from './round-trip-fixture.test-suite.ts';

async function fileOf(connection: Connection, source: ExportSource) {
  const reply = await exportedFile(connection, source, 'sqlite');
  const path = join(temporaryFolder(), 'out.sqlite');
  writeFileSync(path, reply.bytes);
  return { ...reply, read: readFile(path), path };
}

describe.each(ENGINES)('a SQLite file by the %s engine', (_name, engine) => {
  test('of everything is the same database', async () => {
    const connection = databaseOf(engine, `${EVERYTHING} DROP VIEW broken;`);
    const { read, notes, bytes, sizeBytes, rows } = await fileOf(connection, { kind: 'database' });
    expect([notes, sizeBytes]).toEqual([[], bytes.length]);
    expect(rows).toBeGreaterThan(20);
    expect([...bytes.subarray(18, 20)]).toEqual([1, 1]);
    expect(contentsOf(read)).toEqual(contentsOfConnection(connection));
    expect(read('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(read("SELECT rowid FROM notes WHERE notes MATCH 'walks'")).toEqual([[10n]]);
    expect(read("SELECT rowid FROM mail_index WHERE mail_index MATCH 'letter'")).toEqual([[5n]]);
  });

  test('of some tables has their indexes, triggers, views and sequences, and says what it leaves out', async () => {
    const connection = databaseOf(
      engine,
      `CREATE TABLE song (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT); CREATE TABLE log (what); CREATE TABLE other (x);
       INSERT INTO song (title) VALUES ('a'), ('b'), ('c'); DELETE FROM song WHERE id = 3; INSERT INTO other VALUES (1);
       CREATE INDEX song_title ON song (title); CREATE INDEX other_x ON other (x);
       CREATE VIEW titles AS SELECT title FROM song; CREATE VIEW twice AS SELECT * FROM titles, song; CREATE VIEW mixed AS SELECT * FROM song, other;
       CREATE VIEW unchosen AS SELECT 1; CREATE VIEW over AS SELECT * FROM mixed;
       CREATE TRIGGER noted AFTER INSERT ON song BEGIN INSERT INTO log VALUES (new.id); END;
       CREATE TRIGGER far AFTER UPDATE OF title ON song BEGIN UPDATE other SET x = new.id; END;
       CREATE TRIGGER instead INSTEAD OF DELETE ON titles BEGIN DELETE FROM song WHERE title = old.title; END;
       CREATE TRIGGER of_other AFTER DELETE ON other BEGIN SELECT 1; END; ANALYZE; PRAGMA user_version = 9`,
    );
    const { read, notes, rows } = await fileOf(connection, {
      kind: 'tables',
      tables: ['song', 'log', 'over', 'twice', 'titles', 'mixed'],
    });
    expect(rows).toBe(2 + 1 + 1);
    const names = read("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").flat();
    expect(names).toEqual(['instead', 'log', 'noted', 'song', 'song_title', 'titles', 'twice']);
    expect(notes).toEqual([
      'The view “mixed” was left out. There is no table named “main.other”.',
      'The view “over” was left out. There is no table named “main.mixed”.',
      'The trigger “far” was left out. There is no table named “main.other”.',
    ]);
    expect(read('SELECT id, title FROM song')).toEqual([
      [1n, 'a'],
      [2n, 'b'],
    ]);
    expect(read("SELECT seq FROM sqlite_sequence WHERE name = 'song'")).toEqual([[3n]]);
    expect(read('SELECT DISTINCT tbl FROM sqlite_stat1').flat()).toEqual(['song']);
    expect(read('PRAGMA user_version')).toEqual([[9n]]);
  });

  test('has every value as it was', async () => {
    const definition = { columns: { a: '', i: 'INTEGER', r: 'REAL', t: 'TEXT', b: 'BLOB' } };
    const value = orNull(fc.oneof(INTEGER, REAL, TEXT, BLOB));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value, value, value, value), { maxLength: 30 }), async (rows) => {
        const connection = tableWith(engine, definition, rows);
        const { path, notes } = await fileOf(connection, ofTable('original'));
        const back = native.open(path, { durability: 'balanced' });
        expect(exact(stored(back, 'original'))).toEqual(exact(stored(connection, 'original')));
        expect(notes).toEqual([]);
        back.close();
      }),
      { seed: 1307, numRuns: seedCount(20) },
    );
  });

  test('of a table as a grid shows it, of a query, and of the schema alone', async () => {
    const connection = databaseOf(
      engine,
      'CREATE TABLE n (i INTEGER PRIMARY KEY, k TEXT, twice AS (i * 2)); INSERT INTO n VALUES (1, 1), (2, NULL), (3, 3); CREATE INDEX n_k ON n (k)',
    );
    const some = await fileOf(
      connection,
      ofTable('n', { filter: [{ column: 'i', operator: '>', value: 1 }], columns: ['i', 'twice'] }),
    );
    expect(some.read('SELECT i, k, twice FROM n')).toEqual([
      [2n, null, 4n],
      [3n, null, 6n],
    ]);
    expect(some.read("SELECT count(*) FROM sqlite_schema WHERE name = 'n_k'")).toEqual([[1n]]);
    const whole = await fileOf(connection, ofTable('n'));
    expect(whole.read('SELECT i, k, twice FROM n')).toEqual([
      [1n, '1', 2n],
      [2n, null, 4n],
      [3n, '3', 6n],
    ]);
    const query = await fileOf(connection, {
      kind: 'query',
      sql: 'SELECT i * 0.5 AS half, i AS half FROM n ORDER BY i',
    });
    expect(query.read('SELECT * FROM result')).toEqual([
      [0.5, 1n],
      [1, 2n],
      [1.5, 3n],
    ]);
    const schema = await fileOf(connection, { kind: 'schema' });
    expect(schema.read('SELECT count(*) FROM n')).toEqual([[0n]]);
  });

  test('has rows that its own constraints would not let in again, but for those that SQLite cannot store', async () => {
    const connection = databaseOf(
      engine,
      `CREATE TABLE c (a CHECK (a > 0), p REFERENCES nowhere (x)); PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
       INSERT INTO c VALUES (-1, 7), (2, NULL)`,
    );
    const { read, notes } = await fileOf(connection, { kind: 'database' });
    expect(read('SELECT a, p FROM c')).toEqual([
      [-1n, 7n],
      [2n, null],
    ]);
    expect(notes).toEqual([]);
  });
});

test('a large table goes through in parts', async () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE big (i INTEGER PRIMARY KEY, t); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 200000) INSERT INTO big SELECT i, printf('%.*c', 500, 'x') FROM c",
  );
  const { read, rows } = await fileOf(connection, { kind: 'tables', tables: ['big'] });
  expect(rows).toBe(200_000);
  expect(read('SELECT count(*), sum(length(t)) FROM big')).toEqual([[200_000n, 100_000_000n]]);
});
