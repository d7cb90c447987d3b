// Selected rows are the ones that the user sees, wherever they are by the time they are read.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { RowInterval, RowSelection, SeenRow } from '#shared/protocol/export.ts';
import type { SortTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { databaseOf, ENGINES, exported, ofTable, runScript } from './export-fixture.test-suite.ts';

const ROWS = 1_500;
const NUMBERS = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})`;

/** `added`: rows that others add before all of these, in the order of the key and of `v`. */
const TABLES = [
  {
    what: 'row ids far apart',
    sql: `CREATE TABLE t (v); ${NUMBERS} INSERT INTO t (rowid, v) SELECT (i - 700) * 13000000000000, i FROM n`,
    key: ['rowid'],
    order: 'rowid',
    added: 'INSERT INTO t (rowid, v) VALUES (-9223372036854775808, -1), (-9223372036854775807, -2)',
  },
  {
    what: 'an INTEGER PRIMARY KEY',
    sql: `CREATE TABLE t (v, id INTEGER PRIMARY KEY); ${NUMBERS} INSERT INTO t SELECT i, i * i FROM n`,
    key: ['id'],
    order: 'id',
    added: 'INSERT INTO t VALUES (-1, -10), (-2, -9)',
  },
  {
    what: 'a key in both directions, one column without regard to case',
    sql: `CREATE TABLE t (v, a TEXT COLLATE NOCASE, b, PRIMARY KEY (b DESC, a)) WITHOUT ROWID;
      ${NUMBERS} INSERT INTO t SELECT i, char(65 + i % 26 + 32 * (i % 2)) || i, CASE i % 3 WHEN 0 THEN zeroblob(i / 9) WHEN 1 THEN i / 7.0 ELSE i / 40 END FROM n`,
    key: ['b', 'a'],
    order: 'b DESC, a',
    added: "INSERT INTO t VALUES (-1, 'x', zeroblob(9999)), (-2, 'x', zeroblob(9998))",
  },
] as const;

interface Row {
  readonly key: readonly Value[];
  readonly v: number;
}

/** Up to three ranges of few rows, in order and apart. */
const selections = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 400 }), more: fc.integer({ min: 0, max: 90 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((ranges) => {
    let next = -1;
    return ranges.map(({ gap, more }): RowInterval => {
      const first = next + gap;
      next = first + more + 1;
      return { first, last: first + more };
    });
  });

const chosen = (rows: readonly Row[], selection: readonly RowInterval[]): readonly Row[] =>
  selection.flatMap(({ first, last }) => rows.slice(first, last + 1));

const edgesOf = (rows: readonly Row[], selection: readonly RowInterval[]): readonly SeenRow[] =>
  selection.flatMap(({ first, last }) =>
    [...new Set([first, last])].map((position) => ({ position, key: rows[position]!.key })),
  );

describe.each(ENGINES)('%s', (_name, engine) => {
  describe.each(TABLES)('$what', ({ sql, key, order, added }) => {
    const rowsBy = (connection: Connection, by: string): readonly Row[] =>
      connection
        .all(`SELECT v, ${key.join(', ')} FROM t ORDER BY ${by}`)
        .map(([v, ...values]) => ({ key: values, v: v as number }));

    const written = (
      connection: Connection,
      rows: readonly RowInterval[],
      keys: Pick<RowSelection, 'corners' | 'seen'>,
      sort: readonly SortTerm[] = [],
    ): readonly number[] => {
      const { text } = exported(connection, ofTable('t', { rows, ...keys, sort, columns: ['v'] }), 'csv', {
        header: false,
      });
      return text.split('\n').slice(0, -1).map(Number);
    };

    test('one range is between the rows at its corners, wherever they are', () => {
      const connection = databaseOf(engine, sql);
      const rows = rowsBy(connection, order);
      const range = fc.tuple(fc.nat(ROWS - 1), fc.nat(ROWS - 1), fc.nat(10_000), fc.nat(ROWS));
      const property = fc.property(range, ([one, other, first, more]) => {
        const corners = [rows[one]!.key, rows[other]!.key] as const;
        const between = rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ v }) => v);
        expect(written(connection, [{ first, last: first + more }], { corners })).toEqual(between);
      });
      fc.assert(property, { seed: 137, numRuns: seedCount(60) });
    });

    test('rows begin at the first key, because positions may be estimates', () => {
      const connection = databaseOf(engine, sql);
      const rows = rowsBy(connection, order);
      const property = fc.property(selections, fc.integer({ min: 0, max: 10_000 }), (selection, ahead) => {
        const estimated = selection.map(({ first, last }) => ({ first: first + ahead, last: last + ahead }));
        const seen = edgesOf(rows, selection).map((row) => ({ ...row, position: row.position + ahead }));
        expect(written(connection, estimated, { seen })).toEqual(chosen(rows, selection).map(({ v }) => v));
      });
      fc.assert(property, { seed: 138, numRuns: seedCount(60) });
    });

    const SELECTION = [
      { first: 10, last: 19 },
      { first: 600, last: 1_200 },
    ];

    test('rows that others add before them are not taken instead', () => {
      const connection = databaseOf(engine, sql);
      const sort = [{ column: 'v', descending: false }];
      const [byKey, sorted] = [rowsBy(connection, order), rowsBy(connection, 'v')];
      const [seen, seenSorted] = [edgesOf(byKey, SELECTION), edgesOf(sorted, SELECTION)];
      expect(written(connection, SELECTION, { seen: seenSorted }, sort)).toEqual(
        chosen(sorted, SELECTION).map(({ v }) => v),
      );
      runScript(connection, added);
      expect(written(connection, SELECTION, { seen })).toEqual(chosen(byKey, SELECTION).map(({ v }) => v));
      expect(written(connection, SELECTION, { seen: seenSorted }, sort)).toEqual(
        chosen(sorted, SELECTION).map(({ v }) => v),
      );
      // Where the first row is not known, its position is all there is.
      for (const known of [seen.slice(1), seen.slice(-1)])
        expect(() => written(connection, SELECTION, { seen: known })).toThrow(/elsewhere/);
      for (const known of [seenSorted.slice(1), seenSorted.slice(-1)])
        expect(() => written(connection, SELECTION, { seen: known }, sort)).toThrow(/elsewhere/);
    });

    test('rows that others have deleted are not replaced by the next ones', () => {
      const connection = databaseOf(engine, sql);
      const rows = rowsBy(connection, order);
      const selection = [{ first: 1_400, last: ROWS - 1 }];
      const seen = edgesOf(rows, selection);
      const corners = [rows[ROWS - 1]!.key, rows[1_400]!.key] as const;
      const remove = (place: number) => connection.run('DELETE FROM t WHERE v = ?', [rows[place]!.v]);
      remove(1_450);
      expect(written(connection, selection, { corners })).toEqual(
        [...rows.slice(1_400, 1_450), ...rows.slice(1_451)].map(({ v }) => v),
      );
      expect(() => written(connection, selection, { seen })).toThrow(/elsewhere/);
      remove(ROWS - 1);
      expect(() => written(connection, selection, { corners })).toThrow(/elsewhere/);
      remove(1_400);
      expect(() => written(connection, selection, { corners })).toThrow(/elsewhere/);
      expect(() => written(connection, selection, { seen: seen.slice(0, 1) })).toThrow(/elsewhere/);
      expect(written(connection, selection, {})).toHaveLength(97);
    });

    test('a preview shows what is there', () => {
      const connection = databaseOf(engine, sql);
      const seen = [{ position: 2, key: key.map(() => 12345) }];
      const source = ofTable('t', { rows: [{ first: 0, last: 9 }], seen, columns: ['v'] });
      expect(exported(connection, source, 'csv', {}, false, 3).rows).toBe(3);
      expect(() => exported(connection, source, 'csv')).toThrow(/elsewhere/);
    });
  });

  test('rows that cannot be found by key are the ones at their positions, or refused', () => {
    const connection = databaseOf(
      engine,
      `CREATE VIRTUAL TABLE t USING fts5(v); ${NUMBERS} INSERT INTO t(rowid, v) SELECT i * 3 + 1, i FROM n`,
    );
    const rows = [{ first: 5, last: 7 }];
    const written = (corners: RowSelection['corners']): string =>
      exported(connection, ofTable('t', { rows, ...(corners && { corners }) }), 'csv', { header: false }).text;
    expect(written([[16], [22]])).toBe('5\n6\n7\n');
    runScript(connection, 'INSERT INTO t(rowid, v) VALUES (-1, 0)');
    expect(() => written([[16], [22]])).toThrow(/elsewhere/);
  });

  test('rows are found by key in any sort order', () => {
    const connection = databaseOf(
      engine,
      `CREATE TABLE t (v INTEGER PRIMARY KEY, any, text TEXT COLLATE NOCASE, number NUMERIC);
      ${NUMBERS} INSERT INTO t SELECT i,
        CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN i % 5 WHEN 2 THEN i % 5 + 0.0 WHEN 3 THEN '' || i % 5 WHEN 4 THEN zeroblob(i % 3) WHEN 5 THEN -9e999 ELSE 9007199254740993 + i % 2 END,
        iif(i % 11 = 0, NULL, char(65 + i % 4 + 32 * (i % 2))), iif(i % 3 = 0, 'x' || i % 4, i % 4 - 1.5)
      FROM n`,
    );
    const sorts = fc.uniqueArray(
      fc.record({ column: fc.constantFrom('any', 'text', 'number', 'v'), descending: fc.boolean() }),
      { minLength: 1, maxLength: 3, selector: ({ column }) => column },
    );
    const property = fc.property(sorts, selections, fc.nat(10_000), (sort, selection, ahead) => {
      const by = [...sort.map(({ column, descending }) => `"${column}" ${descending ? 'DESC' : ''}`), 'v'].join(', ');
      const rows = connection.all(`SELECT v FROM t ORDER BY ${by}`).map(([v]) => ({ key: [v!], v: v as number }));
      const written = (more: Pick<RowSelection, 'rows' | 'corners' | 'seen'>): readonly number[] => {
        const { text } = exported(connection, ofTable('t', { ...more, sort, columns: ['v'] }), 'csv', {
          header: false,
        });
        return text.split('\n').slice(0, -1).map(Number);
      };
      const estimated = selection.map(({ first, last }) => ({ first: first + ahead, last: last + ahead }));
      const seen = edgesOf(rows, selection).map((row) => ({ ...row, position: row.position + ahead }));
      expect(written({ rows: estimated, seen })).toEqual(chosen(rows, selection).map(({ v }) => v));
      const whole = [{ first: selection[0]!.first, last: selection.at(-1)!.last }];
      const corners = [rows[whole[0]!.last]!.key, rows[whole[0]!.first]!.key] as const;
      expect(written({ rows: estimated.slice(0, 1), corners })).toEqual(chosen(rows, whole).map(({ v }) => v));
    });
    fc.assert(property, { seed: 139, numRuns: seedCount(150) });
  });
});
