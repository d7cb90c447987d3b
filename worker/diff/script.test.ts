// `diff` as a script: run by another SQLite on the first database, it makes the second; where it would not, there is none.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { sameSql } from '#shared/schema-diff/same-sql.ts';
import type { Value } from '#shared/protocol/values.ts';
import { databaseOf, ENGINES } from '../export/export-fixture.test-suite.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { scriptOf } from './diff-fixture.test-suite.ts';

interface Content {
  readonly schema: readonly (readonly string[])[];
  readonly rows: Readonly<Record<string, readonly string[]>>;
}

/** Everything that counts, as Node's SQLite reads it. */
function contentOf(...scripts: readonly string[]): Content {
  const db = new DatabaseSync(':memory:');
  const all = (sql: string): string[][] => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return (statement.all() as unknown as unknown[][]).map((row) => row.map(String));
  };
  try {
    for (const script of scripts) db.exec(script);
    const schema = all(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'words_%' AND name <> 'sqlite_sequence' ORDER BY type, name",
    );
    const names = all(
      "SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual') AND schema = 'main' AND name <> 'sqlite_schema' ORDER BY 1",
    );
    const rows: Record<string, string[]> = {};
    for (const [name] of names) {
      const columns = all(`SELECT name FROM pragma_table_info('${name}')`).map(
        ([column]) => `typeof("${column}") || quote("${column}")`,
      );
      const found = all(`SELECT ${columns.join(` || ' ' || `)} FROM "${name}" ORDER BY 1`).map(([row]) => row!);
      // SQLite never drops the table of counters.
      if (name !== 'sqlite_sequence' || found.length > 0) rows[name!] = found;
    }
    return { schema: [...schema, all('PRAGMA user_version')[0]!], rows };
  } finally {
    db.close();
  }
}

/** Definitions count by what they mean. */
function expectSame(found: Content, wanted: Content): void {
  expect(found.rows).toEqual(wanted.rows);
  const names = ({ schema }: Content): string[][] => schema.map((row) => row.slice(0, 3));
  expect(names(found)).toEqual(names(wanted));
  for (const [at, row] of found.schema.entries())
    if (row[0] !== 'table') expect(sameSql(row.at(-1)!, wanted.schema[at]!.at(-1)!)).toBe(true);
}

describe.each(ENGINES)('by the %s engine', (_name, engine) => {
  const script = (from: string, to: string, options?: Parameters<typeof scriptOf>[1]) =>
    scriptOf({ copy: databaseOf(engine, from), theirs: databaseOf(engine, to) }, options);

  test('schema, rows, counters, full text, and unique values that change places become those of the other', () => {
    const from = `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, old);
      CREATE TABLE log (text);
      CREATE TABLE bare (a, b);
      CREATE VIRTUAL TABLE words USING fts5(a);
      CREATE TABLE gone (x); INSERT INTO gone VALUES (1);
      INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3); INSERT INTO bare VALUES (1, 2), (1, 2), (1.0, 2);
      INSERT INTO words VALUES ('one'), ('two'), ('three');
      CREATE TRIGGER logged AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.name); END;`;
    const to = `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, added DEFAULT 'x');
      CREATE TABLE log (text);
      CREATE TABLE bare (a, b);
      CREATE VIRTUAL TABLE words USING fts5(a);
      INSERT INTO t VALUES (1, 'b', 'line' || char(13, 10) || 'end'), (2, 'a', x'00ff'), (90, 'd', NULL); DELETE FROM t WHERE id = 90; INSERT INTO t (id, name) VALUES (5, 'it''s');
      INSERT INTO bare VALUES (1, 2), ('1', 2); INSERT INTO log VALUES (7);
      INSERT INTO words VALUES ('one'), ('TWO'); INSERT INTO words (rowid, a) VALUES (9, 'four');
      CREATE TRIGGER logged AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (old.name); END;
      CREATE TRIGGER added AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END;
      CREATE VIEW v AS SELECT added FROM t; CREATE INDEX i ON bare (b); PRAGMA user_version = 3;`;
    const found = script(from, to);
    expect(found).toMatchObject({ isEqual: false, notCompared: [] });
    expectSame(contentOf(from, found.text), contentOf(to));
    expect(script(to, to)).toEqual({ isEqual: true, notCompared: [], text: '' });
  });

  test('only some tables, or only the schema, are changed where that is asked for', () => {
    const from = 'CREATE TABLE a (id INTEGER PRIMARY KEY, x); CREATE TABLE b (x); INSERT INTO a VALUES (1, 1);';
    const to =
      'CREATE TABLE a (id INTEGER PRIMARY KEY, x, y); CREATE TABLE b (x, y); INSERT INTO a VALUES (1, 2, 3); INSERT INTO b VALUES (1, 1);';
    const rows = (text: string) => contentOf(from, text).rows;
    expect(rows(script(from, to, { tables: ['a'] }).text)).toEqual({ a: ['integer1 integer2 integer3'], b: [] });
    expect(rows(script(from, to, { schemaOnly: true }).text)).toEqual({ a: ['integer1 integer1 nullNULL'], b: [] });
  });

  test('rows that SQLite refuses to insert have no script', () => {
    const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, x CHECK (x > 0));';
    const broken = `${table} PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (1, -1);`;
    expect(() => script(table, broken)).toThrow(/No script can be written that makes A exactly like B: SQLite refuses/);
    const hidden = 'CREATE TABLE t (rowid, oid, _rowid_);';
    expect(() => script(`${hidden} INSERT INTO t VALUES (1, 2, 3);`, hidden)).toThrow(/hide the row id/);
  });

  test('makes the other of random rows in tables of random kinds', () => {
    fc.assert(
      fc.property(
        TABLE,
        TABLE,
        fc.array(ROW, { maxLength: 20 }),
        fc.array(ROW, { maxLength: 6 }),
        fc.nat(20),
        (kind, otherKind, all, more, at) => {
          const other = [...all.slice(0, at), ...more, ...all.slice(at + 2)];
          const sql = (definition: string, rows: readonly Row[]): string =>
            `${definition} ${rows.map((row) => `INSERT OR IGNORE INTO t (a, b, c) VALUES (${row.map(sqlLiteral).join(', ')});`).join('\n')}`;
          const [from, to] = [sql(kind, all), sql(otherKind, other)];
          expectSame(contentOf(from, script(from, to).text), contentOf(to));
        },
      ),
      { seed: 77, numRuns: seedCount(150) },
    );
  });
});

type Row = readonly Value[];
const VALUE = fc.constantFrom<Value>(null, 0, 1, 2, { real: 1 }, 1.5, 2n ** 60n, '', 'a', 'A', 'b\r\nc', '1', "é'", new Uint8Array(), Uint8Array.of(0x61)); // prettier-ignore
const ROW: fc.Arbitrary<Row> = fc.tuple(VALUE, VALUE, VALUE);
const TABLE = fc.constantFrom(
  'CREATE TABLE t (a, b, c);',
  'CREATE TABLE t (a PRIMARY KEY, b, c UNIQUE); CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = new.b; END;',
  'CREATE TABLE t (a COLLATE NOCASE, b, c, PRIMARY KEY (b, a)); CREATE UNIQUE INDEX u ON t (c, a) WHERE c > 0;',
  'CREATE TABLE t (a, b, c, d AS (a || b), PRIMARY KEY (b DESC, a)) WITHOUT ROWID; CREATE VIEW v AS SELECT d FROM t;',
  'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a, b, c NOT NULL);',
  'CREATE TABLE t (a TEXT, b REAL, c INTEGER, UNIQUE (a, b)); CREATE INDEX i ON t (c);',
);
