import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import { sqlLiteral } from '../sql/literal.ts';
import {
  databaseOf,
  ENGINES,
  exported,
  HAS_SHELL,
  native,
  ofTable,
  readDump,
  readFile,
  temporaryFolder,
  wasm,
} from './export-fixture.test-suite.ts';
import { EXPORT_FORMATS } from './formats/all.ts';

const TABLE = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, r REAL, b BLOB, twice AS (id * 2));
  INSERT INTO t (id, a, r, b) VALUES
    (1, 'plain', 2.0, X'00FF'), (2, '', -0.5, X''), (3, NULL, NULL, NULL), (9007199254740993, 'say "hi", =1' || char(10) || '|<b>', 1e999, 'text');
`;

describe.each(ENGINES)('rows by the %s engine', (_name, engine) => {
  test('as CSV, where NULL is nothing and an empty text is two quotes', () => {
    const { text, rows } = exported(databaseOf(engine, TABLE), ofTable('t'), 'csv');
    expect(rows).toBe(4);
    expect(text).toBe(
      'id,a,r,b,twice\n1,plain,2.0,00FF,2\n2,"",-0.5,"",4\n3,,,,6\n9007199254740993,"say ""hi"", =1\n|<b>",9e999,text,18014398509481986\n',
    );
  });

  test('as CSV with other marks', () => {
    const options = {
      delimiter: ';',
      nullText: 'NULL',
      lineEnding: 'crlf',
      bom: true,
      decimal: ',',
      blobs: 'base64',
      header: false,
    } as const;
    const connection = databaseOf(engine, `${TABLE} INSERT INTO t (id, a) VALUES (4, 'NULL'), (5, ';')`);
    const { bytes, text } = exported(connection, ofTable('t', { columns: ['a', 'r', 'b'] }), 'csv', options);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text.slice(1)).toBe(
      'plain;2,0;AP8=\r\n;-0,5;""\r\nNULL;NULL;NULL\r\n"NULL";NULL;NULL\r\n";";NULL;NULL\r\n"say ""hi"", =1\n|<b>";9e999;text\r\n',
    );
  });

  test('as a grid shows them: filtered, sorted, columns in their order, a selection', () => {
    const connection = databaseOf(
      engine,
      'CREATE TABLE n (i INTEGER PRIMARY KEY, k TEXT); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) INSERT INTO n SELECT i, i % 10 FROM c',
    );
    const source = ofTable('n', {
      filter: [{ column: 'i', operator: '>', value: 100 }],
      where: 'i < 1900 -- not all',
      sort: [{ column: 'k', descending: true }],
      columns: ['k', 'i'],
      rows: [
        { first: 1, last: 2 },
        { first: 1700, last: 1700 },
      ],
    });
    expect(exported(connection, source, 'csv').text).toBe('k,i\n9,119\n9,129\n0,910\n');
    expect(exported(connection, ofTable('n'), 'csv').rows).toBe(2000);
  });

  test('as JSON that JSON.parse reads, integers exact in the text', () => {
    const { text } = exported(databaseOf(engine, TABLE), ofTable('t'), 'json');
    expect(text).toContain('"id":9007199254740993,');
    expect(text).toContain('"r":2.0,');
    expect(JSON.parse(text)).toEqual([
      { id: 1, a: 'plain', r: 2, b: '00FF', twice: 2 },
      { id: 2, a: '', r: -0.5, b: '', twice: 4 },
      { id: 3, a: null, r: null, b: null, twice: 6 },
      { id: 9007199254740992, a: 'say "hi", =1\n|<b>', r: Infinity, b: 'text', twice: 18014398509481984 },
    ]);
    const lines = exported(databaseOf(engine, TABLE), ofTable('t'), 'ndjson').text.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2, 3, 9007199254740992]);
  });

  test('as SQL that makes the same table elsewhere', () => {
    const connection = databaseOf(
      engine,
      `${TABLE} CREATE INDEX t_a ON t (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END`,
    );
    const read = readDump(exported(connection, ofTable('t'), 'sql').text);
    const sql = 'SELECT typeof(id), id, typeof(a), a, typeof(r), r, typeof(b), hex(b), twice FROM t';
    const plain = (value: unknown): unknown =>
      typeof value === 'object' && value && 'real' in value ? value.real : value;
    expect(read(sql).map(String)).toEqual(connection.all(sql).map((row) => String(row.map(plain))));
    expect(read("SELECT count(*) FROM sqlite_schema WHERE name IN ('t_a', 'g')")).toEqual([[2n]]);
  });

  test('of a query, under names that can stand in one table', () => {
    const connection = databaseOf(engine, TABLE);
    const source = { kind: 'query', sql: 'SELECT id AS x, a AS X FROM t WHERE id < 3' } as const;
    expect(exported(connection, source, 'json').text).toBe('[\n{"x":1,"X":"plain"},\n{"x":2,"X":""}\n]\n');
    const read = readDump(exported(connection, source, 'sql', { tableName: 'my copy' }).text);
    expect(read('SELECT x, X_2 FROM "my copy"')).toEqual([
      [1n, 'plain'],
      [2n, ''],
    ]);
    expect(() => exported(connection, { kind: 'query', sql: 'DELETE FROM t' }, 'csv')).toThrow(/single SELECT/);
  });

  test('random values as NDJSON come back the same', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(TEXT, REAL, INTEGER), { maxLength: 50 }), (rows) => {
        const values = rows.map((row) => `(${row.map((value) => sqlLiteral(value)).join(', ')})`);
        const connection = databaseOf(
          engine,
          `CREATE TABLE t (a, r, i); ${values.length ? `INSERT INTO t VALUES ${values.join(', ')}` : ''}`,
        );
        const lines = exported(connection, ofTable('t'), 'ndjson').text.split('\n').slice(0, -1);
        expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
          rows.map(([a, r, i]) => ({ a, r: r.real, i: Number(i) })),
        );
        lines.forEach((line, at) => expect(line).toContain(`"i":${String(rows[at]![2])}}`));
      }),
      { seed: 7, numRuns: seedCount(20) },
    );
  });

  test.skipIf(!HAS_SHELL)('random texts as CSV come back the same from the shell of SQLite', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(TEXT, TEXT), { minLength: 1, maxLength: 50 }), (all) => {
        const rows = all.map((row) => row.map((text) => text.replaceAll('\0', '0')));
        const connection = databaseOf(
          engine,
          `CREATE TABLE t (a, b); INSERT INTO t VALUES ${rows.map((row) => `(${row.map(sqlLiteral).join(', ')})`).join(', ')}`,
        );
        const folder = temporaryFolder();
        writeFileSync(join(folder, 'rows.csv'), exported(connection, ofTable('t'), 'csv').bytes);
        execFileSync('sqlite3', ['read.db', '.import --csv rows.csv t'], { cwd: folder });
        expect(readFile(join(folder, 'read.db'))('SELECT a, b FROM t')).toEqual(rows);
      }),
      { seed: 7, numRuns: seedCount(10) },
    );
  });
});

const INTEGER: fc.Arbitrary<Value> = fc
  .bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n })
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const REAL = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => ({ real: value === 0 ? 0 : Number(value.toPrecision(15)) }));
const TEXT = fc.string({
  unit: fc.constantFrom('a', "'", '"', '\n', '\r', '\0', '\u001f', '\u007f', 'é', '😀', '\\', ';', ',', '\t', ' '),
});

test('the formula guard puts an apostrophe before text alone, and counts', () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE f (a); INSERT INTO f VALUES ('=1+1'), ('-5'), (-5), ('plain'), ('@x')",
  );
  const { text, notes } = exported(connection, ofTable('f'), 'csv', { formulaGuard: true });
  expect(text).toBe("a\n'=1+1\n'-5\n-5\nplain\n'@x\n");
  expect(notes).toEqual(['3 text values got an apostrophe from the formula guard.']);
  connection.run('CREATE TABLE names ("=HYPERLINK(1)" TEXT, b)');
  connection.run("INSERT INTO names VALUES ('=2', '-3')");
  const named = exported(connection, ofTable('names'), 'csv', { formulaGuard: true });
  expect(named.text).toBe("'=HYPERLINK(1),b\n'=2,'-3\n");
  const { text: page } = exported(connection, ofTable('names'), 'html');
  for (const cell of ['th', 'td']) expect(page).toContain(`<${cell} style="mso-number-format:'\\@'">=`);
  expect(page).toContain('<th>b</th>');
  expect(exported(connection, ofTable('f'), 'csv').text).toBe('a\n=1+1\n-5\n-5\nplain\n@x\n');
});

test('the formula guard knows wide signs, ends of lines, and other delimiters', () => {
  const connection = databaseOf(
    wasm,
    `CREATE TABLE f (a); INSERT INTO f VALUES ('＝1'), ('＋1'), ('－1'), ('＠a'), (char(10) || '=1'), ('a;=1'), (char(9) || '=1'), ('＞1'), ('')`,
  );
  const { text } = exported(connection, ofTable('f'), 'csv', { formulaGuard: true });
  expect(text).toBe(`a\n'＝1\n'＋1\n'－1\n'＠a\n"'\n=1"\n"a;=1"\n"'\t=1"\n＞1\n""\n`);
  expect(exported(connection, ofTable('f'), 'html').text.match(/mso-number-format/g)).toHaveLength(6);
});

test('text that is not UTF-8 is written like a BLOB, and said', () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE u (a); INSERT INTO u VALUES (CAST(X'61FF' AS TEXT)), ('é' || char(0))",
  );
  expect(exported(connection, ofTable('u'), 'csv')).toMatchObject({
    text: 'a\n61FF\né\0\n',
    notes: [
      '1 text value is not valid UTF-8. It was written as a BLOB.',
      '1 text value contains a NUL character. Many programs stop reading there.',
    ],
  });
  expect(exported(connection, ofTable('u'), 'json').text).toBe('[\n{"a":"61FF"},\n{"a":"é\\u0000"}\n]\n');
});

test('text that the native engine could not read as it is gets a note, in every format', () => {
  const sql = "CREATE TABLE u (a); INSERT INTO u VALUES (CAST(X'61FF' AS TEXT)), (X'EFBFBD'), ('é'), (char(0xFFFD))";
  const note =
    '2 text values contain U+FFFD. If they are not valid UTF-8 in the file, the native engine has read them like that.';
  for (const format of ['csv', 'json', 'sql']) {
    expect(exported(databaseOf(native, sql), ofTable('u'), format).notes).toEqual([note]);
    expect(exported(databaseOf(wasm, sql), ofTable('u'), format).notes).not.toContain(note);
  }
});

test('Markdown and HTML show what would otherwise be markup', () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE m (n INT, a TEXT); INSERT INTO m VALUES (1, 'a|b' || char(10) || '<i>*x* _y_ z_z & `c`'), (2, NULL)",
  );
  expect(exported(connection, ofTable('m'), 'markdown', { nullText: 'NULL' }).text).toBe(
    '| n | a |\n| ---: | --- |\n| 1 | a\\|b<br>&lt;i>\\*x\\* \\_y\\_ z_z &amp; \\`c\\` |\n| 2 | NULL |\n',
  );
  const html = exported(connection, ofTable('m'), 'html', {}, true).text;
  expect(html).toContain('<td>a|b\n&lt;i&gt;*x* _y_ z_z &amp; `c`</td>');
  expect(html).not.toContain('<html');
});

test('UPDATE statements find rows by their key and give them these values again', () => {
  const connection = databaseOf(wasm, TABLE);
  const rows = [{ first: 0, last: 1 }];
  const { text } = exported(connection, ofTable('t', { columns: ['a', 'twice'], rows }), 'update', {}, true);
  expect(text).toBe(`UPDATE "t" SET "a" = 'plain' WHERE "id" = 1;\nUPDATE "t" SET "a" = '' WHERE "id" = 2;\n`);
  expect(() => exported(connection, ofTable('t', { columns: ['twice'] }), 'update')).toThrow(/Select another column/);
});

test('UPDATE statements find rows by the key that a copy of the table has, too', () => {
  const connection = databaseOf(
    wasm,
    `CREATE TABLE p (id INTEGER PRIMARY KEY, a); INSERT INTO p VALUES (5, 1);
     CREATE TABLE c (n TEXT, b INT NOT NULL, a TEXT NOT NULL, PRIMARY KEY (a, b)); INSERT INTO c VALUES ('x', 1, 'k');
     CREATE TABLE u (a TEXT PRIMARY KEY, n); INSERT INTO u VALUES ('k', 1);`,
  );
  const updates = (table: string): string => exported(connection, ofTable(table), 'update', {}, true).text;
  expect(updates('p')).toBe('UPDATE "p" SET "a" = 1 WHERE "id" = 5;\n');
  expect(updates('c')).toBe(`UPDATE "c" SET "n" = 'x' WHERE "a" = 'k' AND "b" = 1;\n`);
  expect(updates('u')).toBe(`UPDATE "u" SET "a" = 'k', "n" = 1 WHERE "rowid" = 1;\n`);
});

test('an IN list has each value once, and no NULL', () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE i (a, b); INSERT INTO i VALUES (1, 'x'), (2, 'x'), (NULL, 'y'), (1, 'x')",
  );
  expect(exported(connection, ofTable('i', { columns: ['a'] }), 'in-list', {}, true).text).toBe('(1, 2)');
  const pairs = exported(connection, ofTable('i'), 'in-list', {}, true).text;
  expect(pairs).toBe("(VALUES (1, 'x'), (2, 'x'))");
  expect(connection.one(`SELECT count(*) FROM i WHERE (a, b) IN ${pairs}`)).toEqual([3]);
  expect(exported(connection, ofTable('i', { rows: [{ first: 2, last: 2 }] }), 'in-list', {}, true).text).toBe(
    '(VALUES (NULL, NULL))',
  );
});

test('several tables stand in one file where the format has room for them', () => {
  const connection = databaseOf(
    wasm,
    'CREATE TABLE a (x); CREATE TABLE b (y); INSERT INTO a VALUES (1); INSERT INTO b VALUES (2)',
  );
  const source = { kind: 'tables', tables: ['a', 'b'] } as const;
  expect(JSON.parse(exported(connection, source, 'json').text)).toEqual({ a: [{ x: 1 }], b: [{ y: 2 }] });
  expect(readDump(exported(connection, source, 'sql').text)('SELECT x, y FROM a, b')).toEqual([[1n, 2n]]);
  expect(() => exported(connection, source, 'csv')).toThrow(/Choose another format/);
});

test('an empty table is a file that can be read, in every format', () => {
  const connection = databaseOf(wasm, 'CREATE TABLE e (a, b)');
  for (const { info } of EXPORT_FORMATS.filter(
    ({ info, needsScratch }) => info.sources.includes('table') && !needsScratch,
  ))
    expect(() => exported(connection, ofTable('e'), info.id)).not.toThrow();
  expect(exported(connection, ofTable('e'), 'csv').text).toBe('a,b\n');
  expect(exported(connection, ofTable('e'), 'json').text).toBe('[]\n');
  expect(exported(connection, ofTable('e'), 'markdown').text).toBe('| a | b |\n| --- | --- |\n');
});
