// A table copied into another database by way of a SQLite file, as the window does it: everything of it is there, under its new name.
import { describe, expect, test } from 'vitest';
import type { TransferPlan, TransferTable } from '#shared/protocol/transfer.ts';
import type { ExportSource } from '#shared/protocol/export.ts';
import type { Connection } from '../engines/engine.ts';
import { contentsOfConnection, databaseOf, exportedFile, native, wasm } from '../export/export-fixture.test-suite.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { moveTables } from './move.ts';
import type { Moved } from './move.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const WAYS = [
  ['the library', 'a file in place', wasm, native, PLACES[1]![1]],
  ['a file in place', 'the library', native, wasm, PLACES[0]![1]],
] as const;

describe.each(WAYS)('from %s to %s', (_from, _to, from, to, scratchStore) => {
  async function copied(
    source: Connection,
    target: Connection,
    table: TransferTable,
    more: Partial<TransferPlan> = {},
    rows = true,
  ): Promise<Moved> {
    const exported: ExportSource = {
      ...{ kind: 'tables', tables: [table.name], withMentioned: true },
      ...(!rows && { withoutRows: true }),
    };
    const { bytes } = await exportedFile(source, exported, 'sqlite');
    const { connection } = await opened(scratchStore, new Uint8Array(bytes), { name: 'copy.sqlite3' });
    const plan = { tables: [table], indexes: true, triggers: true, withoutOthers: true, ...more };
    const body = moveTables(undisturbedTurn(target), {
      source: connection,
      plan,
      totalRows: 0,
      report: () => undefined,
    });
    for (let step = body.next(); ; step = body.next()) if (step.done) return step.value;
  }

  const table = (name: string, into = name, how: TransferTable['how'] = 'new'): TransferTable => ({ name, into, how });

  test.each([
    [
      'every storage class',
      "CREATE TABLE t (a, b TEXT DEFAULT 'd', c REAL CHECK (c <> 7), d BLOB); INSERT INTO t (rowid, a, b, c, d) VALUES (-5, 9223372036854775807, 'a' || char(0) || 'b', 1e999, X'00FF'), (70, 9007199254740993, '', 5e-324, X''), (71, NULL, '1', -0.0, 2.5)",
    ],
    [
      'WITHOUT ROWID',
      'CREATE TABLE t (k TEXT, n INT, PRIMARY KEY (n DESC, k)) WITHOUT ROWID; INSERT INTO t VALUES (1, 2), (3, 1)',
    ],
    [
      'generated columns',
      "CREATE TABLE t (a INT, twice AS (a * 2), kept TEXT AS (a || '!') STORED); INSERT INTO t (a) VALUES (1), (2)",
    ],
    [
      'STRICT',
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v ANY) STRICT; INSERT INTO t VALUES (1, '7'), (2, 7), (9, X'07'); DELETE FROM t WHERE id = 9",
    ],
    [
      'an index',
      'CREATE TABLE t (a UNIQUE, b); INSERT INTO t VALUES (1, 2); CREATE UNIQUE INDEX t_b ON t (b) WHERE b > 1',
    ],
    [
      'full text',
      "CREATE VIRTUAL TABLE t USING fts5 (title, tokenize = 'porter'); INSERT INTO t (rowid, title) VALUES (10, 'walking')",
    ],
  ])('%s is copied exactly', async (_what, sql) => {
    const target = databaseOf(to, '');
    expect(
      await copied(
        databaseOf(from, `${sql}; CREATE TABLE other (x); INSERT INTO other VALUES (1)`),
        target,
        table('t'),
      ),
    ).toMatchObject({ problems: 0, notes: [] });
    const { pragmas: _, ...contents } = contentsOfConnection(target);
    const { pragmas: _same, ...expected } = contentsOfConnection(databaseOf(from, sql));
    expect(contents).toEqual(expected);
  });

  const SHOP = `CREATE TABLE customers (id INTEGER PRIMARY KEY); CREATE TABLE log (what);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT REFERENCES customers (id), after INT REFERENCES orders (id));
    CREATE INDEX by_customer ON orders (customer);
    CREATE TRIGGER noted AFTER DELETE ON orders BEGIN INSERT INTO log SELECT id FROM orders; END;
    INSERT INTO customers VALUES (1); INSERT INTO orders VALUES (1, 1, NULL), (2, 1, 1)`;

  test('a new name is in its keys, indexes, and triggers; a trigger whose table is there works', async () => {
    const source = databaseOf(from, SHOP);
    const target = databaseOf(to, 'CREATE TABLE log (what); CREATE TABLE orders (a)');
    const { notes } = await copied(source, target, table('orders', 'sales'));
    expect(notes[0]).toBe(
      '“sales” refers to the table “customers”, which does not exist: until it does, no more rows can be added.',
    );
    expect(target.all('SELECT "table" FROM pragma_foreign_key_list(\'sales\') ORDER BY 1')).toEqual([
      ['customers'],
      ['sales'],
    ]);
    expect(target.one("SELECT tbl_name FROM sqlite_schema WHERE name = 'by_customer'")).toEqual(['sales']);
    target.run('PRAGMA foreign_keys = OFF');
    target.run('DELETE FROM sales WHERE id = 1');
    expect(target.all('SELECT what FROM log')).toEqual([[2]]);
    expect(source.one('SELECT count(*) FROM orders')).toEqual([2]);
  });

  test('a trigger that writes the name of its table in another case is copied', async () => {
    const target = databaseOf(to, '');
    const sql = 'CREATE TABLE t (a); CREATE TRIGGER tr AFTER INSERT ON T BEGIN UPDATE t SET a = 7; END';
    await copied(databaseOf(from, sql), target, table('t'));
    target.run('INSERT INTO t VALUES (1)');
    expect(target.one('SELECT a FROM t')).toEqual([7]);
  });

  test.each([
    ['a view without its table', 'CREATE VIEW v AS SELECT * FROM missing'],
    [
      'a trigger without its table',
      'CREATE TABLE z (a); CREATE TRIGGER tz AFTER INSERT ON z BEGIN INSERT INTO missing VALUES (1); END',
    ],
    ['a table with the new name', 'CREATE TABLE t_copy (a)'],
  ])('%s elsewhere does not matter to a new name', async (_what, sql) => {
    const own = `CREATE TABLE t (a); CREATE TABLE log (a); CREATE VIEW w AS SELECT a FROM log;
      CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log SELECT count(*) FROM T, w; END; INSERT INTO t VALUES (1)`;
    const target = databaseOf(to, 'CREATE TABLE t (x); CREATE TABLE log (a); CREATE VIEW w AS SELECT 1');
    const reply = await copied(databaseOf(from, `${own}; ${sql}`), target, table('t', 't_copy'));
    expect(reply).toMatchObject({ tables: [{ name: 't_copy', rows: 1 }], notes: [], leftOut: [] });
    target.run('INSERT INTO t_copy VALUES (2)');
    expect(target.all('SELECT a FROM log')).toEqual([[2]]);
  });

  test('a trigger that is broken in its own database is left out', async () => {
    const sql = 'CREATE TABLE t (a); CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO missing VALUES (1); END';
    const target = databaseOf(to, '');
    await copied(databaseOf(from, sql), target, table('t', 'u'));
    expect(target.all('SELECT name FROM sqlite_schema')).toEqual([['u']]);
  });

  test('a trigger there may have the name of the table', async () => {
    const target = databaseOf(to, 'CREATE TABLE log (a); CREATE TRIGGER T AFTER INSERT ON log BEGIN SELECT 1; END');
    const { tables } = await copied(
      databaseOf(from, 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'),
      target,
      table('t'),
    );
    expect(tables).toEqual([{ name: 't', rows: 1 }]);
  });

  test('a table that refers to another one does not get the name of that one', async () => {
    const target = databaseOf(to, 'CREATE TABLE orders (a)');
    await expect(copied(databaseOf(from, SHOP), target, table('orders', 'customers'))).rejects.toThrow(
      'The foreign keys of “orders” refer to another table “customers”. Choose another name. Nothing was changed.',
    );
  });

  test('a trigger whose table is missing is left out and told, and the table can be written to', async () => {
    const target = databaseOf(to, 'CREATE TABLE customers (id INTEGER PRIMARY KEY); INSERT INTO customers VALUES (1)');
    const { leftOut, notes } = await copied(databaseOf(from, SHOP), target, table('orders'));
    expect(leftOut).toEqual([{ kind: 'trigger', name: 'noted', reason: 'There is no table named “main.log”.' }]);
    expect(notes).toEqual(['The trigger “noted” was left out. There is no table named “main.log”.']);
    expect(target.run('DELETE FROM orders WHERE id = 2')).toBe(1);
  });

  test('without rows, indexes, and triggers there is only the table', async () => {
    const target = databaseOf(to, '');
    await copied(databaseOf(from, SHOP), target, table('orders'), { indexes: false, triggers: false }, false);
    expect(target.all('SELECT name FROM sqlite_schema')).toEqual([['orders']]);
    expect(target.one('SELECT count(*) FROM orders')).toEqual([0]);
  });
});
