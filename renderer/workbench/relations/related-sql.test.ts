import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { REFERENCES_TO, countSql } from './related-sql.ts';

const SHOP = `
  CREATE TABLE artist (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
  CREATE TABLE album (id INTEGER PRIMARY KEY, artist INTEGER REFERENCES Artist);
  CREATE TABLE "odd ""name" (who TEXT REFERENCES artist (code), "a b" INTEGER REFERENCES artist (id));
  CREATE INDEX by_who ON "odd ""name" (who);
  CREATE TABLE pair (a, b, FOREIGN KEY (a, b) REFERENCES artist (id, code));
  INSERT INTO artist VALUES (1, 'x'), (2, 'y');
  INSERT INTO album (artist) VALUES (1), (1), (2);
  INSERT INTO "odd ""name" VALUES ('x', 1), ('x', 2);
  INSERT INTO pair VALUES (1, 'x'), (1, 'y'), (2, 'x');`;

test('finds foreign keys, by whatever name and with what they point at, and counts what refers to a row', () => {
  const db = new Sqlite(':memory:');
  db.pragma('foreign_keys = OFF'); // one of the keys leads nowhere, as happens in real files
  db.exec(SHOP);
  expect(db.prepare(REFERENCES_TO).raw().all({ 1: 'artist' })).toEqual([
    ['album', '["artist"]', '["id"]', 0],
    ['odd "name', '["a b"]', '["id"]', 0],
    ['odd "name', '["who"]', '["code"]', 1],
    ['pair', '["a","b"]', '["id","code"]', 0],
  ]);
  const references = [
    { table: 'album', columns: ['artist'] },
    { table: 'pair', columns: ['a', 'b'] },
    { table: 'odd "name', columns: ['who'] },
  ];
  expect(db.prepare(countSql(references)).get({ 1: 1, 2: 1, 3: 'x', 4: 'x' })).toEqual({ c0: 2, c1: 1, c2: 2 });
});

test('a key of several columns that names none means the primary key, column by column', () => {
  const db = new Sqlite(':memory:');
  db.exec(`CREATE TABLE track (album, number, PRIMARY KEY (album, number));
    CREATE TABLE play (at, a, n, FOREIGN KEY (a, n) REFERENCES track); CREATE INDEX by_n ON play (n);`);
  expect(db.prepare(REFERENCES_TO).raw().all({ 1: 'track' })).toEqual([['play', '["a","n"]', '["album","number"]', 1]]);
});
