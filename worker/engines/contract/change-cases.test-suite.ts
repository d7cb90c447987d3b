// The rows of the truth table: what is written, and what is published of it. TRUTH-TABLE.md has a row for each.

/** Schema before the changes. */
export const CHANGE_SCHEMA = `
  PRAGMA foreign_keys = ON;
  CREATE TABLE a(id INTEGER PRIMARY KEY, x UNIQUE, y, CHECK (x <> 'bad'));
  CREATE TABLE w(k, part, v, PRIMARY KEY (part, k)) WITHOUT ROWID;
  CREATE TABLE made(id INTEGER PRIMARY KEY, n, twice AS (n * 2), thrice AS (n * 3) STORED, other, r REAL);
  CREATE TABLE parent(id INTEGER PRIMARY KEY);
  CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent ON DELETE CASCADE ON UPDATE SET NULL);
  CREATE TABLE src(id INTEGER PRIMARY KEY, v);
  CREATE TABLE log(what);
  CREATE TABLE deep(what);
  CREATE INDEX log_what ON log(what);
  CREATE TRIGGER src_log AFTER UPDATE ON src BEGIN INSERT INTO log VALUES (new.id); END;
  CREATE TRIGGER log_deep AFTER INSERT ON log BEGIN INSERT INTO deep VALUES (new.what); END;
  CREATE VIEW both AS SELECT * FROM src;
  CREATE TRIGGER both_insert INSTEAD OF INSERT ON both BEGIN INSERT INTO src VALUES (new.id, new.v); END;
  CREATE TABLE numbered(id INTEGER PRIMARY KEY AUTOINCREMENT);
  CREATE VIRTUAL TABLE f USING fts5(body);
  CREATE VIRTUAL TABLE f_more USING fts5(body);
  CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);
  CREATE TEMP TABLE scratch(a);
  ATTACH ':memory:' AS beside;
  CREATE TABLE beside.a(id INTEGER PRIMARY KEY);
  INSERT INTO a VALUES (1, 'one', 1), (2, 'two', 2);
  INSERT INTO w VALUES ('k', 1, 1);
  INSERT INTO made(id, n, other, r) VALUES (1, 1, 'o', 2);
  INSERT INTO parent VALUES (1);
  INSERT INTO child VALUES (10, 1);
  INSERT INTO src VALUES (1, 1);
  INSERT INTO f(rowid, body) VALUES (1, 'hello');
`;

/** Lists `insert delete move update(columns) @keys` for each changed table; null when nothing is published. */
type Expected = Readonly<Record<string, string>> | null;

const SHADOWED = 'insert delete move update(any) @any';

export const CHANGE_CASES: readonly (readonly [name: string, sql: string, expected: Expected])[] = [
  ['INSERT', "INSERT INTO a VALUES (3, 'three', 3)", { a: 'insert @3' }],
  ['UPDATE', "UPDATE a SET x = 'uno', y = 1 WHERE id = 1", { a: 'update(x) @1' }],
  ['UPDATE to the same values', 'UPDATE a SET x = x, y = 1 WHERE id = 1', null],
  ['UPDATE that changes some rows', 'UPDATE a SET y = 2', { a: 'update(y) @1' }],
  ['UPDATE of a REAL column with an equal integer', 'UPDATE made SET r = 2', null],
  ['UPDATE of what a generated column follows', 'UPDATE made SET n = 2', { made: 'update(n thrice twice) @1' }],
  ['DELETE', 'DELETE FROM a WHERE id = 1', { a: 'delete @1' }],
  ['DELETE without WHERE', 'DELETE FROM a', { a: 'delete @1,2' }],
  ['DELETE without WHERE, WITHOUT ROWID', 'DELETE FROM w', { w: 'delete @1/k' }],
  ['Row id changed', 'UPDATE a SET id = 9 WHERE id = 1', { a: 'move update(id) @1,9' }],
  ['INSERT, WITHOUT ROWID', "INSERT INTO w VALUES ('k', 2, 1)", { w: 'insert @2/k' }],
  ['UPDATE, WITHOUT ROWID', 'UPDATE w SET v = 2', { w: 'update(v) @1/k' }],
  ['UPDATE to the same values, WITHOUT ROWID', 'UPDATE w SET v = 1', null],
  ['Primary key changed, WITHOUT ROWID', "UPDATE w SET k = 'm'", { w: 'move update(k) @1/k,1/m' }],
  ['REPLACE, WITHOUT ROWID', "REPLACE INTO w VALUES ('k', 1, 9)", { w: 'insert delete @1/k' }],
  ['REPLACE with one victim', "REPLACE INTO a VALUES (9, 'one', 9)", { a: 'insert delete @1,9' }],
  ['REPLACE with several victims', "REPLACE INTO a VALUES (2, 'one', 9)", { a: 'insert delete @1,2' }],
  ['UPDATE OR REPLACE', "UPDATE OR REPLACE a SET x = 'two' WHERE id = 1", { a: 'delete update(x) @1,2' }],
  [
    'UPSERT that updates',
    "INSERT INTO a VALUES (1, 'one', 1) ON CONFLICT DO UPDATE SET x = 'eins'",
    { a: 'update(x) @1' },
  ],
  ['UPSERT that does nothing', "INSERT INTO a VALUES (1, 'one', 1) ON CONFLICT DO NOTHING", null],
  ['INSERT OR IGNORE of what is there', "INSERT OR IGNORE INTO a VALUES (1, 'one', 1)", null],
  ['Cascade of a DELETE', 'DELETE FROM parent', { parent: 'delete @1', child: 'delete @10' }],
  ['SET NULL of an UPDATE', 'UPDATE parent SET id = 5', { parent: 'move update(id) @1,5', child: 'update(p) @10' }],
  ['Triggers of triggers', 'UPDATE src SET v = 5', { src: 'update(v) @1', log: 'insert @1', deep: 'insert @1' }],
  ['INSTEAD OF trigger of a view', 'INSERT INTO both VALUES (7, 7)', { src: 'insert @7' }],
  ['FTS5 INSERT', "INSERT INTO f VALUES ('new words')", { f: SHADOWED }],
  ['FTS5 DELETE', 'DELETE FROM f', { f: SHADOWED }],
  ['FTS5 with a name that begins like another', "INSERT INTO f_more VALUES ('x')", { f_more: SHADOWED }],
  ['R-Tree', 'INSERT INTO r VALUES (1, 0, 1)', { r: SHADOWED }],
  ['AUTOINCREMENT', 'INSERT INTO numbered DEFAULT VALUES', { numbered: 'insert @1' }],
  ['RETURNING', "INSERT INTO a VALUES (3, 'three', 3) RETURNING id", { a: 'insert @3' }],
  [
    'Several statements, one transaction',
    'BEGIN; INSERT INTO deep VALUES (1); DELETE FROM a WHERE id = 2; UPDATE a SET y = 5; COMMIT',
    { deep: 'insert @1', a: 'delete update(y) @1,2' },
  ],
  [
    'Savepoint rolled back',
    'BEGIN; INSERT INTO deep VALUES (1); SAVEPOINT s; DELETE FROM a; ROLLBACK TO s; RELEASE s; COMMIT',
    { deep: 'insert @1' },
  ],
  [
    'Savepoint rolled back in the table it shares',
    'BEGIN; UPDATE a SET y = 7 WHERE id = 1; SAVEPOINT s; UPDATE a SET x = 7 WHERE id = 2; ROLLBACK TO s; COMMIT',
    { a: 'update(y) @1' },
  ],
  ['Savepoint kept', 'SAVEPOINT s; DELETE FROM a; RELEASE s', { a: 'delete @1,2' }],
  [
    'Inner savepoint rolled back, outer kept',
    'SAVEPOINT o; DELETE FROM w; SAVEPOINT i; DELETE FROM a; ROLLBACK TO i; RELEASE o',
    { w: 'delete @1/k' },
  ],
  ['Everything rolled back to a savepoint', 'BEGIN; SAVEPOINT s; DELETE FROM a; ROLLBACK TO s; COMMIT', null],
  ['ROLLBACK', 'BEGIN; DELETE FROM a; ROLLBACK', null],
  ['Empty transaction', 'BEGIN IMMEDIATE; COMMIT', null],
  ['No row met', 'DELETE FROM a WHERE id = 99', null],
  ['SELECT', 'SELECT * FROM a', null],
  ['Temporary table', 'INSERT INTO scratch VALUES (1)', null],
  ['Attached database', 'INSERT INTO beside.a VALUES (1)', null],
  ['ANALYZE', 'ANALYZE', null],
  ['VACUUM', 'VACUUM', null],
  ['REINDEX', 'REINDEX', null],
  ['CREATE TABLE IF NOT EXISTS of what is there', 'CREATE TABLE IF NOT EXISTS a(x)', null],
  ['CREATE TEMP TRIGGER', 'CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END', null],
];

/** Each also publishes that the schema changed. Null: anything may have changed. */
export const SCHEMA_CASES: readonly (readonly [name: string, sql: string, tables: readonly string[] | null])[] = [
  ['CREATE TABLE', 'CREATE TABLE fresh(a)', ['fresh']],
  ['CREATE TABLE AS', 'CREATE TABLE copy AS SELECT * FROM a', ['copy']],
  ['CREATE VIRTUAL TABLE', 'CREATE VIRTUAL TABLE g USING fts5(body)', ['g']],
  ['CREATE VIEW', 'CREATE VIEW seen AS SELECT 1', ['seen']],
  ['CREATE INDEX', 'CREATE INDEX ai ON a(y)', ['a']],
  ['CREATE TRIGGER', 'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END', ['a']],
  ['ALTER TABLE ADD COLUMN', 'ALTER TABLE a ADD COLUMN z', ['a']],
  ['ALTER TABLE DROP COLUMN', 'ALTER TABLE w DROP COLUMN v', ['w']],
  ['ALTER TABLE RENAME COLUMN', 'ALTER TABLE a RENAME COLUMN y TO why', ['a']],
  ['ALTER TABLE RENAME TO', 'ALTER TABLE a RENAME TO b', null],
  ['DROP TABLE', 'DROP TABLE deep', ['deep']],
  ['DROP TABLE with a cascade', 'DROP TABLE parent', ['child', 'parent']],
  ['DROP VIEW', 'DROP VIEW both', ['both']],
  ['DROP INDEX', 'DROP INDEX log_what', ['log']],
  ['DROP TRIGGER', 'DROP TRIGGER src_log', ['src']],
  ['DROP of a virtual table', 'DROP TABLE r', ['r']],
];
