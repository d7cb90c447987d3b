import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { TransferPlan, TransferTable } from '#shared/protocol/transfer.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { contentsOfConnection, databaseOf, ENGINES } from '../export/export-fixture.test-suite.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { moveTables } from './move.ts';
import type { Moved } from './move.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';

const KINDS = `
  CREATE TABLE plain (a, b TEXT, c REAL, d BLOB);
  INSERT INTO plain (rowid, a, b, c, d) VALUES (50, 1, 'it''s', 2.0, X'00FF'), (70, -9223372036854775808, 'a' || char(13, 10, 0) || 'b', 1e999, X''),
    (71, 9223372036854775807, '12', -1e999, NULL), (-5, 9007199254740993, '', 5e-324, 'text'), (72, 0.1, '1e5', -0.0, 2.5);
  CREATE TABLE keyed (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE UNIQUE);
  INSERT INTO keyed (name) VALUES ('one'), ('two'), ('three'); DELETE FROM keyed WHERE id = 3;
  CREATE TABLE noid (k TEXT, n INT, PRIMARY KEY (n DESC, k)) WITHOUT ROWID; INSERT INTO noid VALUES ('x', 1), ('y', 2);
  CREATE TABLE calc (a INT, twice AS (a * 2), stored TEXT AS (a || '!') STORED); INSERT INTO calc (a) VALUES (1), (2);
  CREATE TABLE tight (id INTEGER PRIMARY KEY, v ANY) STRICT; INSERT INTO tight VALUES (1, '7'), (2, 7), (3, X'07');
  CREATE TABLE child (p INT REFERENCES keyed(id)); INSERT INTO child VALUES (1);
  CREATE TABLE "odd ""name" ("a b" INT, "select" TEXT); INSERT INTO "odd ""name" VALUES (1, 'x');
  CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize = 'porter');
  INSERT INTO notes (rowid, title, body) VALUES (10, 'walk', 'walking the dog');
  CREATE TABLE mail (id INTEGER PRIMARY KEY, subject); INSERT INTO mail VALUES (5, 'hello');
  CREATE VIRTUAL TABLE mail_index USING fts5(subject, content='mail', content_rowid='id');
  INSERT INTO mail_index (mail_index) VALUES ('rebuild');
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1); INSERT INTO boxes VALUES (1, 0.5, 1.5);
  CREATE INDEX plain_b ON plain (b) WHERE b <> ''; CREATE VIEW both AS SELECT a, b FROM plain;
  CREATE TRIGGER mail_added AFTER INSERT ON mail BEGIN INSERT INTO mail_index (rowid, subject) VALUES (new.id, new.subject); END;
`;

const all = (connection: Connection): readonly TransferTable[] =>
  connection
    .all("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite_%'")
    .map(([name]) => ({ name: String(name), into: String(name), how: 'new' }));

function moved(target: Connection, source: Connection, plan: Partial<TransferPlan> = {}): Moved {
  const body = moveTables(undisturbedTurn(target), {
    source,
    plan: { tables: all(source), indexes: true, triggers: true, ...plan },
    totalRows: 0,
    report: () => undefined,
  });
  for (;;) {
    const step = body.next();
    if (step.done) return step.value;
  }
}

const same = (connection: Connection) => {
  const { pragmas: _pragmas, ...contents } = contentsOfConnection(connection);
  return contents;
};

const table = (name: string, into = name, how: TransferTable['how'] = 'new'): TransferTable => ({ name, into, how });

describe.each(ENGINES)('tables moved by the %s engine', (_name, engine) => {
  test('are the same as they were, of every kind', () => {
    const source = databaseOf(engine, KINDS);
    const target = databaseOf(engine, '');
    const reply = moved(target, source);
    expect(reply).toMatchObject({ problems: 0, notes: [] });
    expect(same(target)).toEqual(same(source));
    expect(target.all("SELECT rowid FROM mail_index WHERE mail_index MATCH 'hello'")).toEqual([[5]]);
    expect(target.autocommit && source.autocommit).toBe(true);
  });

  test('with random values are the same', () => {
    fc.assert(
      fc.property(fc.array(fc.array(VALUE, { minLength: 4, maxLength: 4 }), { maxLength: 60 }), (rows) => {
        const inserts = rows.map((row) => `INSERT INTO t VALUES (${row.map(sqlLiteral).join(', ')});`).join('\n');
        const source = databaseOf(engine, `CREATE TABLE t (a, b TEXT, c INTEGER, d REAL); ${inserts}`);
        const target = databaseOf(engine, '');
        moved(target, source);
        expect(same(target)).toEqual(same(source));
      }),
      { seed: 7, numRuns: seedCount(12) },
    );
  });

  test('under other names are renamed in all that refers to them, and the source stays as it was', () => {
    const source = databaseOf(
      engine,
      'CREATE TABLE a (x PRIMARY KEY, b REFERENCES b(y)); CREATE TABLE b (y PRIMARY KEY); CREATE INDEX ab ON a (b); INSERT INTO b VALUES (1); INSERT INTO a VALUES (1, 1); CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END',
    );
    const target = databaseOf(engine, 'CREATE TABLE c (z)');
    const before = same(source);
    moved(target, source, { tables: [table('a', 'b'), table('b', 'a')] });
    expect(target.all('SELECT * FROM b')).toEqual([[1, 1]]);
    expect(target.one('SELECT "table" FROM pragma_foreign_key_list(\'b\')')).toEqual(['a']);
    expect(
      target.all(
        "SELECT name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY 1",
      ),
    ).toEqual([
      ['ab', 'b'],
      ['t', 'b'],
    ]);
    expect(same(source)).toEqual(before);
  });

  test('appended to a table go by column names, and rows it refuses are told', () => {
    const source = databaseOf(
      engine,
      "CREATE TABLE s (Name TEXT, id INTEGER PRIMARY KEY, extra); INSERT INTO s VALUES ('new', 3, 0), ('taken', 1, 0), (NULL, 4, 0)",
    );
    const target = databaseOf(
      engine,
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, twice AS (id * 2), rest DEFAULT 'd'); INSERT INTO t (id, name) VALUES (1, 'old')",
    );
    const reply = moved(target, source, { tables: [table('s', 't', 'append')] });
    expect(target.all('SELECT * FROM t')).toEqual([
      [1, 'old', 2, 'd'],
      [3, 'new', 6, 'd'],
    ]);
    expect(reply).toMatchObject({
      problems: 2,
      tables: [{ name: 't', rows: 1 }],
      kept: [
        { table: 't', row: 1 },
        { table: 't', row: 3 },
      ],
    });
  });

  test('that would lose digits in a numeric column are not added, and told', () => {
    const source = databaseOf(
      engine,
      "CREATE TABLE t (id, n, d, x TEXT); INSERT INTO t VALUES (1, 5, '1.50', '18446744073709551615'), (2, '18446744073709551615', 1, ''), (3, '9223372036854775807', '-0.123456789012345678', ''), (4, '12', '000000000000000001.25', '0.1234567890123456')",
    );
    const target = databaseOf(engine, 'CREATE TABLE t (id INTEGER PRIMARY KEY, n BIGINT, d DECIMAL(30, 20), x TEXT)');
    const reply = moved(target, source, { tables: [table('t', 't', 'append')] });
    expect(target.all('SELECT * FROM t')).toEqual([
      [1, 5, 1.5, '18446744073709551615'],
      [4, 12, 1.25, '0.1234567890123456'],
    ]);
    expect(reply).toMatchObject({
      problems: 2,
      kept: [
        { table: 't', row: 2, reason: 'The column “n” would lose digits of its number.' },
        { table: 't', row: 3, reason: 'The column “d” would lose digits of its number.' },
      ],
    });
  });

  test('without indexes and triggers, where that is chosen; and what has a taken name is left out and told', () => {
    const sql = 'CREATE TABLE s (a); CREATE INDEX i ON s (a); CREATE TRIGGER g AFTER INSERT ON s BEGIN SELECT 1; END;';
    const bare = databaseOf(engine, '');
    moved(bare, databaseOf(engine, sql), { indexes: false, triggers: false });
    expect(bare.all('SELECT name FROM sqlite_schema')).toEqual([['s']]);
    const taken = databaseOf(engine, 'CREATE TABLE o (a); CREATE INDEX i ON o (a)');
    expect(moved(taken, databaseOf(engine, sql)).notes).toEqual([
      'The index “i” was left out. Something with this name already exists.',
    ]);
  });

  test('of new tables that refer to nothing are copied, and told', () => {
    const source = databaseOf(
      engine,
      `PRAGMA foreign_keys = OFF; CREATE TABLE k (id INTEGER PRIMARY KEY, p REFERENCES p(a), g REFERENCES gone(a)); CREATE TABLE p (a PRIMARY KEY);
       INSERT INTO p VALUES (1); INSERT INTO k VALUES (1, 1, NULL), (2, 7, NULL), (3, 8, 'x')`,
    );
    const target = databaseOf(engine, '');
    const { notes, problems } = moved(target, source);
    expect(problems).toBe(0);
    expect(notes).toEqual([
      '“k” refers to the table “gone”, which does not exist: until it does, no more rows can be added.',
      expect.stringMatching(/^Rows of “k” that refer to rows that do not exist: 3 \(.*k\.p = 7 \(not in p\).*\)\.$/),
    ]);
    expect(target.all('SELECT id FROM k')).toEqual([[1], [2], [3]]);
    expect(target.one('PRAGMA foreign_keys')).toEqual([1]);
  });

  test('of existing tables that refer to nothing are added where that is chosen, and told', () => {
    const sql = 'CREATE TABLE p (a PRIMARY KEY); CREATE TABLE k (p REFERENCES p); ';
    const source = databaseOf(engine, `PRAGMA foreign_keys = OFF; ${sql} INSERT INTO k VALUES (7)`);
    const target = databaseOf(engine, sql);
    const { notes } = moved(target, source, { tables: [table('k', 'k', 'append')], looseKeys: true });
    expect(notes).toEqual(['Rows of “k” that refer to rows that do not exist: 1 (k.p = 7 (not in p)).']);
    expect(target.all('SELECT p FROM k')).toEqual([[7]]);
    expect(target.one('PRAGMA foreign_keys')).toEqual([1]);
  });

  test('take as long for each row where children come before their parents', () => {
    const child =
      'CREATE TABLE a_child (id INTEGER PRIMARY KEY, pid REFERENCES b_parent(id), self REFERENCES a_child(id))';
    const parent = 'CREATE TABLE b_parent (id INTEGER PRIMARY KEY)';
    const rows = (from: number): string =>
      `WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000) INSERT INTO a_child SELECT i, i, ${from} - i FROM n;
       WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000) INSERT INTO b_parent SELECT i FROM n`;
    const source = databaseOf(engine, `PRAGMA foreign_keys = OFF; ${child}; ${parent}; ${rows(40_001)}`);
    const started = performance.now();
    moved(databaseOf(engine, ''), source);
    // Quadratic, it is minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
    const plain = databaseOf(engine, `${child}; ${parent}`);
    source.run('UPDATE a_child SET self = NULL');
    const appended = performance.now();
    moved(plain, source, { tables: [table('a_child', 'a_child', 'append'), table('b_parent', 'b_parent', 'append')] });
    expect(performance.now() - appended).toBeLessThan(10_000);
    expect(plain.one('SELECT count(*) FROM a_child')).toEqual([40_000]);
  });

  test.each([
    ['a name that is taken', 'CREATE TABLE t (b)', [table('t')], 'exists'],
    ['no columns in common', 'CREATE TABLE o (b)', [table('t', 'o', 'append')], 'invalid'],
    ['a view', 'CREATE VIEW v AS SELECT 1 AS a', [table('t', 'v', 'append')], 'invalid'],
    [
      'keys of an existing table that lead nowhere',
      'CREATE TABLE k (p REFERENCES p)',
      [table('k', 'k', 'append')],
      'constraint',
    ],
    ['keys of a table that is nowhere', 'DROP TABLE p', [table('k')], 'invalid'],
    ['nothing chosen', '', [], 'invalid'],
  ])('%s is refused, and nothing is changed', (_case, sql, tables, code) => {
    const source = databaseOf(
      engine,
      'PRAGMA foreign_keys = OFF; CREATE TABLE t (a); CREATE TABLE p (a PRIMARY KEY); CREATE TABLE k (p REFERENCES p); INSERT INTO k VALUES (7)',
    );
    const target = databaseOf(engine, `CREATE TABLE p (a PRIMARY KEY); ${sql}`);
    const before = same(target);
    expect(() => moved(target, source, { tables })).toThrowError(expect.objectContaining({ code }));
    expect(same(target)).toEqual(before);
    expect(target.autocommit && source.autocommit).toBe(true);
  });
});

const VALUE: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)),
  fc.double({ noNaN: true }).map((real) => ({ real })),
  fc.string({ unit: fc.constantFrom('a', '1', 'e', "'", '\n', '\r', '\0', 'é', '😀', '.', ' ', '-') }),
  fc.uint8Array({ maxLength: 20 }),
);
