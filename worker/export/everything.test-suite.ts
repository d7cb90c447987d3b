// For tests: a database with an object of every kind, and values that are easily lost.
export const EVERYTHING = `
  PRAGMA foreign_keys = OFF; PRAGMA user_version = 42; PRAGMA application_id = 77;
  CREATE TABLE plain (a, b TEXT, c REAL, d BLOB);
  INSERT INTO plain (rowid, a, b, c, d) VALUES
    (50, 1, 'it''s', 2.0, X'00FF'), (70, -9223372036854775808, 'a' || char(13, 10) || 'b', 1e999, X''),
    (71, 9223372036854775807, 'nul' || char(0) || 'after', -1e999, NULL), (-5, NULL, '', 0.1, 'text'),
    (90, 9007199254740993, 'literal \\r and' || char(13), 5e-324, 1.7976931348623157e308);
  CREATE TABLE keyed (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE UNIQUE);
  INSERT INTO keyed (name) VALUES ('one'), ('two'), ('three'); DELETE FROM keyed WHERE id = 3;
  CREATE TABLE noid (k TEXT, n INT, PRIMARY KEY (n DESC, k)) WITHOUT ROWID;
  INSERT INTO noid VALUES ('x', 1), ('y', 2);
  CREATE TABLE calc (a INT, twice AS (a * 2), stored TEXT AS (a || '!') STORED) ;
  INSERT INTO calc (a) VALUES (1), (2);
  CREATE TABLE tight (id INTEGER PRIMARY KEY, v ANY, t TEXT NOT NULL) STRICT;
  INSERT INTO tight VALUES (1, '7', 'a'), (2, 7, 'b'), (3, X'07', 'c');
  CREATE TABLE child (p INT REFERENCES keyed(id)); INSERT INTO child VALUES (99), (1);
  CREATE TABLE "odd ""name" ("a b" INT, "select" TEXT -- why
  ); INSERT INTO "odd ""name" VALUES (1, 'x');
  CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize = 'porter');
  INSERT INTO notes (rowid, title, body) VALUES (10, 'walk', 'walking the dog'), (20, 'run', 'nothing');
  INSERT INTO notes (notes, rank) VALUES ('rank', 'bm25(10.0, 5.0)');
  CREATE TABLE mail (id INTEGER PRIMARY KEY, subject, text);
  INSERT INTO mail VALUES (5, 'hello', 'a letter'), (9, 'bye', 'the end');
  CREATE VIRTUAL TABLE mail_index USING fts5(subject, text, content='mail', content_rowid='id');
  INSERT INTO mail_index (mail_index) VALUES ('rebuild');
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
  INSERT INTO boxes VALUES (1, 0.5, 1.5, 2.25, 3.75), (7, -1, 1, -2, 2);
  CREATE INDEX plain_b ON plain (b) WHERE b <> ''; CREATE UNIQUE INDEX noid_n ON noid (n);
  CREATE VIEW both AS SELECT a, b FROM plain; CREATE VIEW broken AS SELECT nope FROM nowhere;
  CREATE TRIGGER mail_added AFTER INSERT ON mail BEGIN
    INSERT INTO mail_index (rowid, subject, text) VALUES (new.id, new.subject, new.text); SELECT 1; END;
  ANALYZE;
`;
