// Memory of the module grows in the middle of binding, packing and reading: no value is taken from, or put into, the old memory.
import { beforeEach, expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection } from '../../engine.ts';
import { CacheBudget } from '../../memory-budget.ts';
import { Hooks } from './hooks.ts';
import { loadSqlite } from './load.ts';
import type { Sqlite } from './load.ts';
import { openConnection } from '../storage/open.ts';
import type { OpenTarget } from '../storage/open.ts';

const MEGABYTE = 1 << 20;

let sqlite: Sqlite;
let db: Connection;
/** A module of its own for each test: memory never shrinks. */
beforeEach(async () => {
  sqlite = await loadSqlite();
  const target: OpenTarget = {
    location: ':memory:',
    fileName: 'memory',
    vfsName: 'memdb',
    logs: null,
    caches: new CacheBudget(),
    beside: () => target,
  };
  db = openConnection(sqlite, new Hooks(sqlite), target, { durability: 'full', create: true });
});

function growthOf(body: () => void): number {
  const before = sqlite.heap.bytes.length;
  body();
  return sqlite.heap.bytes.length - before;
}

test('while values are bound', () => {
  const blob = new Uint8Array(60 * MEGABYTE).fill(7);
  const statement = db.prepare('SELECT ?, length(?), ?, substr(?, -3)');
  const grown = growthOf(() => statement.bind(['before', blob, 'after', `${'x'.repeat(20 * MEGABYTE)}end`]));
  expect(grown).toBeGreaterThan(60 * MEGABYTE);
  statement.step();
  expect([0, 1, 2, 3].map((column) => statement.value(column))).toEqual(['before', blob.length, 'after', 'end']);
  statement.finalize();
});

test('while rows are packed, between their columns too', () => {
  const statement = db.prepare(
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 6)
     SELECT 'row ' || i, length(hex(zeroblob(i * 8000000))), CAST(CAST(zeroblob(i * 1000000) AS BLOB) AS TEXT), 'end ' || i FROM n`,
  );
  const writer = new PackedRowsWriter(4);
  const grown = growthOf(() => statement.pack(writer, { maxRows: 10 }));
  expect(grown).toBeGreaterThan(90 * MEGABYTE);
  const rows = new PackedRowsReader(writer.finish());
  for (let row = 0; row < 6; row++) {
    expect([0, 1, 3].map((column) => rows.value(row, column))).toEqual([
      `row ${row + 1}`,
      (row + 1) * 16_000_000,
      `end ${row + 1}`,
    ]);
  }
  statement.finalize();
});

test('while a hook looks at changed rows', () => {
  db.run('CREATE TABLE t (id TEXT PRIMARY KEY, v) WITHOUT ROWID');
  db.run("INSERT INTO t VALUES ('one', 1), ('two', 2)");
  const keys: unknown[] = [];
  db.onCommit(({ tables }) => keys.push(tables?.get('t')?.keys));
  const grown = growthOf(() => db.run("UPDATE t SET v = hex(zeroblob(30000000)) WHERE id = 'two'"));
  expect(grown).toBeGreaterThan(60 * MEGABYTE);
  expect(keys).toEqual([{ kind: 'primary-key', keys: [['two']] }]);
});
