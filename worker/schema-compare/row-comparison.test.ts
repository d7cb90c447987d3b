// The rows of two databases, compared by every kind of key, and made equal by the patch.
import { expect, test } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { createRandom, type Random } from '#shared/random.ts';
import type { ComparedTables } from '#shared/protocol/row-comparison.ts';
import type { Connection } from '../engines/engine.ts';
import { endlessTurn, finish, testEngines } from '../schema-change/engines.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import { CollectedChanges } from './collected-changes.ts';
import { compareRowsOf, type ComparedRows } from './row-comparison.ts';
import { patchOfComparison } from './made-by-comparison.ts';

const MINUTES = 60_000;
const TITLE = { title: 'Test', atMs: 0, windowTitle: 'Window 1' };

function compare(mine: Connection, theirs: Connection, tables: readonly ComparedTables[] | null = null): ComparedRows {
  const steps = compareRowsOf(endlessTurn(mine).connection, theirs, tables);
  return finish(steps as Generator<never, ComparedRows>);
}

function run(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  try {
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  } finally {
    script.dispose();
  }
}

const all = (connection: Connection, table: string): unknown =>
  connection.all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`);

/** Declared with every kind of key. */
const TABLES: Readonly<Record<string, string>> = {
  by_rowid: 'CREATE TABLE by_rowid (a, b, c)',
  by_integer: 'CREATE TABLE by_integer (a INTEGER PRIMARY KEY, b TEXT, c)',
  by_text: 'CREATE TABLE by_text (a TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, b, c)',
  by_unique: 'CREATE TABLE by_unique (a INTEGER, b TEXT NOT NULL, c, UNIQUE (b, a))',
  without_rowid: 'CREATE TABLE without_rowid (a TEXT, b INTEGER, c, PRIMARY KEY (b, a)) WITHOUT ROWID',
  generated: 'CREATE TABLE generated (a INTEGER PRIMARY KEY, b, d AS (a * 2), c)',
};
const VALUES = ['NULL', '1', '1.0', "'x'", "'X'", "x'00'", '9007199254740993', "''"];

function fill(connection: Connection, random: Random): void {
  for (const name of Object.keys(TABLES)) {
    const isKeyFirst = name !== 'by_rowid' && name !== 'without_rowid';
    for (let row = random.between(0, 30); row > 0; row--) {
      const key = isKeyFirst ? random.between(1, 40) : name === 'without_rowid' ? `'k${random.between(1, 9)}'` : '7';
      const second = name === 'without_rowid' ? random.between(1, 9) : name === 'by_unique' ? `'u${random.between(1, 5)}'` : random.pick(VALUES); // prettier-ignore
      connection.run(`INSERT OR IGNORE INTO ${name} (a, b, c) VALUES (${key}, ${second}, ${random.pick(VALUES)})`);
    }
  }
}

test.each(testEngines)(
  'the SQL of a patch makes random rows the same, whatever the key, $name',
  ({ open }) => {
    for (const seed of seeds(60)) {
      const random = createRandom(seed);
      const [mine, theirs] = [open(), open()];
      for (const connection of [mine, theirs]) for (const sql of Object.values(TABLES)) connection.run(sql);
      fill(mine, random);
      fill(theirs, random);
      const { comparison, collected } = compare(mine, theirs);
      expect(comparison.notes).toEqual([]);
      expect(comparison.tablesCompared).toBe(Object.keys(TABLES).length);
      const { bytes, notes } = patchOfComparison(mine, collected, 'sql', TITLE);
      expect(notes).toEqual([]);
      run(mine, new TextDecoder().decode(bytes));
      expect(compare(mine, theirs).comparison.tables, `seed ${seed}`).toEqual([]);
      for (const name of Object.keys(TABLES)) expect(all(mine, name)).toEqual(all(theirs, name));
      mine.close();
      theirs.close();
    }
  },
  10 * MINUTES,
);

test.each(testEngines)('rows belong together by a unique key, not by where they are, $name', ({ open }) => {
  const [mine, theirs] = [open(), open()];
  const sql = 'CREATE TABLE t (name TEXT PRIMARY KEY, n)';
  run(mine, `${sql}; INSERT INTO t VALUES ('a', 1), ('b', 2), ('c', 3)`);
  run(theirs, `${sql}; INSERT INTO t VALUES ('c', 3), ('b', 22), ('d', 4)`);
  const { tables, rows, changes } = compare(mine, theirs).comparison;
  expect(tables).toEqual([{ table: 't', inserted: 1, updated: 1, deleted: 1 }]);
  expect(changes).toEqual({ inserted: 1, updated: 1, deleted: 1 });
  expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
    ['deleted', ['a']],
    ['updated', ['b']],
    ['inserted', ['d']],
  ]);
});

test.each(testEngines)('kinds and single rows of the differences are chosen, $name', ({ open }) => {
  const [mine, theirs] = [open(), open()];
  const sql = 'CREATE TABLE t (k PRIMARY KEY, n); CREATE TABLE u (id INTEGER PRIMARY KEY, n)';
  // SQLite allows NULL in a primary key, and no patch can find such a row.
  run(
    mine,
    `${sql}; INSERT INTO t VALUES (NULL, 0), ('a', 1), ('b', 2), ('c', 3); INSERT INTO u VALUES (1, 1), (2, 2)`,
  );
  run(theirs, `${sql}; INSERT INTO t VALUES ('b', 22), ('c', 33), ('d', 4); INSERT INTO u VALUES (2, 22), (3, 3)`);
  const { comparison, collected } = compare(mine, theirs);
  const { rows, numbers, changes } = comparison;
  expect(changes).toEqual({ inserted: 2, updated: 3, deleted: 2 });
  expect(numbers).toHaveLength(rows.length);
  const numberOf = (table: string, key: Value): number =>
    numbers[rows.findIndex((row) => row.table === table && row.key[0] === key)]!;
  expect(
    numbers[rows.findIndex(({ table, kind, key }) => table === 't' && kind === 'deleted' && key[0] === null)],
  ).toBeNull();
  const except = [numberOf('t', 'c'), numberOf('u', 1)];
  const { changes: chosen } = collected.chosen({ kinds: ['inserted', 'updated'], except });
  run(mine, new TextDecoder().decode(patchOfComparison(mine, { changes: chosen, notes: [] }, 'sql', TITLE).bytes));
  expect(mine.all('SELECT * FROM t ORDER BY 1')).toEqual([
    [null, 0],
    ['a', 1],
    ['b', 22],
    ['c', 3],
    ['d', 4],
  ]);
  expect(mine.all('SELECT * FROM u ORDER BY 1')).toEqual([
    [2, 22],
    [3, 3],
  ]);
});

test.each(testEngines)('any two tables are compared by chosen columns, duplicates included, $name', ({ open }) => {
  const [mine, theirs] = [open(), open()];
  run(mine, "CREATE TABLE t (id INTEGER PRIMARY KEY, day, n, extra); INSERT INTO t VALUES (1, 'mo', 1, 0), (2, 'mo', 2, 0), (3, 'tu', 3, 0)"); // prettier-ignore
  run(theirs, "CREATE TABLE u (DAY, n); INSERT INTO u VALUES ('mo', 1), ('tu', 33), ('mo', 2), ('mo', 5), (NULL, 6)");
  const { comparison } = compare(mine, theirs, [{ from: 't', to: 'u', key: ['day'] }]);
  expect(comparison.tables).toEqual([{ table: 't', inserted: 2, updated: 1, deleted: 0 }]);
  expect(comparison.notes).toEqual(['Columns of “t” that only one side has were not compared: id, extra.']);
  expect(compare(mine, theirs, [{ from: 't', to: 'u', key: ['extra'] }]).comparison.notes).toEqual([
    'Rows of “t” were not compared: not all of the chosen columns (extra) are in both tables.',
  ]);
});

const VIRTUAL = `
  CREATE VIRTUAL TABLE found USING fts5 (a, b);
  CREATE VIRTUAL TABLE places USING rtree (id, x0, x1, +note);
  CREATE VIRTUAL TABLE whole USING rtree_i32 (id, x0, x1);`;
/** FTS4 exists only in the native engine. */
const OLDER = 'CREATE VIRTUAL TABLE older USING fts4 (a, b)';

function fillVirtual(connection: Connection, random: Random, texts: readonly string[]): void {
  for (let row = random.between(0, 40); row > 0; row--) {
    const id = random.between(-5, 60);
    const x = random.between(0, 50) / 8;
    for (const table of texts)
      run(
        connection,
        `INSERT OR REPLACE INTO ${table} (rowid, a, b) VALUES (${id}, ${random.pick(VALUES)}, 'word ${x}')`,
      );
    run(connection, `INSERT OR REPLACE INTO places VALUES (${id}, ${x}, ${x} + 0.1, ${random.pick(VALUES)})`);
    run(connection, `INSERT OR REPLACE INTO whole VALUES (${id}, ${Math.floor(x)}, 90)`);
  }
}

test.each(testEngines)(
  'rows of full-text tables and R-Trees are compared, and a patch makes them the same, $name',
  ({ open, name: engine }) => {
    const texts = engine === 'native' ? ['found', 'older'] : ['found'];
    const tables = [...texts, 'places', 'whole'];
    for (const seed of seeds(30)) {
      const random = createRandom(seed);
      const [mine, theirs] = [open(), open()];
      for (const connection of [mine, theirs]) {
        run(connection, engine === 'native' ? `${VIRTUAL} ${OLDER}` : VIRTUAL);
        fillVirtual(connection, random, texts);
      }
      const { comparison, collected } = compare(mine, theirs);
      expect([comparison.notes, comparison.tablesCompared]).toEqual([[], tables.length]);
      const { bytes, notes } = patchOfComparison(mine, collected, 'sql', TITLE);
      expect(notes).toEqual([]);
      run(mine, new TextDecoder().decode(bytes));
      expect(compare(mine, theirs).comparison.tables, `seed ${seed}`).toEqual([]);
      for (const name of tables)
        expect(mine.all(`SELECT rowid, * FROM ${name} ORDER BY 1`)).toEqual(
          theirs.all(`SELECT rowid, * FROM ${name} ORDER BY 1`),
        );
      for (const name of ['found', 'places', 'whole'])
        expect(mine.all(`PRAGMA integrity_check(${name})`)).toEqual([['ok']]);
      expect(mine.one("SELECT count(*) FROM found WHERE found MATCH 'word'")).toEqual(
        theirs.one('SELECT count(*) FROM found'),
      );
      mine.close();
      theirs.close();
    }
  },
  10 * MINUTES,
);

test.each(testEngines)('virtual tables of other names and columns are compared by row id, $name', ({ open }) => {
  const [mine, theirs] = [open(), open()];
  run(mine, 'CREATE VIRTUAL TABLE one USING fts5 (a, b)');
  run(theirs, 'CREATE VIRTUAL TABLE two USING fts5 (b, c)');
  const rows = (count: number): string =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  run(mine, `${rows(3000)} INSERT INTO one (rowid, a, b) SELECT i, 'a', 'b' || i FROM n`);
  run(theirs, `${rows(2999)} INSERT INTO two (rowid, b, c) SELECT i, 'b' || (i - (i = 7)), 'c' FROM n`);
  const { tables, notes } = compare(mine, theirs, [{ from: 'one', to: 'two', key: null }]).comparison;
  expect(tables).toEqual([{ table: 'one', inserted: 0, updated: 1, deleted: 1 }]);
  expect(notes).toEqual(['Columns of “one” that only one side has were not compared: a, c.']);
  expect(compare(mine, theirs, [{ from: 'one', to: 'two', key: ['b'] }]).comparison.notes).toEqual([
    'Rows of “one” were not compared: virtual tables are compared by their row ids only.',
  ]);
});

test.each(testEngines)('of a table without rows of its own it is said why it is not compared, $name', ({ open }) => {
  const [mine, theirs] = [open(), open()];
  for (const connection of [mine, theirs])
    run(
      connection,
      `CREATE TABLE docs (id INTEGER PRIMARY KEY, a);
      CREATE VIRTUAL TABLE of_docs USING fts5 (a, content = 'docs', content_rowid = id);
      CREATE VIRTUAL TABLE textless USING fts5 (a, content = '');
      CREATE VIRTUAL TABLE words USING fts5vocab (of_docs, row);
      INSERT INTO textless (rowid, a) VALUES (1, 'text')`,
    );
  run(theirs, "INSERT INTO docs VALUES (1, 'x'); INSERT INTO textless (rowid, a) VALUES (2, 'other')");
  const { tables, notes } = compare(mine, theirs).comparison;
  expect(tables).toEqual([{ table: 'docs', inserted: 1, updated: 0, deleted: 0 }]);
  expect(notes).toEqual([
    'Rows of “of_docs” were not compared: it has no text of its own, only an index of “docs”.',
    'Rows of “textless” were not compared: it keeps no text, only an index of it.',
    'Rows of “words” were not compared: its rows come from the module “fts5vocab”.',
  ]);
});

test('text that is not valid in its encoding counts against the memory of a comparison', () => {
  const table = {
    name: 't',
    columns: ['a'],
    key: { kind: 'rowid', name: 'rowid', columnIndex: null },
    inserted: 0,
    updated: 0,
    deleted: 0,
  } as const;
  const collected = new CollectedChanges();
  const value = { textBytes: new Uint8Array(16 << 20) };
  for (let at = 0; at < 9; at++)
    collected.add({
      table,
      kind: 'insert',
      keyBefore: null,
      keyAfter: [at],
      before: null,
      after: [value],
      nameBefore: null,
      nameAfter: null,
    });
  expect(collected.isTooMany).toBe(true);
  expect(collected.changes).toEqual([]);
});
