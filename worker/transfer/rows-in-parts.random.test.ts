// Random INSERT statements of several rows, each row a part of its own, against SQLite itself, which runs them whole.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { textBytes } from '../import/byte-sources.ts';
import { TranslatedDump } from '../import/sql/dump-reader.ts';
import { sqliteTranslator } from '../import/sql/sqlite-dialect.ts';
import { SqlText } from '../import/sql/sql-text.ts';
import { DumpLoad } from './dump-load.ts';
import { PLACES } from './transfer-fixture.test-suite.ts';

const tables = [
  'CREATE TABLE t (a, b REAL, c TEXT UNIQUE, d DEFAULT 7)',
  'CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b REAL, c TEXT UNIQUE, d DEFAULT 7)',
  'CREATE TABLE t (a INTEGER PRIMARY KEY, b REAL CHECK (b <> 3), c UNIQUE, d AS (a % 5) UNIQUE)',
  'CREATE TABLE t (a, b NOT NULL, c TEXT PRIMARY KEY, d DEFAULT 7) WITHOUT ROWID',
  'CREATE TABLE t (a REFERENCES t (c), b NOT NULL ON CONFLICT REPLACE DEFAULT 5, c UNIQUE ON CONFLICT IGNORE, d)',
  'CREATE TABLE t (a, b NOT NULL, c UNIQUE ON CONFLICT REPLACE, d UNIQUE DEFAULT NULL)',
  'CREATE TABLE t (a, b NOT NULL ON CONFLICT FAIL, c UNIQUE, d)',
];
const definitions = [
  'CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES ((SELECT count(*) FROM t), last_insert_rowid()); END',
  'CREATE TRIGGER g BEFORE INSERT ON t WHEN new.a = 2 BEGIN SELECT RAISE(IGNORE); END',
  "CREATE TRIGGER g BEFORE INSERT ON t WHEN (SELECT count(*) FROM t) = 4 BEGIN SELECT RAISE(ABORT, 'no'); END",
  "CREATE TRIGGER g AFTER INSERT ON t WHEN (SELECT count(*) FROM t) = 4 BEGIN SELECT RAISE(FAIL, 'no'); END",
  'CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (old.c, new.c); END',
  'CREATE UNIQUE INDEX i ON t (b) WHERE b < 3',
  'CREATE VIEW v AS SELECT * FROM t',
];
const verbs = [
  'INSERT',
  'INSERT',
  'INSERT',
  'INSERT OR REPLACE',
  'INSERT OR IGNORE',
  'REPLACE',
  'INSERT OR FAIL',
  'INSERT OR ABORT',
];
const endings = [
  '',
  ' ON CONFLICT DO NOTHING',
  ' ON CONFLICT (c) DO UPDATE SET b = b + 1',
  ' ON CONFLICT (c) DO UPDATE SET b = (SELECT count(*) FROM t), a = excluded.a',
  ' ON CONFLICT (c) DO UPDATE SET b = 1 WHERE (SELECT count(*) FROM t) > 4',
  ' ON CONFLICT (c) DO UPDATE SET b = NULL',
  ' ON CONFLICT DO NOTHING RETURNING abs(a)',
  ' RETURNING a',
  ' RETURNING abs(a - 9223372036854775803)',
  " RETURNING json_extract(c, '$.a')",
  ' UNION SELECT a, b, c FROM t',
  ' UNION ALL SELECT 50, (SELECT count(*) FROM t), 50',
  ' UNION ALL SELECT 60, 1, 60 UNION ALL SELECT 61, 1, 61 LIMIT 3',
  ' EXCEPT SELECT 1, 1, 1',
  ' INTERSECT VALUES (1, 1, 1), (2, 2, 2)',
  ' nothing',
  ', (70, (SELECT count(*) FROM t), 70)',
  ', (NULL, last_insert_rowid(), 71), (NULL, 1, 72)',
  ', ((SELECT max(a) FROM t) + 1, 1, 73), (7, 7, 7)',
  ', (abs(-9223372036854775807 - 1), 1, 74)',
  ', (1, 2)',
];
const follow = [
  '', '', 'INSERT INTO log SELECT count(*), last_insert_rowid() FROM t', 'UPDATE t SET b = last_insert_rowid() WHERE a = 1',
  'DELETE FROM t WHERE a > 5',
]; // prettier-ignore

const value = fc.oneof({ weight: 6, arbitrary: fc.nat(9).map(String) }, fc.constantFrom('NULL', "'x'", "'1'", '2.5'));
const insert = fc
  .record({
    verb: fc.constantFrom(...verbs),
    rows: fc.array(
      fc.tuple(value, value, value).map((values) => `(${values.join(', ')})`),
      { minLength: 2, maxLength: 7 },
    ),
    end: fc.oneof(fc.constant(''), fc.constantFrom(...endings)),
    next: fc.constantFrom(...follow),
  })
  .map(({ verb, rows, end, next }) => `${verb} INTO t (a, b, c) VALUES ${rows.join(', ')}${end};\n${next};\n`);
const file = fc
  .tuple(
    fc.constantFrom(...tables),
    fc.subarray(definitions, { maxLength: 2 }),
    fc.array(insert, { minLength: 1, maxLength: 5 }),
  )
  .map(([table, others, inserts]) => [
    `CREATE TABLE log (x, y);\n`,
    `${table};\n`,
    ...others.map((sql) => `${sql};\n`),
    ...inserts,
  ]);

const FACTS = { dialect: 'sqlite', encoding: 'utf-8', reason: '', note: null } as const;
const READ = [
  'SELECT quote(a), quote(b), quote(c), quote(d) FROM t ORDER BY 3, 1, 2',
  'SELECT quote(x), quote(y) FROM log ORDER BY rowid',
];

function bySqlite(parts: readonly string[]): unknown {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  const failed: number[] = [];
  for (const [line, sql] of parts.join('').split('\n').entries())
    try {
      database.exec(sql);
    } catch {
      failed.push(line + 1);
    }
  const rows = READ.map((sql) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)),
  );
  return { rows, failed };
}

async function inParts(place: (typeof PLACES)[number][1], sql: string, partBytes: number): Promise<unknown> {
  const scratch = await place.make();
  const connection = scratch.open({ durability: 'balanced', cacheBytes: 1 << 20, create: true, scratch: true });
  onTestFinished(() => {
    connection.close();
    scratch.remove();
  });
  connection.run('PRAGMA foreign_keys = OFF');
  const load = new DumpLoad(connection, 'sqlite', []);
  const text = new SqlText(textBytes(sql, 'a.sql'), 'utf-8', 'sqlite', { partBytes });
  const dump = new TranslatedDump(text, sqliteTranslator(), FACTS, 'utf-8');
  for (let step = await dump.next(); step !== null; step = await dump.next()) load.take(step);
  expect([...load.finish(dump.finish())]).toEqual([]);
  const failed = load.report.notUnderstood.map(({ line }) => line).sort((a, b) => a - b);
  return { rows: READ.map((read) => connection.all(read)), failed };
}

describe.each(PLACES)('INSERT statements in parts, by the %s engine', (_name, place) => {
  test('store what SQLite stores, and fail where they fail there', async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom(1, 20, 40), async (parts, partBytes) => {
        expect(await inParts(place, parts.join(''), partBytes)).toEqual(bySqlite(parts));
      }),
      { numRuns: seedCount(250) },
    );
  });
});
