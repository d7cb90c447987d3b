// Values read where SQLite keeps them are what its functions return; a module with another layout is read by its functions.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { packRow } from '../statements/row.ts';
import { loadSqlite } from './load.ts';
import type { Sqlite } from './load.ts';
import { Result } from './raw.ts';
import type { Pointer } from './raw.ts';
import { isLayoutKnown, VALUE_BYTES } from './value-layout.ts';

let sqlite: Sqlite;
beforeAll(async () => {
  sqlite = await loadSqlite();
});

test('the layout of the module is the one described', () => {
  expect(sqlite.isLayoutKnown).toBe(true);
});

test.each<[string, (place: Pointer, column: number) => Pointer]>([
  ['farther from each other', (place, column) => place + column * 8],
  ['nearer to each other', (place, column) => place - column * 8],
  ['after something else', (place) => place + 8],
  ['in another order', (place, column) => place + (4 - 2 * column) * VALUE_BYTES],
])('values that are %s are not read in place', (_, moved) => {
  const raw: Sqlite['raw'] = Object.create(sqlite.raw, {
    sqlite3_column_value: {
      value: (statement: Pointer, column: number) => moved(sqlite.raw.sqlite3_column_value(statement, column), column),
    },
  });
  expect(isLayoutKnown({ ...sqlite, raw })).toBe(false);
});

const EXPRESSIONS = `a, b, c, d, a + 1, a * 0.5, a || b, upper(b), -c, c * 2, zeroblob(3), d || zeroblob(2), json_array(a, b), b COLLATE NOCASE,
  CAST(a AS TEXT), CAST(b AS BLOB), CAST(c AS INTEGER), printf('%d', a), 9007199254740991, 9007199254740992, -9007199254740992, 1e999, -0.0, '', x''`;
const AGGREGATES = 'min(a), max(b), sum(c), total(a), avg(c), count(*), group_concat(b), json_group_array(c), sum(a)';

test.each(['UTF-8', 'UTF-16le', 'UTF-16be'])(
  'what is read in place is what the functions return, with %s',
  (encoding) => {
    const db = new sqlite.package.oo1.DB(':memory:');
    db.exec(`PRAGMA encoding = '${encoding}'; CREATE TABLE t(a INTEGER, b TEXT, c REAL, d)`);
    const value = fc.oneof(
      fc.constant(null),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.uint8Array({ maxLength: 60 }),
    );
    const rows = fc.array(fc.tuple(value, value, value, value), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(rows, (stored) => {
        db.exec('DELETE FROM t');
        for (const row of stored) db.exec({ sql: 'INSERT INTO t VALUES (?, ?, ?, ?)', bind: row });
        for (const sql of [`SELECT ${EXPRESSIONS} FROM t`, `SELECT ${AGGREGATES} FROM t WHERE typeof(a) <> 'integer'`])
          expect(packed(db.prepare(sql).pointer as Pointer, true)).toEqual(
            packed(db.prepare(sql).pointer as Pointer, false),
          );
      }),
      { seed: 2026, numRuns: seedCount(100) },
    );
    db.close();
  },
);

function packed(statement: Pointer, isLayoutKnown: boolean): PackedRows {
  const { raw } = sqlite;
  const columns = raw.sqlite3_column_count(statement);
  const writer = new PackedRowsWriter(columns);
  while (raw.sqlite3_step(statement) === Result.row) packRow({ ...sqlite, isLayoutKnown }, statement, columns, writer);
  return writer.finish();
}
