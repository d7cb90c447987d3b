// For tests: a schema that needs what SQLite does not have here: a collation, a module, and a tokenizer of other programs.
import type { Connection, Engine } from './engine.ts';

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
  CREATE VIEW same_a AS SELECT a FROM unindexed WHERE a = 'b';
  CREATE TRIGGER lengthen AFTER UPDATE ON plain BEGIN SELECT their_length(NEW.v); END;
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'unicase');
  UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE words USING fts5(x, tokenize = ''mozporter'')' WHERE name = 'words';
  UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE foreign_words USING unknown_module(x)' WHERE name = 'foreign_words';
  PRAGMA writable_schema = RESET`;

/** Opens a new database with this schema, as the program that made it would. */
export function openStrange(engine: Engine, location: string, sql = STRANGE_SCHEMA): Connection {
  const connection = engine.open(location, { durability: 'balanced', create: true, scratch: true, untrusted: false });
  const script = connection.script(sql);
  for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  script.dispose();
  return connection;
}
