// A database that was made to block SQLite, or to break it, as soon as it prepares a statement.
import { describe, expect, it } from 'vitest';
import type { Connection } from '../engine.ts';
import { listTables } from '../table-list.ts';
import { thrownBy } from '../thrown-by.test-suite.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';

const doubled = (length: number): string =>
  Array.from({ length }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT x.a FROM v${at} x JOIN v${at} y`).join('; ');

const HEAVY: readonly (readonly [string, string, string])[] = [
  ['40 views that double each other', `CREATE VIEW v0 AS SELECT a FROM t; ${doubled(40)}`, 'v40'],
  ['200 views that double each other', `CREATE VIEW v0 AS SELECT a FROM t; ${doubled(200)}`, 'v200'],
  [
    '150 views in each other',
    `CREATE VIEW v0 AS SELECT a FROM t; ${Array.from({ length: 150 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT a FROM v${at}`).join('; ')}`,
    'v150',
  ],
  [
    '12 views that copy a column three times each',
    `CREATE VIEW v0 AS SELECT a FROM t; ${Array.from({ length: 12 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT coalesce(a, a, a) AS a FROM v${at}`).join('; ')}`,
    'v12',
  ],
  [
    'a view of common table expressions that copy a column',
    `CREATE VIEW v1 AS WITH c0 AS (SELECT a FROM t), ${Array.from({ length: 12 }, (_, at) => `c${at + 1} AS (SELECT coalesce(a, a, a) AS a FROM c${at})`).join(', ')} SELECT a FROM c12`,
    'v1',
  ],
];

const columns = (count: number, expression: (below: string) => string): string =>
  Array.from({ length: count }, (_, at) => `a${at + 1} AS (${expression(`a${at}`)})`).join(', ');

/** SQLite prepares a query of all columns to create such a table. */
const HEAVY_TABLES: readonly (readonly [string, string])[] = [
  ['40 generated columns that double each other', columns(40, (below) => `${below} + ${below}`)],
  ['1,900 generated columns in each other', columns(1900, (below) => `${below} + 1`)],
  [
    '60 generated columns of 200 levels each',
    columns(60, (below) => `${'abs('.repeat(200)}${below}${')'.repeat(200)}`),
  ],
];

/** Any of these would not come back, or take the engine with it. */
export function describeHeavySchema(get: GetConnection): void {
  describe.each(HEAVY)('a schema of %s', needs('quick statements', 'large values'), (_, sql, name) => {
    const prepare = (): Connection => {
      runScript(get(), `CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE TABLE other (a); ${sql}`);
      return get();
    };
    const expectRefused = (work: () => unknown): void => {
      const { code, message } = thrownBy(work);
      expect(code).toBe('sql');
      expect(message).toContain(`“${name}”`);
      expect(message).toContain('Everything else in this database can be used.');
    };

    it('can be used but for that', () => {
      const connection = prepare();
      expect(listTables(connection).map((table) => table.name)).toContain(name);
      for (const statement of [
        `SELECT * FROM ${name}`,
        `SELECT (SELECT 1 FROM main."${name}")`,
        `WITH c AS (SELECT * FROM t) SELECT 1 FROM c JOIN ${name.toUpperCase()}`,
        `EXPLAIN SELECT * FROM ${name}`,
        `EXPLAIN QUERY PLAN SELECT * FROM ${name}`,
        `CREATE TABLE copy AS SELECT * FROM ${name}`,
        `INSERT INTO other SELECT 1 FROM ${name}`,
      ]) {
        expectRefused(() => connection.check(statement));
        expectRefused(() => connection.run(statement));
        expectRefused(() => runScript(connection, `SELECT 1; ${statement}; SELECT 2`));
      }
      expectRefused(() => connection.run(`PRAGMA table_info(${name})`));
      expectRefused(() => connection.run(`EXPLAIN PRAGMA table_info(${name})`));
      expectRefused(() => connection.all('SELECT * FROM pragma_table_info(?)', [name.toUpperCase()]));
      expect(connection.run('INSERT INTO t VALUES (2)')).toBe(1);
      expect(connection.all('SELECT t.a FROM t JOIN other ON true')).toEqual([]);
      expect(connection.one("SELECT count(*) FROM sqlite_schema WHERE name = 't'")).toEqual([1]);
    });

    it('with a trigger that reads that: rows can be changed once the trigger is dropped', () => {
      const connection = prepare();
      connection.run(`CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO other SELECT 1 FROM ${name}; END`);
      expect(thrownBy(() => connection.run('INSERT INTO t VALUES (2)')).message).toContain('“tr”');
      expect(thrownBy(() => connection.run('WITH c AS (SELECT 2) INSERT INTO t SELECT * FROM c')).message).toContain(
        '“tr”',
      );
      expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
      connection.run('DROP TRIGGER tr');
      expect(connection.run('INSERT INTO t VALUES (2)')).toBe(1);
    });

    it('is as any other once that is dropped, and not when that is taken back', needs('transactions'), () => {
      const connection = prepare();
      connection.run('BEGIN');
      for (const table of listTables(connection))
        if (/^v\d/.test(table.name)) connection.run(`DROP ${table.kind} ${table.name}`);
      connection.run(`CREATE VIEW ${name} AS SELECT a FROM t`);
      expect(connection.all(`SELECT a FROM ${name}`)).toEqual([[1]]);
      connection.run('ROLLBACK');
      expectRefused(() => connection.all(`SELECT * FROM ${name}`));
    });
  });

  it('a table with tens of thousands of UNIQUE constraints is not created', needs('quick statements'), () => {
    const list = (count: number): string =>
      Array.from({ length: count }, (_, at) => `UNIQUE (c${at % 300}, c${Math.floor(at / 300)})`).join();
    const table = (count: number): string =>
      `CREATE TABLE u (${Array.from({ length: 300 }, (_, at) => `c${at}`).join()}, ${list(count)})`;
    expect(thrownBy(() => get().run(table(60_000))).message).toContain('thousands of UNIQUE constraints');
    expect(thrownBy(() => runScript(get(), `SELECT 1; ${table(60_000)}`)).message).toContain('thousands of UNIQUE');
    get().run(table(300));
    expect(get().all('SELECT name FROM sqlite_schema WHERE sql IS NOT NULL')).toEqual([['u']]);
  });

  describe('what is light by itself', needs('quick statements', 'large values'), () => {
    it('is refused where a statement names it too often, and otherwise not', () => {
      const chain = Array.from({ length: 13 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT a || a AS a FROM v${at}`);
      runScript(get(), `CREATE TABLE t (a); CREATE VIEW v0 AS SELECT a FROM t; ${chain.join('; ')}`);
      expect(get().all('SELECT a FROM v13 WHERE a > 1 ORDER BY a')).toEqual([]);
      const sql = `SELECT 1 FROM v13 WHERE ${Array.from({ length: 250 }, () => 'a > ?').join(' AND ')}`;
      expect(thrownBy(() => get().prepare(sql)).message).toContain('so often');
      expect(thrownBy(() => runScript(get(), `SELECT 1; ${sql}`)).message).toContain('so often');
      expect(thrownBy(() => get().run(`INSERT INTO t ${sql}`)).message).toContain('so often');
    });

    it('is refused where triggers run each other so often that no row could be written', () => {
      const body = 'INSERT INTO t VALUES (1); '.repeat(200);
      const made = Array.from({ length: 200 }, (_, at) => `CREATE TRIGGER r${at} AFTER INSERT ON t BEGIN ${body} END`);
      runScript(get(), `CREATE TABLE t (a); ${made.join('; ')}`);
      expect(thrownBy(() => get().run('INSERT INTO t VALUES (1)')).message).toContain('“r0”');
      expect(get().all('SELECT a FROM t')).toEqual([]);
      get().run('DROP TRIGGER r0');
    });
  });

  describe('a table that is too heavy', needs('quick statements', 'many columns'), () => {
    it.each(HEAVY_TABLES)('is not created: %s', (_, list) => {
      const sql = `CREATE TABLE g (a0, ${list})`;
      expect(thrownBy(() => get().run(sql)).message).toContain('“g”');
      expect(thrownBy(() => runScript(get(), `CREATE TABLE t (a); ${sql}`)).message).toContain('“g”');
      expect(get().all('SELECT name FROM sqlite_schema')).toEqual([['t']]);
    });
  });
}

function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  try {
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  } finally {
    script.dispose();
  }
}
