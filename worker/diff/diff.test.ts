// What a comparison of two databases finds: in tables of every kind, to the last byte, and the same as comparing row by row would.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import { databaseOf, ENGINES, native } from '../export/export-fixture.test-suite.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { diffOf } from './diff-fixture.test-suite.ts';

const ROWS = Array.from({ length: 5000 }, (_, row) => `(${row}, 'k${row % 997}-${row}', ${row % 7}, ${row / 3})`);

const everyKind = (rows: readonly string[]): string => `
  CREATE TABLE keyed (a, b TEXT COLLATE NOCASE PRIMARY KEY, c, d);
  CREATE TABLE bare (a, b, c, d);
  CREATE TABLE without (a, b, c, d, PRIMARY KEY (c DESC, a)) WITHOUT ROWID;
  CREATE TABLE computed (a, b, c, d, e AS (a || b) STORED, PRIMARY KEY (a, b));
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
  CREATE VIRTUAL TABLE words USING fts5(a, b);
  ${['keyed', 'bare', 'without'].map((name) => `INSERT INTO ${name} VALUES ${rows.join(', ')};`).join('\n')}
  INSERT INTO computed (a, b, c, d) SELECT a, b, c, d FROM bare;
  INSERT INTO computed (a, b, c) VALUES (NULL, 1, 1), (NULL, 1, 2), (NULL, 1, 1);
  INSERT INTO words (rowid, a, b) SELECT a + 1, b, c FROM bare WHERE a < 100;
  INSERT INTO counted VALUES (5, 1);`;

describe.each(ENGINES)('by the %s engine', (_name, engine) => {
  const compare = (from: string, to: string, options?: Parameters<typeof diffOf>[2]) =>
    diffOf(databaseOf(engine, from), databaseOf(engine, to), options);

  test('tables of every kind are compared by their content, wherever it is in the file', () => {
    const reversed = `PRAGMA page_size = 1024; ${everyKind([...ROWS].reverse())}`;
    expect(compare(everyKind(ROWS), reversed)).toEqual({ isEqual: true, notCompared: [], text: '' });
    const changed = `DELETE FROM bare WHERE a = 4321; UPDATE keyed SET b = upper(b) WHERE a = 7;
      DELETE FROM computed WHERE a IS NULL AND c = 2; DELETE FROM words WHERE rowid = 3; UPDATE without SET d = 1 WHERE a = 77;
      UPDATE sqlite_sequence SET seq = 9;`;
    expect(compare(everyKind(ROWS), reversed + changed)).toEqual({
      isEqual: false,
      notCompared: [],
      text: `--- A
+++ B
Table bare
  - a=4321, b='k333-4321', c=2, d=1440.3333333333333
  1 removed
Table computed
  - a=NULL, b=1, c=2, d=NULL
  1 removed
Table keyed
  + b='K7-7', a=7, c=0, d=2.3333333333333335
  - b='k7-7', a=7, c=0, d=2.3333333333333335
  1 added, 1 removed
Table sqlite_sequence
  ~ name='counted': seq 5 → 9
  1 changed
Table without
  ~ c=0, a=77: d 25.666666666666668 → 1
  1 changed
Table words
  - rowid=3, a='k2-2', b=2
  1 removed
`,
    });
  });

  test('values differ by type and by each byte', () => {
    const table = (values: string): string =>
      `CREATE TABLE t (k INTEGER PRIMARY KEY, v); INSERT INTO t VALUES ${values};`;
    const from = `(1, 1), (2, x'61'), (3, CAST(x'ff' AS TEXT)), (4, 9007199254740993), (5, NULL), (6, 'é'), (7, '${'a'.repeat(100)}b')`;
    const to = `(1, 1.0), (2, 'a'), (3, CAST(x'fe' AS TEXT)), (4, 9007199254740992), (5, ''), (6, 'e' || char(0x301)), (7, '${'a'.repeat(100)}c')`;
    expect(compare(table(from), table(to)).text.split('\n').slice(3)).toEqual([
      '  ~ k=1: v 1 → 1.0',
      "  ~ k=2: v X'61' → 'a'",
      "  ~ k=3: v CAST(X'FF' AS TEXT) → CAST(X'FE' AS TEXT)".replaceAll('FF', 'ff').replaceAll('FE', 'fe'),
      '  ~ k=4: v 9007199254740993 → 9007199254740992',
      "  ~ k=5: v NULL → ''",
      "  ~ k=6: v 'é' → 'e\u0301'",
      "  ~ k=7: v '…aaaaaaaaaab' (101 characters) → '…aaaaaaaaaac' (101 characters)",
      '  7 changed',
      '',
    ]);
    expect(compare(table(from), table(from)).isEqual).toBe(true);
    const json = JSON.parse(compare(table(from), table(to), { form: 'json', limit: 2 }).text) as object;
    expect(json).toMatchObject({
      equal: false,
      tables: [{ table: 't', key: ['k'], changed: 7, notShown: 5, rows: [{ key: { k: 1 } }, { before: { v: { blob: '61' } } }] }], // prettier-ignore
    });
  });

  test('the schema is compared by its text, and columns that only one side has are left out of the rows', () => {
    const from = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE VIEW v AS SELECT 1; INSERT INTO t VALUES (1, 2);';
    const to = `CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE VIEW v AS SELECT 1 /* one */; CREATE TABLE u (x);
      INSERT INTO t VALUES (1, 3, 4); INSERT INTO u VALUES (5);`;
    expect(compare(from, to).text).toBe(`--- A
+++ B
~ table t
  - CREATE TABLE t (id INTEGER PRIMARY KEY, a)
  + CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)
+ table u
  + CREATE TABLE u (x)
~ view v (only comments, white space, or quotes)
  - CREATE VIEW v AS SELECT 1
  + CREATE VIEW v AS SELECT 1 /* one */
Table t
  ~ id=1: a 2 → 3
  1 changed
Table u
  + x=5
  1 added
`);
    expect(compare(from, to, { form: 'stat', tables: ['T'], ignoredColumns: ['t.A'] }).text).toBe('--- A\n+++ B\n~ table t\n'); // prettier-ignore
  });

  test('texts in UTF-16, and collations that nobody knows, make no difference', () => {
    const rows = `CREATE TABLE t (a TEXT PRIMARY KEY, b) WITHOUT ROWID; CREATE TABLE u (a, b);
      INSERT INTO t VALUES ('ÿ', 1), ('Ā', 2), ('😀', 3), (char(0xffee), 4); INSERT INTO u SELECT * FROM t;`;
    expect(compare(rows, `PRAGMA encoding = 'UTF-16le'; ${rows}`)).toMatchObject({ isEqual: true, notCompared: [] });
    const one = 'DELETE FROM t WHERE b = 2; DELETE FROM u WHERE b = 3;';
    expect(compare(`PRAGMA encoding = 'UTF-16be'; ${rows}`, rows + one).text).toBe(
      "--- A\n+++ B\nTable t\n  - a='Ā', b=2\n  1 removed\nTable u\n  - a='😀', b=3\n  1 removed\n",
    );
  });

  test('finds what comparing row by row would find', () => {
    fc.assert(
      fc.property(
        KIND,
        fc.array(ROW, { maxLength: 40 }),
        fc.array(ROW, { maxLength: 8 }),
        fc.nat(),
        (kind, all, more, at) => {
          const other = [
            ...all.slice(0, at % (all.length + 1)),
            ...more,
            ...all.slice(at % (all.length + 1)).slice(2),
          ].reverse();
          const sql = (rows: readonly Row[]): string =>
            `CREATE TABLE t ${kind}; ${rows.map((row) => `INSERT OR IGNORE INTO t (a, b, c) VALUES (${row.map(sqlLiteral).join(', ')});`).join('\n')}`;
          const [from, to] = [databaseOf(engine, sql(all)), databaseOf(engine, sql(other))];
          const rowsOf = (connection: typeof from): string[] =>
            connection
              .all(
                `SELECT ${kind.includes('id ') ? 'id' : '0'}, typeof(a) || hex(a), typeof(b) || hex(b), typeof(c) || hex(c) FROM t`,
              )
              .map((row) => row.join(' '));
          const [left, right] = [rowsOf(from), rowsOf(to)];
          for (const row of [...left]) {
            const found = right.indexOf(row);
            if (found < 0) continue;
            right.splice(found, 1);
            left.splice(left.indexOf(row), 1);
          }
          const json = JSON.parse(diffOf(from, to, { form: 'json' }).text) as { tables: { added: number; removed: number; changed: number }[] }; // prettier-ignore
          const { added = 0, removed = 0, changed = 0 } = json.tables[0] ?? {};
          expect([removed + changed, added + changed]).toEqual([left.length, right.length]);
          expect(json).toMatchObject({ equal: left.length + right.length === 0 });
        },
      ),
      { seed: 1203, numRuns: seedCount(200) },
    );
  });
});

/** The only engine that reads UTF-16, and two files by one statement. */
const compareNative = (from: string, to: string, options?: Parameters<typeof diffOf>[2]) =>
  diffOf(databaseOf(native, from), databaseOf(native, to), options);

test('a text with U+FFFD is the same in every encoding', () => {
  const rows = `CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, char(0xfffd) || 'é');`;
  for (const encoding of ['UTF-16le', 'UTF-16be'])
    expect(compareNative(`PRAGMA encoding = '${encoding}'; ${rows}`, rows)).toMatchObject({
      isEqual: true,
      notCompared: [],
    });
});

test('many rows in ranges of keys: where columns have other types and collations, at both ends, and where one side has far more', () => {
  const count = 40_000;
  const rows = (more: string): string => `
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO t SELECT i * 3, i, 'k' || i, i / 4.0 FROM n;
    INSERT INTO t VALUES (-9223372036854775808, 1, 'first', 1), (9223372036854775807, 2, 'last', NULL), (-5, NULL, 'a', 5); ${more}`;
  const from = `CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT COLLATE NOCASE, c); ${rows(`
    INSERT INTO t VALUES (4, 2, 'only A', 0), (7, 7, 'x', 7), (1000000, 1, 'after', 1); UPDATE t SET c = 1 WHERE id = 999;`)}`;
  const to = `CREATE TABLE t (ID INTEGER PRIMARY KEY, A, b TEXT, C); ${rows(`
    UPDATE t SET b = upper(b) WHERE id = 49152; UPDATE t SET a = CAST(a AS TEXT) WHERE id = 49155; UPDATE t SET c = 1.0 WHERE id = 999;
    UPDATE t SET a = 1.0 WHERE id = -9223372036854775808; DELETE FROM t WHERE id = 9223372036854775807; UPDATE t SET a = 0 WHERE id = -5;
    INSERT INTO t VALUES (7, 7.0, 'x', 7), (49154, 0, 'only B', 0);`)}`;
  expect(compareNative(from, to).text.split('\n').slice(5)).toEqual([
    'Table t',
    '  ~ ID=(-9223372036854775807 - 1): A 1 → 1.0',
    '  ~ ID=-5: A NULL → 0',
    "  - ID=4, A=2, b='only A', C=0",
    '  ~ ID=7: A 7 → 7.0',
    '  ~ ID=999: C 1 → 1.0',
    "  ~ ID=49152: b 'k16384' → 'K16384'",
    "  + ID=49154, A=0, b='only B', C=0",
    "  ~ ID=49155: A 16385 → '16385'",
    "  - ID=1000000, A=1, b='after', C=1",
    "  - ID=9223372036854775807, A=2, b='last', C=NULL",
    '  1 added, 3 removed, 6 changed',
    '',
  ]);
  const dense = `${from} UPDATE t SET c = 'changed' WHERE id BETWEEN 60000 AND 90000; DELETE FROM t WHERE id > 100000;`;
  expect(compareNative(from, dense, { form: 'stat' }).text).toContain('t: 6,669 removed, 10,001 changed\n');
  expect(compareNative(dense, from, { form: 'stat' }).text).toContain('t: 6,669 added, 10,001 changed\n');
  expect(compareNative(from, from).isEqual).toBe(true);
});

test('what another program commits between the two snapshots of B is not taken for B', () => {
  const rows = (a: number): string =>
    `CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, ${a}), (2, 0);`;
  const mine = databaseOf(native, rows(1));
  const theirs = databaseOf(native, `PRAGMA journal_mode = WAL; ${rows(5)}`);
  const prepare = mine.prepare.bind(mine);
  mine.prepare = (sql) => {
    if (sql.includes('sidelite_beside.sqlite_schema')) runElsewhere(theirs.location, 'UPDATE t SET a = 1 WHERE id = 1');
    return prepare(sql);
  };
  expect(diffOf(mine, theirs).text).toContain('  ~ id=1: a 1 → 5\n');
  expect(diffOf(mine, theirs).isEqual).toBe(true);
});

function runElsewhere(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

type Row = readonly Value[];
const VALUE: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(null, 0, 1, 2, { real: 1 }, 1.5, 2n ** 60n, { real: 2 ** 60 }, '', 'a', 'A', 'b', '1', 'é'),
  fc.constantFrom<Value>(new Uint8Array(), Uint8Array.of(0x61), { textBytes: Uint8Array.of(0xff) }, { textBytes: Uint8Array.of(0x61, 0xfe) }, '\ufffd'), // prettier-ignore
);
const ROW: fc.Arbitrary<Row> = fc.tuple(VALUE, VALUE, VALUE);
const KIND = fc.constantFrom(
  '(a, b, c)',
  '(a PRIMARY KEY, b, c)',
  '(a COLLATE NOCASE, b, c, PRIMARY KEY (b, a))',
  '(a, b, c, PRIMARY KEY (b DESC, a)) WITHOUT ROWID',
  '(id INTEGER PRIMARY KEY, a, b, c)',
  '(a TEXT, b REAL, c INTEGER, UNIQUE (a))',
);
