// Long INSERT statements of several rows, which are read and written in parts, against SQLite itself.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { textBytes } from '../import/byte-sources.ts';
import { SqlText } from '../import/sql/sql-text.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const READ =
  'SELECT rowid, typeof(a), hex(quote(a)), typeof(b), hex(quote(b)), typeof(c), hex(quote(c)), hex(quote(d)) FROM t ORDER BY rowid';
const LONG = 'x'.repeat(17_000);

const literal = fc.oneof(
  { weight: 4, arbitrary: fc.integer().map(String) },
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value.toPrecision(20)),
  fc.stringMatching(/^[aé😀'\n;,)(\-/*\\"]{0,12}$/u).map((text) => `'${text.replaceAll("'", "''")}'`),
  fc.uint8Array({ maxLength: 9 }).map((bytes) => `x'${Buffer.from(bytes).toString('hex')}'`),
  fc.constant('NULL'),
);
const row = fc.tuple(literal, literal, fc.integer({ min: 0, max: 400 })).map((values) => `(${values.join(',')})`);
/** A row that is not only literals, comes rarely, or never should. */
const odd = fc.constantFrom("(1+1,replace('a\\nb','\\n',char(10)),0x1F)", '(1,2)', '()', '(NULL,(SELECT 5),901)', '');
const between = fc.constantFrom(',', ',', ', ', ' ,\n', ',\n\t', ', -- (1),\n', ',/* ; */');
const statement = fc
  .record({
    verb: fc.constantFrom('INSERT', 'INSERT', 'INSERT OR REPLACE', 'INSERT OR IGNORE', 'replace'),
    head: fc.constantFrom('t(a,b,c) VALUES ', '"t" (a, b, c)\nVALUES\n\t', '[t]("a", b, `c`) values'),
    rows: fc.array(row, { minLength: 1, maxLength: 12 }),
    odd: fc.option(odd, { freq: 6 }),
    at: fc.nat(12),
    commas: fc.array(between, { minLength: 14, maxLength: 14 }),
    tail: fc.constantFrom(
      ';\n', ' ; ', ';\n-- no\n', ' ON CONFLICT DO NOTHING;\n', ' ON CONFLICT (c) DO UPDATE SET a = a || excluded.a;', ' RETURNING a;\n',
      ' gone;\n',
    ), // prettier-ignore
  })
  .map(({ verb, head, rows, odd: other, at, commas, tail }) => {
    const all = [`('${LONG}',NULL,${rows.length + at * 7})`, ...rows];
    if (other !== null) all.splice(at % (all.length + 1), 0, other);
    return `${verb} INTO ${head}${all.map((text, place) => (place === 0 ? text : commas[place]! + text)).join('')}${tail}`;
  });
const TABLE = 'CREATE TABLE t (a, b REAL, c TEXT UNIQUE, d DEFAULT 7);\n';
const UPSERT = ' ON CONFLICT (c) DO UPDATE SET a = a || excluded.a;\n';

/** As SQLite's own program runs a file: what a statement cannot do costs itself. Returns the lines of those. */
function bySqlite(statements: readonly string[]): { readonly rows: unknown[]; readonly failed: readonly number[] } {
  const database = new DatabaseSync(':memory:');
  const failed: number[] = [];
  let line = 1;
  for (const sql of statements) {
    try {
      database.exec(sql);
    } catch {
      failed.push(line);
    }
    line += sql.split('\n').length - 1;
  }
  const rows = database.prepare(READ).all();
  return { rows: rows.map((values) => Object.values(values)), failed };
}

const many = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `(${at + from},'${'text '.repeat(8)}',${at + from})`);
const INTO = 'INSERT INTO t(a,b,c) VALUES ';

async function loaded(place: (typeof PLACES)[number][1], statements: readonly string[]) {
  const { connection, contents } = await opened(place, statements.join(''), { dialect: 'sqlite' });
  return { rows: connection.all(READ), failed: contents.sql!.statements.map(({ line }) => line), connection, contents };
}

test('a statement of several rows is read in parts', async () => {
  const parts: string[] = [];
  const text = `${TABLE}${INTO}${many(100_000).join(',\n')};\n${INTO}${many(2000).join(',')} ON CONFLICT DO NOTHING;${INTO}(1,2,3),(4,5,6);`;
  const read = new SqlText(textBytes(text, 'a.sql'), 'utf-8', 'sqlite');
  const records: number[] = [];
  do
    for (let item = read.next(); item !== null; item = read.next()) {
      if (item.kind === 'records') records.push(item.batch.records);
      if (item.kind === 'records') expect(item.source.length).toBeLessThan(4 << 20);
      parts.push(
        item.kind === 'records'
          ? `${item.part?.line} ${item.part?.isEnd}`
          : `${item.kind} ${'line' in item && item.line}`,
      );
    }
  while (await read.more());
  expect(new Set(parts)).toEqual(new Set(['statement 1', '2 false', '2 true', '100002 false', 'statement 100002']));
  expect(parts.slice(-3)).toEqual(['100002 false', 'statement 100002', 'statement 100002']);
  expect(records.reduce((sum, count) => sum + count)).toBe(100_000 + 1999);
});

describe.each(PLACES)('long statements read by the %s engine', (_name, place) => {
  test.each([
    [TABLE, 'INSERT OR IGNORE INTO t(a,b,c) VALUES '],
    [TABLE, 'REPLACE INTO t(a,b,c) VALUES '],
    [TABLE.replace('UNIQUE', 'UNIQUE ON CONFLICT IGNORE'), INTO],
  ])('leave rows in conflict to the clause at the end: %s %s', async (table, into) => {
    const statements = [table, `${into}('${LONG}',NULL,3),(1,0,0),(2,0,0),(3,0,0)${UPSERT}`];
    const { rows, failed } = await loaded(place, statements);
    expect({ rows, failed }).toEqual(bySqlite(statements));
  });

  test('store what SQLite stores, and fail where they fail there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 6 }), async (statements) => {
        const { rows, failed } = await loaded(place, [TABLE, ...statements]);
        expect({ rows, failed }).toEqual(bySqlite([TABLE, ...statements]));
      }),
      { numRuns: seedCount(30) },
    );
  });

  test.each([
    ['in the first part', [...many(3, 29_990), ...many(30_000)].join(',')],
    ['in the last part', [...many(30_000), ...many(3, 29_990)].join(',\n')],
  ])('leave nothing behind if a row is refused %s', async (_place, rows) => {
    const statements = [TABLE, `${INTO}(-1,NULL,-1);\n`, `${INTO}${rows};\n`, `${INTO}(-2,NULL,-2);\nbad;\n`];
    const { rows: stored, failed, contents } = await loaded(place, statements);
    expect(stored).toHaveLength(2);
    const lines = rows.split('\n').length;
    expect(failed).toEqual([3, 4 + lines]);
    const { reason, text } = contents.sql!.statements[0]!;
    expect([reason, text.slice(0, 60)]).toEqual([
      'Another row of “t” already has this “c”.',
      `${INTO}${rows}`.slice(0, 60),
    ]);
  });

  test('go on as one statement where a clause changes what becomes of a refused row', async () => {
    const rows = [...many(30_000), "(0,'again',5)", ...many(10, 30_000)].join(',');
    const update = `${INTO}${rows} ON CONFLICT (c) DO UPDATE SET b = excluded.b;`;
    const { rows: stored, failed } = await loaded(place, [TABLE, update]);
    expect(failed).toEqual([]);
    expect(stored).toHaveLength(30_010);
    expect(stored).toEqual(bySqlite([TABLE, update]).rows);
  });

  test.each(['', ';', ')', ",'no end", ',(1,'])('are not run where the file is cut off: %s', async (end) => {
    const cut = `${INTO}${many(30_000).join(',')}${end}`;
    const { rows, failed } = await loaded(place, [TABLE, cut]);
    expect([rows.length, failed]).toEqual(end === '' || end === ';' ? [30_000, []] : [0, [2]]);
  });

  test.each([
    'CREATE TABLE t (a, b NOT NULL ON CONFLICT FAIL, c, d);\n',
    `${TABLE}CREATE TRIGGER g BEFORE INSERT ON t WHEN new.b IS NULL BEGIN SELECT RAISE(FAIL, 'no'); END;\n`,
  ])('are written as one where a row that fails keeps others: %s', async (table) => {
    const statements = [table, `${INTO}${[...many(500), '(1,NULL,5000)', ...many(9, 6000)].join(',')};\n`];
    const { rows, failed } = await loaded(place, statements);
    expect({ rows, failed }).toEqual(bySqlite(statements));
    expect(rows).toHaveLength(500);
  });

  test('leave the schema whole after many definitions', async () => {
    const tables = Array.from({ length: 250 }, (_, at) => `CREATE TABLE t${at} (a);\n`);
    const failing = `${INTO}${[...many(30_000), '(1,2,3)'].join(',')};\n`;
    const { connection, failed } = await loaded(place, [
      TABLE, ...tables, failing, `${INTO}${[...many(900), '(1,2,3)'].join(',')} RETURNING a;\n`, 'INSERT INTO t7 VALUES (1);\n',
    ]); // prettier-ignore
    expect(failed).toEqual([252, 253]);
    expect(connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(connection.all('SELECT count(*), (SELECT count(*) FROM t7) FROM sqlite_schema')).toEqual([[252, 1]]);
  });
});
