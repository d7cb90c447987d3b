// For tests: a schema that needs what SQLite does not have here: a collation, a module, and a tokenizer of other programs.

/** Runs where the schema may be written to. The objects are made with parts that SQLite has, and their texts changed afterwards. */
export const STRANGE_SCHEMA = `CREATE TABLE plain (id INTEGER PRIMARY KEY, v TEXT);
  INSERT INTO plain VALUES (1, 'x'), (2, 'y');
  CREATE TABLE unindexed (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, n INT);
  INSERT INTO unindexed VALUES (1, 'b', 1), (2, 'A', 2), (3, 'C', 3);
  CREATE TABLE indexed (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, n INT);
  CREATE INDEX by_a ON indexed (a);
  INSERT INTO indexed SELECT * FROM unindexed;
  CREATE TABLE keyed (a TEXT COLLATE NOCASE PRIMARY KEY, n INT) WITHOUT ROWID;
  INSERT INTO keyed SELECT a, n FROM unindexed;
  CREATE VIRTUAL TABLE words USING fts5(x);
  INSERT INTO words VALUES ('hello');
  CREATE VIRTUAL TABLE foreign_words USING fts5(x);
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'unicase');
  UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE words USING fts5(x, tokenize = ''mozporter'')' WHERE name = 'words';
  UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE foreign_words USING unknown_module(x)' WHERE name = 'foreign_words';
  PRAGMA writable_schema = RESET`;
