import { expect, test } from 'vitest';
import {
  contentsOf,
  contentsOfConnection,
  databaseOf,
  ENGINES,
  exported,
  readDump,
} from './export-fixture.test-suite.ts';

const numbers = (count: number): string =>
  `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${count}) SELECT`;

const filled = [0, 1, 2, 63, 64, 65, 66, 200].map(
  (count) =>
    `CREATE TABLE rows${count} (a, b TEXT, c REAL, d INTEGER UNIQUE);
     INSERT INTO rows${count} (rowid, a, b, c, d) ${numbers(200)} i * 3, -i, CAST(i AS TEXT), i, 1000 - i FROM c WHERE i <= ${count};`,
);
const KINDS = `
  CREATE TABLE one (a); INSERT INTO one VALUES (x'00ff'), (9223372036854775807), (1e999), ('1');
  CREATE TABLE keyed (a TEXT PRIMARY KEY, b AS (a || '!'), c) WITHOUT ROWID; INSERT INTO keyed VALUES ('z', 1), ('a', 2.0);
  CREATE TABLE "odd "" name" (rowid, "select" TEXT COLLATE NOCASE); INSERT INTO "odd "" name" VALUES (7, 'x');
  CREATE TABLE wide (${Array.from({ length: 60 }, (_, at) => `c${at}`).join(', ')}); INSERT INTO wide (c0, c59) VALUES (1, 2);
  CREATE VIRTUAL TABLE words USING fts5(a); INSERT INTO words VALUES ('walks');`;
/** More bytes than are read together: the tables after these are read by themselves. */
const LONG = ['x', 'y', 'z']
  .map((name) => `CREATE TABLE ${name} (a, b); INSERT INTO ${name} ${numbers(6)} i, zeroblob(100000 + i) FROM c;`)
  .join('\n');

test.each(ENGINES)('tables of few rows and of many are whole in a dump by the %s engine', (_name, engine) => {
  const connection = databaseOf(
    engine,
    [...filled, KINDS, LONG, ...filled.map((sql) => sql.replaceAll('rows', 'more'))].join('\n'),
  );
  const dump = exported(connection, { kind: 'database' }, 'dump');
  expect(contentsOf(readDump(dump.text, 'node:sqlite'))).toEqual(contentsOfConnection(connection));
  expect(dump.notes).toEqual([]);
});

test.each(ENGINES)(
  'what the %s engine cannot read of one table does not keep the others out of a dump',
  (name, engine) => {
    const connection = databaseOf(
      engine,
      `CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE TABLE b (x, y AS (abs(x)) VIRTUAL); INSERT INTO b (x) VALUES (2);
     CREATE TABLE text (x); INSERT INTO text VALUES (CAST(x'61ff62' AS TEXT)), ('c'); CREATE TABLE d (x); INSERT INTO d VALUES (4);`,
    );
    const { text, notes, rows } = exported(connection, { kind: 'database' }, 'dump');
    expect(text).toMatch(
      /INSERT INTO "a"[^;]*\b1\);[^]*INSERT INTO "b"[^;]*\b2\);[^]*'c'\);[^]*INSERT INTO "d"[^;]*\b4\);/,
    );
    expect(rows).toBe(5);
    expect(notes).toHaveLength(name === 'native' ? 1 : 0);
  },
);
