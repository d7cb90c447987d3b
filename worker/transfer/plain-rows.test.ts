// INSERT statements of literals alone, which are read as records, against SQLite itself.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { textBytes } from '../import/byte-sources.ts';
import { SqlText } from '../import/sql/sql-text.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const digits = fc.stringMatching(/^[0-9]{1,24}$/);
const sign = fc.constantFrom('', '', '-');
const literal = fc.oneof(
  fc.tuple(sign, digits).map((parts) => parts.join('')),
  fc.tuple(sign, digits, digits).map(([minus, whole, decimals]) => `${minus}${whole}.${decimals}`),
  fc
    .tuple(sign, digits, fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.integer({ min: 0, max: 400 }))
    .map((parts) => parts.join('')),
  fc.double().map((value) => (Number.isFinite(value) ? value.toPrecision(20) : '9.0e+999')),
  fc.stringMatching(/^[aé😀'\n;,)(\-/*\\"]{0,12}$/u).map((text) => `'${text.replaceAll("'", "''")}'`),
  fc.uint8Array({ maxLength: 9 }).map((bytes) => `x'${Buffer.from(bytes).toString('hex')}'`),
  fc.constantFrom(
    'NULL',
    'null',
    "X'AbCd'",
    "replace('a\\nb','\\n',char(10))",
    '+1',
    '(2)',
    '0x1F',
    '1e5',
    '.5',
    '5.',
    'true',
  ),
);
const head = fc.constantFrom(
  'INSERT INTO t VALUES(',
  'INSERT INTO "t" VALUES (',
  'insert into [t](b, "a", c) values(',
  'INSERT OR REPLACE INTO t VALUES(',
  'REPLACE INTO t(a,b,c)VALUES(',
  'INSERT OR IGNORE INTO `t` VALUES(',
);
const statement = fc
  .tuple(
    head,
    fc.tuple(literal, literal, literal),
    fc.constantFrom(',', ', ', ' ,\n'),
    fc.constantFrom(';\n', ' ; ', ';\n-- no\n'),
  )
  .map(([begin, values, comma, end]) => `${begin}${values.join(comma)})${end}`);
const TABLE = 'CREATE TABLE t (a, b REAL, c TEXT UNIQUE);\n';
const READ =
  'SELECT typeof(a), hex(quote(a)), typeof(b), hex(quote(b)), typeof(c), hex(quote(c)) FROM t ORDER BY rowid';

/** As SQLite's own program runs a file: what a statement cannot do costs itself. */
function bySqlite(statements: readonly string[]): unknown[] {
  const database = new DatabaseSync(':memory:');
  for (const sql of [TABLE, ...statements])
    try {
      database.exec(sql);
    } catch {
      // Listed by Sidelite.
    }
  return database
    .prepare(READ)
    .all()
    .map((row) => Object.values(row));
}

async function kindsOf(text: string): Promise<readonly string[]> {
  const read = new SqlText(textBytes(text, 'a.sql'), 'utf-8', 'sqlite');
  const kinds: string[] = [];
  do
    for (let item = read.next(); item !== null; item = read.next())
      kinds.push(item.kind === 'records' ? `${item.into}: ${item.batch.records}` : item.kind);
  while (await read.more());
  return kinds;
}

test('statements of one kind are one item, also where a piece of the file ends in one', async () => {
  const rows = Array.from({ length: 40_000 }, (_, id) => `INSERT INTO t VALUES(${id},'it''s ${'long '.repeat(8)}');\n`);
  const kinds = await kindsOf(`${TABLE}${rows.join('')}INSERT INTO "t"(a) VALUES(1);INSERT INTO t VALUES(1+1);`);
  expect(kinds.slice(-2)).toEqual(['INSERT INTO "t"(a): 1', 'statement']);
  // Those right after another statement are split with it.
  const records = kinds.slice(0, -2).filter((kind) => kind !== 'statement');
  const sum = records.reduce((before, kind) => before + Number(kind.replace('INSERT INTO t: ', '')), 0);
  expect(sum).toBeGreaterThan(rows.length - 50);
  expect(kinds.length - records.length - 3 + sum).toBe(rows.length);
  expect(records.length).toBeLessThan(10);
});

test('a statement may have a long beginning', async () => {
  const name = 'n'.repeat(400);
  expect(await kindsOf(`INSERT INTO ${name} VALUES(1);\nINSERT INTO ${name} VALUES(2);`)).toEqual([
    `INSERT INTO ${name}: 2`,
  ]);
});

describe.each(PLACES)('rows of literals read by the %s engine', (_name, place) => {
  test('are what SQLite reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 30 }), async (statements) => {
        const { connection } = await opened(place, TABLE + statements.join(''), { dialect: 'sqlite' });
        expect(connection.all(READ)).toEqual(bySqlite(statements));
      }),
      { numRuns: seedCount(60) },
    );
  });

  test('are listed with their lines and texts where SQLite refuses them', async () => {
    const { contents, connection } = await opened(
      place,
      "CREATE TABLE t (a UNIQUE, b NOT NULL);\nINSERT INTO t VALUES(1,'a\nb');\n\nINSERT INTO t VALUES(1,'é');\nINSERT INTO t VALUES(2,NULL);\nINSERT INTO t VALUES(3,4);INSERT INTO t VALUES(5);\nINSERT INTO gone VALUES(7);",
    );
    expect(contents.sql!.statements.map(({ line, text }) => [line, text])).toEqual([
      [5, "INSERT INTO t VALUES(1,'é')"],
      [6, 'INSERT INTO t VALUES(2,NULL)'],
      [7, 'INSERT INTO t VALUES(5)'],
      [8, 'INSERT INTO gone VALUES(7)'],
    ]);
    expect(connection.all('SELECT a FROM t')).toEqual([[1], [3]]);
  });

  test('are written alone where one of them may keep, or undo, others', async () => {
    const rows = 'INSERT INTO t VALUES(1,1);\nINSERT INTO t VALUES(2,NULL);\nINSERT INTO t VALUES(3,3);\n';
    const { connection } = await opened(place, `CREATE TABLE t (a, b NOT NULL ON CONFLICT FAIL);\n${rows}`);
    expect(connection.all('SELECT a FROM t')).toEqual([[1], [3]]);
    const undone = opened(place, `CREATE TABLE t (a, b NOT NULL ON CONFLICT ROLLBACK);\n${rows}`);
    await expect(undone).rejects.toThrow(/^The statement on line 3 failed and rolled back everything/);
  });

  test('have the columns that ALTER TABLE could not drop', async () => {
    const { contents, connection } = await opened(
      place,
      'CREATE TABLE t (a, b, "");\nCREATE INDEX i ON t ("");\nALTER TABLE t DROP COLUMN "";\nINSERT INTO t VALUES(1,2,3);',
      { dialect: 'sqlite' },
    );
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([3]);
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 2, 3]]);
  });

  test('have the table that the file does not define', async () => {
    const { contents, connection } = await opened(
      place,
      "INSERT INTO t(a,b) VALUES(1,'x');\nINSERT INTO t(a,b) VALUES(2,X'00');",
    );
    expect(contents.notes).toEqual([
      'The file does not define “t”: the table has the columns that its first row names, without types.',
    ]);
    expect(connection.all('SELECT a, hex(b) FROM t')).toEqual([
      [1, '78'],
      [2, '00'],
    ]);
  });
});
