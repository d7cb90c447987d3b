import { expect, test } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import type { SourceComparison } from '#shared/protocol/source.ts';
import type { Connection } from '../../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../../engines/wasm/wasm-engine.ts';
import { compareDatabases, MAX_LISTED_ROWS } from './compare-databases.ts';

const { engine } = await createWasmEngine();

function database(...sql: string[]): Connection {
  const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  for (const statement of sql) connection.run(statement);
  return connection;
}

function compare(mine: Connection, theirs: Connection): SourceComparison {
  const steps = compareDatabases(mine, theirs);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)';

test('rows that came, changed and went are told apart, with what they were', () => {
  const mine = database(TABLE, "INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2), (3, 'z', 3)");
  const theirs = database(TABLE, "INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 22), (4, 'w', 4)");
  const { tables, rows, notes, tablesCompared } = compare(mine, theirs);
  expect(tables).toEqual([{ table: 't', inserted: 1, updated: 1, deleted: 1 }]);
  expect([tablesCompared, notes]).toEqual([1, []]);
  expect(rows).toEqual([
    expect.objectContaining({
      kind: 'updated',
      key: [2],
      before: [undefined, undefined, 2],
      after: [undefined, undefined, 22],
    }),
    expect.objectContaining({ kind: 'inserted', key: [4], before: null, after: [4, 'w', 4] }),
    expect.objectContaining({ kind: 'deleted', key: [3], before: [3, 'z', 3], after: null }),
  ]);
});

test('rows found by a row id are named by the primary key they have besides', () => {
  const sql = 'CREATE TABLE t (v, k TEXT, l, PRIMARY KEY (l, k))';
  const { rows } = compare(
    database(sql, "INSERT INTO t VALUES (1, 'a', 7), (2, 'b', 7), (3, 'c', NULL)"),
    database(sql, "INSERT INTO t VALUES (1, 'A', 7), (3, 'c', NULL)"),
  );
  expect(rows).toMatchObject([
    { kind: 'updated', key: [1], name: [7, 'A'] },
    { kind: 'updated', key: [2], name: 'unknown' },
    { kind: 'deleted', key: [3], name: 'unknown' },
  ]);
});

test('values are compared to the last bit, whatever SQLite calls equal', () => {
  const make = (values: string): Connection => database('CREATE TABLE t (a)', `INSERT INTO t VALUES ${values}`);
  const differs = (one: string, other: string): boolean =>
    compare(make(`(${one})`), make(`(${other})`)).tables.length > 0;
  expect(differs('9007199254740993', '9007199254740992')).toBe(true);
  expect(differs('1', '1.0')).toBe(true);
  expect(differs("'a'", "x'61'")).toBe(true);
  expect(differs('NULL', "''")).toBe(true);
  expect(differs('9007199254740993', '9007199254740993')).toBe(false);
});

test('keys of tables without row ids keep their collation', () => {
  const sql = 'CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, v) WITHOUT ROWID';
  const { tables, rows } = compare(
    database(sql, "INSERT INTO t VALUES ('a', 1), ('b', 2)"),
    database(sql, "INSERT INTO t VALUES ('A', 1), ('c', 2)"),
  );
  expect(tables).toEqual([{ table: 't', inserted: 1, updated: 1, deleted: 1 }]);
  expect(rows[0]).toMatchObject({ kind: 'updated', before: ['a', undefined], after: ['A', undefined] });
});

test('what is defined differently is said, and its rows are not guessed at', () => {
  const mine = database(TABLE, 'CREATE TABLE gone (a)', 'CREATE TABLE wide (a)', 'CREATE INDEX i ON t (a)');
  const theirs = database(TABLE, 'CREATE TABLE came (a)', 'CREATE TABLE wide (a, b)');
  const { notes, tablesCompared } = compare(mine, theirs);
  expect(notes).toEqual([
    'Only in the source: table came.',
    'Only in this copy: index i, table gone.',
    'Defined differently: table wide.',
    'Rows of “wide” were not compared: its columns differ.',
  ]);
  expect(tablesCompared).toBe(1);
});

test('all rows are counted, the first are listed', () => {
  const mine = database(TABLE);
  const theirs = database(
    TABLE,
    'INSERT INTO t (a) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2500) SELECT i FROM n',
  );
  const { tables, rows, listed } = compare(mine, theirs);
  expect(tables[0]!.inserted).toBe(2500);
  expect(rows).toHaveLength(MAX_LISTED_ROWS);
  expect(listed[0]!.inserted).toBe(MAX_LISTED_ROWS);
});

/** Small and repeatable (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.each(seeds(3))('whatever was done to thousands of rows is counted exactly (seed %i)', (seed) => {
  const random = randomFrom(seed);
  const make = (): Connection =>
    database(
      TABLE,
      `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000)
       SELECT i * 7 - 30000, 'row ' || i, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN i / 2.0 ELSE x'00ff' END FROM n`,
      "INSERT INTO t VALUES (9223372036854775807, 'last', 1), (-9223372036854775808, 'first', 1)",
    );
  const [mine, theirs] = [make(), make()];
  const expected = { inserted: 0, updated: 0, deleted: 0 };
  const touched = new Set<number>();
  for (let count = 0; count < 40; count++) {
    const id = Math.floor(random() * 9000) * 7 - 29993;
    if (touched.has(id)) continue;
    touched.add(id);
    const what = Math.floor(random() * 4);
    if (what === 0) expected.deleted += theirs.run('DELETE FROM t WHERE id = ?', [id]);
    else if (what === 1) expected.inserted += theirs.run("INSERT INTO t VALUES (?, 'new', 1)", [id + 1]);
    else if (what === 2) expected.updated += theirs.run("UPDATE t SET a = a || ' long' WHERE id = ?", [id]);
    else expected.inserted += mine.run('DELETE FROM t WHERE id = ?', [id]);
  }
  expected.deleted += theirs.run("DELETE FROM t WHERE a = 'first'");
  expected.updated += theirs.run("UPDATE t SET b = 2 WHERE a = 'last'");
  expect(compare(mine, theirs).tables).toEqual([{ table: 't', ...expected }]);
  expect(compare(mine, mine).tables).toEqual([]);
});

test('a difference at the end of a long value is seen', () => {
  const make = (end: string): Connection => {
    const connection = database(TABLE);
    connection.run('INSERT INTO t VALUES (1, ?, 1)', ['x'.repeat(100_000) + end]);
    return connection;
  };
  expect(compare(make('a'), make('b')).tables).toEqual([{ table: 't', inserted: 0, updated: 1, deleted: 0 }]);
});
