// For property tests: a schema with all features that make changes hard to track, queries of it, and random writes to it.
import fc from 'fast-check';

export const SCHEMA = `
  PRAGMA foreign_keys = ON;
  CREATE TABLE a(id INTEGER PRIMARY KEY, x, y, t TEXT COLLATE NOCASE);
  CREATE INDEX a_xy ON a(x, y);
  CREATE TABLE b(a_id REFERENCES a ON DELETE CASCADE ON UPDATE CASCADE, n, note);
  CREATE TABLE w(k, part, v, PRIMARY KEY (part, k)) WITHOUT ROWID;
  CREATE TABLE made(id INTEGER PRIMARY KEY, n, other, twice AS (n * 2), rest AS (n % 3) STORED);
  CREATE TABLE log(what);
  CREATE TRIGGER a_log AFTER UPDATE OF y ON a BEGIN INSERT INTO log VALUES (new.id); END;
  CREATE VIEW v AS SELECT a.id, b.note FROM a JOIN b ON b.a_id = a.id;
  CREATE TRIGGER v_insert INSTEAD OF INSERT ON v BEGIN INSERT INTO b VALUES (new.id, 0, new.note); END;
  CREATE VIRTUAL TABLE f USING fts5(body);
  CREATE VIRTUAL TABLE over_made USING fts5(other, content = 'made', content_rowid = 'id');
  CREATE VIRTUAL TABLE words USING fts5vocab(f, 'row');
  CREATE VIRTUAL TABLE r USING rtree(id, low, high);
  INSERT INTO a VALUES (1, 1, 1, 'one'), (2, 2, 2, 'Two'), (3, 1, 3, 'three'), (4, NULL, 1, 'One');
  INSERT INTO b VALUES (1, 1, 'first'), (2, 2, 'second'), (1, 3, 'third');
  INSERT INTO w VALUES ('k', 1, 1), ('l', 1, 2), ('k', 2, 3);
  INSERT INTO made(id, n, other) VALUES (1, 1, 'o'), (2, 4, 'p'), (3, 6, 'q');
  INSERT INTO f VALUES ('hello world'), ('hello there');
  INSERT INTO r VALUES (1, 0, 1), (2, 2, 3);
`;

export const QUERIES = [
  'SELECT * FROM a',
  'SELECT x FROM a',
  'SELECT x FROM a LIMIT 2',
  'SELECT id FROM a WHERE x = 1',
  'SELECT * FROM a WHERE id = 2',
  'SELECT * FROM a WHERE id BETWEEN 2 AND 4',
  'SELECT t FROM a WHERE id > 2 ORDER BY id DESC LIMIT 2',
  'SELECT x FROM a WHERE id < 4 ORDER BY y',
  'SELECT note FROM b WHERE rowid > 1 AND rowid <= 3 AND n > 0',
  'SELECT count(*) FROM a',
  'SELECT count(x) FROM a',
  'SELECT sum(y) FROM a WHERE x > 1',
  'SELECT t, count(*) FROM a GROUP BY t',
  'SELECT id FROM a ORDER BY y, id',
  'SELECT max(rowid) FROM b',
  'SELECT note FROM b',
  'SELECT a.t, b.n FROM a LEFT JOIN b ON b.a_id = a.id',
  'SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE a_id = a.id AND n > 1)',
  'SELECT * FROM w',
  'SELECT v FROM w',
  'SELECT count(*) FROM w',
  'SELECT twice FROM made',
  'SELECT rest, other FROM made',
  'SELECT * FROM log',
  'SELECT * FROM v',
  'SELECT note FROM v',
  'SELECT count(*) FROM v',
  'SELECT * FROM f',
  "SELECT rowid FROM f WHERE f MATCH 'hello'",
  "SELECT rowid, other FROM over_made WHERE over_made MATCH 'o'",
  'SELECT * FROM words',
  'SELECT c0 FROM f_content',
  'SELECT id FROM r WHERE low > 1',
  "SELECT value FROM json_each('[1, 2]') WHERE value IN (SELECT x FROM a)",
  'SELECT name FROM sqlite_schema ORDER BY name',
  "SELECT name FROM pragma_table_info('a')",
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i, y FROM n JOIN a ON id = i',
  'SELECT x, row_number() OVER (ORDER BY y, id) FROM a',
  'SELECT id FROM a UNION SELECT n FROM b',
] as const;

const number = fc.integer({ min: 0, max: 6 });
const id = fc.integer({ min: 1, max: 6 });
const text = fc.constantFrom("'one'", "'Two'", "'hello'", 'NULL', '1.0');
const column = fc.constantFrom('x', 'y', 't');
const sql = (parts: TemplateStringsArray, ...values: fc.Arbitrary<string | number>[]): fc.Arbitrary<string> =>
  fc.tuple(...values).map((list) => parts.map((part, index) => `${part}${list[index] ?? ''}`).join(''));

const writing = fc.oneof(
  sql`INSERT INTO a VALUES (${id}, ${number}, ${number}, ${text})`,
  sql`REPLACE INTO a VALUES (${id}, ${number}, ${number}, ${text})`,
  sql`INSERT INTO a VALUES (${id}, 1, 1, ${text}) ON CONFLICT DO UPDATE SET ${column} = ${number}`,
  sql`UPDATE a SET ${column} = ${number} WHERE id = ${id}`,
  sql`UPDATE a SET ${column} = ${column}`,
  sql`UPDATE a SET id = ${id} WHERE id = ${id}`,
  sql`INSERT OR FAIL INTO a SELECT id + ${number}, x, y, t FROM a`,
  sql`DELETE FROM a WHERE id = ${id}`,
  sql`DELETE FROM a WHERE x > ${number}`,
  sql`INSERT INTO b VALUES (${id}, ${number}, ${text})`,
  sql`UPDATE b SET n = ${number} WHERE a_id = ${id}`,
  sql`UPDATE b SET note = ${text}`,
  sql`UPDATE b SET rowid = ${id} WHERE rowid = ${id}`,
  sql`DELETE FROM b WHERE n = ${number}`,
  sql`REPLACE INTO w VALUES (${text}, ${number}, ${number})`,
  sql`UPDATE w SET v = ${number}`,
  sql`UPDATE OR REPLACE w SET part = ${number} WHERE v = ${number}`,
  sql`DELETE FROM w WHERE part = ${number}`,
  sql`INSERT INTO made(n, other) VALUES (${number}, ${text})`,
  sql`UPDATE made SET n = ${number} WHERE id = ${id}`,
  sql`UPDATE made SET other = ${text}`,
  sql`INSERT INTO v VALUES (${id}, ${text})`,
  sql`INSERT INTO f VALUES (${text})`,
  sql`UPDATE f SET body = ${text} WHERE rowid = ${id}`,
  sql`DELETE FROM f WHERE rowid = ${id}`,
  sql`INSERT INTO over_made(rowid, other) VALUES (${id}, ${text})`,
  sql`REPLACE INTO r VALUES (${id}, ${number}, 9)`,
);
const defining = fc.constantFrom(
  'CREATE INDEX IF NOT EXISTS a_t ON a(t, x)',
  'DROP INDEX IF EXISTS a_xy',
  'CREATE INDEX IF NOT EXISTS b_n ON b(n) WHERE n > 1',
  'CREATE INDEX IF NOT EXISTS made_e ON made(n + 1)',
  'ALTER TABLE a ADD COLUMN z DEFAULT 5',
  'ALTER TABLE b RENAME TO bb',
  'ALTER TABLE bb RENAME TO b',
  'DROP VIEW IF EXISTS v',
  'CREATE VIEW IF NOT EXISTS v AS SELECT id, other AS note FROM made',
  'DROP TRIGGER IF EXISTS a_log',
  'DROP TABLE IF EXISTS log',
  'CREATE TABLE IF NOT EXISTS log(what)',
);
const statement = fc.oneof(
  { weight: 20, arbitrary: writing },
  { weight: 1, arbitrary: defining },
  { weight: 2, arbitrary: fc.constantFrom('SAVEPOINT s', 'ROLLBACK TO s', 'RELEASE s') },
);
export const transaction = fc.record({
  statements: fc.array(statement, { minLength: 1, maxLength: 5 }),
  shape: fc.constantFrom('each', 'each', 'together', 'rolled back'),
});
