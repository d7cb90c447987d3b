// Tests that script statements prepared once and run many times do the same as each one prepared from its own text.
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Connection, Engine, ScriptStatement } from '../engine.ts';
import { patternOf } from './repeated-statements.ts';
import { Literals, matchPattern } from './literals.ts';
import { memoryFolder } from '../memory-folder.test-suite.ts';
import { createNativeEngine } from '../native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../wasm/wasm-engine.ts';

const encoder = new TextEncoder();
const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);
const encodeUtf16 = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

const folder = memoryFolder();
let files = 0;

describe('which literals are parameters', () => {
  it.each<readonly [sql: string, pattern: string | null]>([
    ["INSERT INTO t VALUES(1,'it''s',-2.5,NULL)", 'INSERT INTO t VALUES(?,?,?,?)'],
    ['insert into "a b"(x) values (1), (2)', 'insert into "a b"(x) values (?), (?)'],
    ['REPLACE INTO t VALUES(1+1, abs(-3), (4), 5)', 'REPLACE INTO t VALUES(1+1, abs(-3), (4), ?)'],
    [
      'INSERT INTO t VALUES(2) ON CONFLICT(a) WHERE b=5 DO UPDATE SET c=6',
      'INSERT INTO t VALUES(?) ON CONFLICT(a) WHERE b=5 DO UPDATE SET c=6',
    ],
    ['INSERT INTO t VALUES(0x10, .5, 5., 12345678901234567890)', null],
    [
      "INSERT INTO t VALUES(x'0aF0', X'', -123456789012345678, 1e3, -1.23456789012, 2.5E-7, 7)",
      'INSERT INTO t VALUES(?, ?, ?, CAST(? AS REAL), CAST(? AS REAL), CAST(? AS REAL), ?)',
    ],
    ["INSERT INTO t VALUES(x'0', 1)", "INSERT INTO t VALUES(x'0', ?)"],
    ["DELETE FROM t WHERE a = X'00' AND b = 1.23456789012 AND c = 1234567890123456", null],
    ['INSERT INTO t VALUES(1) RETURNING a', null],
    ['INSERT INTO t VALUES(1, ?)', null],
    ['INSERT INTO t VALUES(1) -- one', null],
    ['INSERT INTO t /* 1 */ VALUES(1)', null],
    ['INSERT INTO t SELECT 1 WHERE a = 5', null],
    ["UPDATE t SET a=5, b=b*2, c='x' WHERE d=7", 'UPDATE t SET a=?, b=b*2, c=? WHERE d=?'],
    ['UPDATE t SET a=5 FROM u WHERE u.b=7', 'UPDATE t SET a=5 FROM u WHERE u.b=?'],
    ['DELETE FROM t WHERE a BETWEEN -5 AND 6 AND b>=7 OR c<8', 'DELETE FROM t WHERE a BETWEEN ? AND ? AND b>=? OR c<?'],
    // Such numbers and NULL mean something to the planner.
    ['DELETE FROM t WHERE a = 1 AND b = -1 AND c = 0 AND d = NULL', null],
    [
      'SELECT 5, a=5 FROM t JOIN u ON b=5 WHERE c=5 ORDER BY d=5 LIMIT 5',
      'SELECT 5, a=5 FROM t JOIN u ON b=5 WHERE c=? ORDER BY d=5 LIMIT 5',
    ],
    ['SELECT a FROM t WHERE b=5 GROUP BY c=5 HAVING d=5', 'SELECT a FROM t WHERE b=? GROUP BY c=5 HAVING d=5'],
    ['SELECT a FROM t WHERE b=5 UNION SELECT 5 WHERE c=5', null],
    ["SELECT a FROM t WHERE b->'$.x' LIKE 'y' AND c IN (5) AND (d=5) AND e+5=f AND g=5+h", null],
    ['WITH u AS (SELECT 5) DELETE FROM t WHERE a=5', null],
    ['CREATE TABLE t AS SELECT 5', null],
    ['EXPLAIN DELETE FROM t WHERE a=5', null],
  ])('%s', (sql, pattern) => {
    expect(patternOf(sql, encodeUtf8)?.sql ?? null).toBe(pattern);
  });

  it.each<readonly [sql: string, isSame: boolean]>([
    ["DELETE FROM t WHERE a=-8 AND b=';'", true],
    ["DELETE FROM t WHERE a=7.5 AND b='é''s';", true],
    ["DELETE FROM t WHERE a='x' AND b=8", true],
    ["DELETE FROM t WHERE a=1 AND b='x'", false],
    ["DELETE FROM t WHERE a=NULL AND b='x'", false],
    ["DELETE FROM t WHERE a=8.5e3 AND b='x'", false],
    ["DELETE FROM t WHERE a=8_5 AND b='x'", false],
    ["DELETE FROM t WHERE a=8 AND b='x", false],
    ["DELETE FROM t WHERE a=8 AND b='x'||c", false],
    ["DELETE FROM t WHERE a=8 AND b='x' ", false],
    ["DELETE FROM t WHERE a=123456789012345678 AND b='x'", false],
    ["DELETE FROM t WHERE a=1.23456789012 AND b='x'", false],
    ["DELETE FROM t WHERE a=X'00' AND b='x'", false],
  ])('%s is the same: %s', (sql, isSame) => {
    for (const encode of [encodeUtf8, encodeUtf16]) {
      const pattern = patternOf("DELETE FROM t WHERE a=7 AND b='x'", encode)!;
      const units = encode(`${sql}\0`);
      const length = units.length - 1 - (sql.endsWith(';') ? 1 : 0);
      expect(matchPattern(pattern, units, 0, new Literals())).toBe(isSame ? length : -1);
    }
  });
});

test.each<readonly [sql: string, isSame: boolean]>([
  ['INSERT INTO t VALUES(1.5, 2)', true],
  ["INSERT INTO t VALUES(-1.2345678901234567, X'')", true],
  ['INSERT INTO t VALUES(1.5e300, 1234567890123456)', true],
  ['INSERT INTO t VALUES(NULL, NULL)', true],
  ['INSERT INTO t VALUES(1, 2)', false],
  ["INSERT INTO t VALUES('1.5', 2)", false],
  ["INSERT INTO t VALUES(X'31', 2)", false],
  ['INSERT INTO t VALUES(1.5, 1.5e2)', false],
])('where SQLite reads a REAL from its digits, only such a number is the same: %s', (sql, isSame) => {
  for (const encode of [encodeUtf8, encodeUtf16]) {
    const pattern = patternOf('INSERT INTO t VALUES(0.123456789012, 7)', encode)!;
    expect(matchPattern(pattern, encode(`${sql}\0`), 0, new Literals()) > 0).toBe(isSame);
  }
});

const ENGINES = [
  { name: 'wasm', create: async () => (await createWasmEngine()).engine, location: () => IN_MEMORY },
  { name: 'native', create: createNativeEngine, location: () => join(folder, `${++files}.sqlite3`) },
] as const;

describe.each(ENGINES)('scripts on the $name engine', ({ create, location }) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await create();
  });
  const open = (): Connection => engine.open(location(), { durability: 'balanced', create: true });

  test('numbers are those that SQLite reads', () => {
    const number = fc
      .tuple(
        fc.boolean(),
        fc.integer({ min: 1, max: 21 }),
        fc.maxSafeNat(),
        fc.integer({ min: 0, max: 18 }),
        fc.constantFrom('', '', 'e5', 'E-7', 'e+300', 'e-310', 'e999'),
      )
      .map(([isNegative, digits, value, decimals, exponent]) => {
        const text = String(value % 10 ** digits).padStart(digits, '7');
        const places = Math.min(decimals, digits - 1);
        const number = places > 0 ? `${text.slice(0, -places)}.${text.slice(-places)}` : text;
        return `${isNegative ? '-' : ''}${number}${exponent}`;
      });
    const connection = open();
    connection.run('CREATE TABLE n(a)');
    fc.assert(
      fc.property(fc.array(number, { minLength: 200, maxLength: 200 }), (numbers) => {
        run(
          connection,
          numbers.map((text) => `INSERT INTO n VALUES(${text})`),
        );
        // Numbers in parentheses stay as written.
        const written = connection.all(`VALUES ${numbers.map((text) => `((${text}))`).join(',')}`);
        expect(connection.all('SELECT a FROM n ORDER BY rowid')).toEqual(written);
        connection.run('DELETE FROM n');
      }),
      { seed: 20_271, numRuns: seedCount(100, 15) },
    );
    connection.close();
  });

  test('together they do what each does alone', () => {
    fc.assert(
      fc.property(fc.array(statement, { minLength: 4, maxLength: 40 }), (statements) => {
        const [whole, alone] = [prepared(open()), prepared(open())];
        const together = watch(whole, (seen) => run(whole, statements, seen));
        const each = watch(alone, (seen) => {
          for (const text of statements) run(alone, [text], seen);
        });
        expect(together).toEqual(each);
        for (const table of ['t', 'u', 'log'])
          expect(whole.all(`SELECT rowid, * FROM ${table}`)).toEqual(alone.all(`SELECT rowid, * FROM ${table}`));
        whole.close();
        alone.close();
      }),
      { seed: 20_272, numRuns: seedCount(300, 15) },
    );
  });

  test.each([
    ['REAL and NULL', [null, 0.1 + 0.2, 0.5, 2 ** 0.5], 4],
    ['blobs', [1, 2, 3, 4], 2],
  ])('rows with %s are few statements, and the values as written', (_what, values, most) => {
    const connection = open();
    connection.run('CREATE TABLE t(a, b, c)');
    const text = (value: number | null): string =>
      most === 2 ? `X'${String(value).padStart(4, 'aF')}'` : value === null ? 'NULL' : value.toPrecision(17);
    const rows = Array.from({ length: 60 }, (_, at) => [at, at >> 2, at >> 4].map((place) => text(values[place % 4]!)));
    const script = connection.script(rows.map((row) => `INSERT INTO t VALUES(${row.join(',')});`).join('\n'));
    const seen = new Set<ScriptStatement>();
    for (let one = script.next(); one !== null; one = script.next()) {
      while (one.step());
      seen.add(one);
    }
    const written = connection.all(
      `VALUES ${rows.map((row) => `(${row.map((part) => `(${part})`).join(',')})`).join(',')}`,
    );
    expect(connection.all('SELECT * FROM t ORDER BY rowid')).toEqual(written);
    // Each is prepared as written, too, when it is learned.
    expect(seen.size).toBeLessThanOrEqual(2 * most + 1);
    connection.close();
  });

  test('rows of a dump are one statement, whatever stands before them', () => {
    const connection = open();
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const tables = numbers.map((number) => `CREATE TABLE t${number}(a, b)`);
    const rows = numbers.map((number) => `INSERT INTO t${number % 2} VALUES(${number}, 'row ${number}')`);
    const script = connection.script([...tables, ...rows].join(';\n'));
    const seen: ScriptStatement[] = [];
    for (let one = script.next(); one !== null; one = script.next()) {
      while (one.step());
      seen.push(one);
    }
    // For each table, one statement is prepared as written and shows the pattern, but the very first shows nothing.
    expect(new Set(seen.slice(20)).size).toBe(5);
    expect(connection.one('SELECT count(*), max(b) FROM t1')).toEqual([10, 'row 9']);
    connection.close();
  });
});

/** The other engine has no authorizer that would say what is written. */
test('what a statement does on the wasm engine is asked again once something else decides it', async () => {
  const { engine } = await createWasmEngine();
  const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  run(connection, [
    'CREATE TABLE p(a INTEGER PRIMARY KEY)',
    'CREATE TABLE c(a REFERENCES p ON DELETE CASCADE)',
    'INSERT INTO p VALUES(2), (3), (4), (5), (6), (7)',
  ]);
  const writes: (readonly string[])[] = [];
  const off = [2, 3, 4, 5].map((key) => `DELETE FROM p WHERE a=${key};`).join('');
  const on = [6, 7].map((key) => `DELETE FROM p WHERE a=${key};`).join('');
  const script = connection.script(`PRAGMA foreign_keys=OFF;${off}PRAGMA foreign_keys=ON;${on}`);
  for (let one = script.next(); one !== null; one = script.next()) {
    while (one.step());
    if (!one.readonly) writes.push(one.writtenTables!);
  }
  expect(writes.map((tables) => tables.length)).toEqual([1, 1, 1, 1, 2, 2]);
  connection.close();
});

const value = fc.oneof(
  fc.integer({ min: -3, max: 12 }).map(String),
  fc.constantFrom(
    'NULL',
    "''",
    "'x'",
    "'it''s'",
    "'12'",
    "'é😀'",
    '1.5',
    '-0.0',
    '1e2',
    '-1e-7',
    '0.30000000000000004',
    "x''",
    "X'0aF1'",
    '9007199254740993',
    'a',
  ),
);
const comparison = fc.constantFrom('=', '<', '>=', '<>', ' IS ', ' LIKE ');
const condition = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', 'c'), comparison, value).map((parts) => parts.join('')),
  fc.tuple(value, value).map(([from, to]) => `a BETWEEN ${from} AND ${to}`),
);
const conditions = fc.tuple(condition, fc.constantFrom(' AND ', ' OR '), condition).map((parts) => parts.join(''));
const row = fc.tuple(value, value, value).map((values) => `(${values.join(',').replaceAll('a', 'NULL')})`);
const statement = fc.oneof(
  { weight: 4, arbitrary: row.map((values) => `INSERT INTO t VALUES${values}`) },
  { weight: 2, arbitrary: row.map((values) => `INSERT OR FAIL INTO t(c, a, b) VALUES ${values}`) },
  { weight: 2, arbitrary: row.map((values) => `REPLACE INTO t VALUES${values}`) },
  { weight: 2, arbitrary: row.map((values) => `INSERT INTO t VALUES${values} ON CONFLICT(a) DO UPDATE SET b=9`) },
  { weight: 3, arbitrary: fc.tuple(value, conditions).map(([to, where]) => `UPDATE t SET b=${to} WHERE ${where}`) },
  { weight: 2, arbitrary: conditions.map((where) => `DELETE FROM t WHERE ${where}`) },
  { weight: 3, arbitrary: conditions.map((where) => `SELECT *, b=2 FROM t WHERE ${where} ORDER BY 1, 2, 3`) },
  { weight: 1, arbitrary: value.map((key) => `DELETE FROM u WHERE a = ${key}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'BEGIN',
      'COMMIT',
      'SAVEPOINT s',
      'ROLLBACK TO s',
      'ROLLBACK',
      'ALTER TABLE t ADD COLUMN d DEFAULT 5',
      'CREATE TEMP TRIGGER IF NOT EXISTS r AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.a); END',
      'DROP TRIGGER IF EXISTS r',
      'CREATE INDEX IF NOT EXISTS i ON t(b) WHERE c > 5',
      'PRAGMA recursive_triggers = ON',
      'PRAGMA foreign_keys = OFF',
    ),
  },
);

function prepared(connection: Connection): Connection {
  run(connection, [
    'CREATE TABLE t(a INTEGER PRIMARY KEY, b, c TEXT UNIQUE)',
    'CREATE TABLE log(a)',
    'CREATE TABLE u(a INTEGER PRIMARY KEY, b REFERENCES t(a) ON DELETE CASCADE)',
    'CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO log VALUES(old.a); END',
    "INSERT INTO t VALUES(2, 'x', 'y'), (3, 4, 5), (10, 1.5, 'z')",
    'INSERT INTO u VALUES(2, 2), (3, 10)',
  ]);
  return connection;
}

/** Answers of each statement and reports of commits, in order. */
function watch(connection: Connection, work: (seen: unknown[]) => void): readonly unknown[] {
  const guard = { beforeSchemaChange: () => undefined, overBudget: () => 'drop' as const, covers: () => false };
  const seen: unknown[] = [];
  connection.record({ budgetBytes: 1 << 20, guard });
  connection.onCommit(({ log, ...changes }) => seen.push(changes, log === 'dropped' ? log : log?.rowCount));
  work(seen);
  connection.onCommit(null);
  return seen;
}

/** Runs the texts as one script. After a text that SQLite rejects, continues with the next. */
function run(connection: Connection, statements: readonly string[], seen: unknown[] = []): void {
  for (let first = 0; first < statements.length;) {
    const sql = `${statements.slice(first).join(';\n')};`;
    const script = connection.script(sql);
    try {
      for (let one = script.next(); one !== null; one = script.next()) {
        first++;
        seen.push(answer(one, sql));
      }
    } catch (error) {
      first++;
      seen.push(String(error));
    } finally {
      script.dispose();
    }
  }
}

function answer(one: ScriptStatement, sql: string): unknown {
  const { columns, reads, writtenTables, readonly } = one;
  const rows: unknown[] = [];
  let error: string | null = null;
  try {
    while (one.step()) rows.push(columns.map((_, column) => one.value(column)));
  } catch (failure) {
    error = String(failure);
  }
  return { text: sql.slice(one.from, one.to), columns, reads, writtenTables, readonly, rows, error };
}
