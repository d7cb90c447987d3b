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
  INSERT INTO "odd ""name" VALUES ('x', 1), ('x', 2);`;

test('finds foreign keys of one column, by whatever name and with what they point at', () => {
  const db = new Sqlite(':memory:');
  db.pragma('foreign_keys = OFF'); // one of the keys leads nowhere, as happens in real files
  db.exec(SHOP);
  expect(db.prepare(REFERENCES_TO).raw().all({ 1: 'artist' })).toEqual([
    ['album', 'artist', 'id', 0],
    ['odd "name', 'a b', 'id', 0],
    ['odd "name', 'who', 'code', 1],
  ]);
  const references = [
    { table: 'album', column: 'artist' },
    { table: 'odd "name', column: 'who' },
  ];
  expect(db.prepare(countSql(references)).get({ 1: 1, 2: 'x' })).toEqual({ c0: 2, c1: 2 });
});
