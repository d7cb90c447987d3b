// For tests of changes of the schema: a database with what a rebuild by hand loses, and changes of its tables.
import type { SchemaChange, SchemaChangeReport } from '#shared/protocol/schema-change.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';

/** Features that a rebuild by hand loses, silently or with an error. */
export const DIFFICULT = `
  CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT /* as written */, n, boss REFERENCES t (id) ON DELETE CASCADE,
    twice AS (n * 2), "a ""b" TEXT COLLATE NOCASE -- the last one
  );
  CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t (id) ON DELETE CASCADE ON UPDATE CASCADE, note TEXT);
  CREATE TABLE log (what);
  CREATE INDEX by_code ON t (code) WHERE code IS NOT NULL;
  CREATE UNIQUE INDEX by_twice ON t (lower(code), id DESC);
  CREATE VIEW codes AS SELECT code, id + n FROM t;
  CREATE VIEW codes_again AS SELECT * FROM codes;
  CREATE VIEW broken AS SELECT missing FROM t;
  CREATE TRIGGER noted AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.code); END;
  CREATE TRIGGER no_more BEFORE INSERT ON t WHEN new.n BETWEEN 1000 AND 2000 BEGIN SELECT RAISE(ABORT, 'too many'); END;
  CREATE TRIGGER of_child AFTER INSERT ON child BEGIN UPDATE t SET n = n + 1 WHERE id = new.t; END;
  CREATE TRIGGER instead INSTEAD OF INSERT ON codes BEGIN INSERT INTO t (code) VALUES (new.code); END;
  CREATE VIRTUAL TABLE found USING fts5 (code, content='t', content_rowid='id');
  INSERT INTO t (id, code, n, boss) VALUES (1, '007', 1, NULL), (5, '1e3', 2.0, 1), (9, NULL, x'00ff', 5), (40, 'é', NULL, NULL);
  DELETE FROM t WHERE id = 40;
  INSERT INTO child VALUES (1, 1, 'a'), (2, 5, 'b');
  DELETE FROM log;
  INSERT INTO found (found) VALUES ('rebuild');
  ANALYZE;`;

export const COLUMNS = ['id', 'code', 'n', 'boss', 'twice', 'a "b'];

export interface SchemaChanges {
  sqlOf(name: string): string;
  /** The table `t` with a change that takes a rebuild: ALTER adds no check to a column. */
  checked(): string;
  change(changes: readonly SchemaChange[], keep?: boolean): Promise<SchemaChangeReport>;
  changed(sql: string, columns?: readonly (string | null)[]): SchemaChange;
}

export function schemaChangesIn(get: () => HistoryFixture): SchemaChanges {
  const sqlOf = (name: string): string =>
    get().connection.one('SELECT sql FROM main.sqlite_schema WHERE name = ?', [name])![0] as string;
  return {
    sqlOf,
    checked: () => sqlOf('t').replace('n, boss', 'n CHECK (n IS NOT 7), boss'),
    change: (changes, keep) => get().call('schema.change', { changes, ...(keep !== undefined && { keep }) }),
    changed: (sql, columns = COLUMNS) => ({ kind: 'change-table', table: 't', sql, columns }),
  };
}
