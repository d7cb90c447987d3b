// The statements as SQLite runs them, against the same change made row by row.
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/index.ts';
import { replaceInAnyCase } from '#shared/replace-in-any-case.ts';
import { changeStatement, type CellChange, type ChangedCells } from './cell-changes.ts';
import { jsonRow, jsonValue } from './json-values.ts';

const TABLES = [
  { name: 'a table with row ids', ddl: 'CREATE TABLE "o""dd" (id INTEGER PRIMARY KEY, value, b DEFAULT (1 + 1), key)', key: ['rowid'], keyOf: (id: number) => [id] },
  { name: 'a table without row ids', ddl: 'CREATE TABLE "o""dd" (id INTEGER, value, b DEFAULT (1 + 1), key, k TEXT AS (\'k\' || id) STORED, PRIMARY KEY (id, value)) WITHOUT ROWID', key: ['id'], keyOf: (id: number) => [id] },
] as const; // prettier-ignore

function open(ddl: string): Sqlite.Database {
  const db = new Sqlite(':memory:');
  db.exec(ddl);
  db.exec(
    `INSERT INTO "o""dd" (id, value, b, key) VALUES (1, 'ab', 5, 'x'), (2, 'abab', 'ab', NULL), (3, 'c', x'6162', 2.5), (4, 5, 6, 7)`,
  );
  return db;
}

describe.each(TABLES)('$name', ({ ddl, key, keyOf }) => {
  const run = (change: CellChange, columns: readonly string[], ids: readonly number[] | null): unknown[] => {
    const db = open(ddl);
    const cells: ChangedCells = {
      table: 'o"dd',
      key,
      columns: columns.map((name) => ({
        name,
        defaultSql: name === 'b' ? '1 + 1' : null,
        affinity: name === 'key' ? 'text' : 'integer',
      })),
      keys: ids && `[${ids.map((id) => jsonRow(keyOf(id))).join(',')}]`,
    };
    const { sql, parameters } = changeStatement(change, cells);
    const named = Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name.slice(1), each]));
    db.prepare(sql).run(named);
    const rows = db.prepare('SELECT id, value, b, key FROM "o""dd" ORDER BY id').raw().all();
    db.close();
    return rows;
  };

  test('an expression knows the cell and the row', () => {
    const rows = run({ kind: 'expression', sql: "upper(value) || id -- it's" }, ['b', 'key'], [2, 4]);
    expect(rows[1]).toEqual([2, 'abab', 'AB2', null]);
    expect(rows[3]).toEqual([4, 5, '64', '74']);
    expect(rows[0]).toEqual([1, 'ab', 5, 'x']);
  });

  test('one value goes into all cells, read as what it is in each column', () => {
    const rows = run({ kind: 'value', text: '7' }, ['b', 'key'], [1, 3]);
    expect(rows).toEqual([
      [1, 'ab', 7, '7'],
      [2, 'abab', 'ab', null],
      [3, 'c', 7, '7'],
      [4, 5, 6, 7],
    ]);
  });

  test('text is found and replaced, blobs and other rows stay', () => {
    const replace = { kind: 'replace', find: 'ab', replacement: 'é', matchCase: true, isWholeCell: false } as const;
    expect(run(replace, ['b', 'key'], null).map((row) => (row as unknown[])[2])).toEqual([
      5,
      'é',
      Buffer.from('ab'),
      6,
    ]);
    expect(run(replace, ['b'], [1])[1]).toEqual([2, 'abab', 'ab', null]);
    const whole = { ...replace, find: '6', isWholeCell: true };
    expect(run(whole, ['b', 'key'], [3, 4])[3]).toEqual([4, 5, 'é', 7]);
  });

  test('a series follows the order of the rows', () => {
    const rows = run({ kind: 'series', start: 10, step: 5 }, ['b'], [3, 1, 2]);
    expect(rows.map((row) => (row as unknown[])[2])).toEqual([15, 20, 10, 6]);
  });

  test('NULL, defaults, swapped columns and rows, and the first row down', () => {
    expect(run({ kind: 'null' }, ['b', 'key'], [1])[0]).toEqual([1, 'ab', null, null]);
    expect(run({ kind: 'default' }, ['b', 'key'], [1])[0]).toEqual([1, 'ab', 2, null]);
    expect(run({ kind: 'swap' }, ['b', 'key'], [1, 2]).slice(0, 2)).toEqual([[1, 'ab', 'x', 5], [2, 'abab', null, 'ab']]); // prettier-ignore
    expect(run({ kind: 'swap-rows' }, ['b', 'key'], [4, 1]).map((row) => (row as unknown[]).slice(2))).toEqual([[6, 7], ['ab', null], [Buffer.from('ab'), 2.5], [5, 'x']]); // prettier-ignore
    const filled = run({ kind: 'fill' }, ['b', 'key'], [3, 1, 2]);
    expect(filled.map((row) => (row as unknown[]).slice(2))).toEqual([[Buffer.from('ab'), 2.5], [Buffer.from('ab'), 2.5], [Buffer.from('ab'), 2.5], [6, 7]]); // prettier-ignore
  });
});

test('text is found with the case and as the whole cell as chosen, whatever the column says of itself', () => {
  const db = new Sqlite(':memory:');
  db.function('replace_nocase', replaceInAnyCase);
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v COLLATE NOCASE, n NUMERIC)');
  const values = ['ab%_*', 'AB%_*', 'É', 'é', 'x AB%_*x', 12n, 1.5, Buffer.from('ab%_*'), null];
  const replaced = (find: string, replacement: string, matchCase: boolean, isWholeCell: boolean): unknown[] => {
    db.exec('DELETE FROM t');
    for (const value of values) db.prepare('INSERT INTO t (v, n) VALUES (?, ?)').run(value, value);
    const columns = [
      { name: 'v', defaultSql: null, affinity: 'blob' },
      { name: 'n', defaultSql: null, affinity: 'numeric' },
    ] as const;
    const change = { kind: 'replace', find, replacement, matchCase, isWholeCell } as const;
    const { sql, parameters } = changeStatement(change, { table: 't', key: ['rowid'], columns, keys: null });
    db.prepare(sql).run(Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name.slice(1), each])));
    const rows = db.prepare('SELECT id, v, n FROM t').raw().all() as [number, unknown, unknown][];
    return rows.filter(([id, v, n]) => [v, n].some((now) => String(now) !== String(values[id - 1])));
  };
  expect(replaced('AB%_*', 'z', true, false)).toEqual([
    [2, 'z', 'z'],
    [5, 'x zx', 'x zx'],
  ]);
  expect(replaced('ab%_*', 'z', true, true)).toEqual([[1, 'z', 'z']]);
  expect(replaced('aB%_*', 'z', false, true)).toEqual([
    [1, 'z', 'z'],
    [2, 'z', 'z'],
  ]);
  expect(replaced('aB%_*', 'Z', false, false)).toEqual([
    [1, 'Z', 'Z'],
    [2, 'Z', 'Z'],
    [5, 'x Zx', 'x Zx'],
  ]);
  expect(replaced('É', 'e', false, false)).toEqual([[3, 'e', 'e']]);
  // A number stays a number, and a part of one is not replaced.
  expect(replaced('12', '007', false, true)).toEqual([[6, 7, 7]]);
  expect(replaced('1.5', 'none', true, true)).toEqual([[7, 'none', 'none']]);
  expect(replaced('1', '2', false, false)).toEqual([]);
  db.close();
});

test('values pass through JSON without loss', () => {
  const db = new Sqlite(':memory:');
  db.defaultSafeIntegers(true);
  const back = db.prepare('SELECT j ->> 0, typeof(j ->> 0) FROM (SELECT ? AS j)').raw();
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((real) => ({ real })),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '\u202e', '\u007f') }),
    fc.constant(null),
  );
  fc.assert(
    fc.property(value, (each) => {
      const [now, type] = back.get(jsonRow([each])) as [unknown, string];
      if (each !== null && typeof each === 'object' && 'real' in each) expect([now, type]).toEqual([each.real, 'real']);
      else expect(now).toEqual(each);
    }),
    { seed: 11, numRuns: seedCount(1000) },
  );
  expect([jsonValue(new Uint8Array(1)), jsonValue({ textBytes: new Uint8Array(1) }), jsonValue(Infinity)]).toEqual([
    null,
    null,
    null,
  ]);
  db.close();
});
