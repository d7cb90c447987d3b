// A scan hands out what the same SELECT hands out, and can be held in the middle like one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Value } from '#shared/protocol/values.ts';
import { anyValue } from '../../contract/values.test-suite.ts';
import type { RowScan, TableRows } from '../../engine.ts';
import type { NativeConnection } from '../connection.ts';
import { createNativeEngine } from '../native-engine.ts';

const COUNT = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)';
const NUMBERS: TableRows = { from: 'main.numbers', columns: ['id', 'word'], orderBy: 'id' };

let folder: string;
let connection: NativeConnection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-scan-'));
  const engine = await createNativeEngine();
  connection = engine.open(join(folder, 'a.db'), { durability: 'balanced', create: true }) as NativeConnection;
  connection.run('CREATE TABLE numbers (id INTEGER PRIMARY KEY, word)');
  connection.run(`INSERT INTO numbers ${COUNT} SELECT i, 'word ' || i FROM n`);
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

type Limits = Parameters<RowScan['pack']>[1];

/** Buffers of the rows of one call. */
function packed(scan: RowScan, limits: Limits) {
  const writer = new PackedRowsWriter(scan.columnCount, { previewBytes: Infinity });
  const more = scan.pack(writer, limits);
  const { rowCount, types, slots, heap } = writer.finish();
  return { more, rowCount, types: Buffer.from(types), slots: Buffer.from(slots), heap: Buffer.from(heap) };
}

/** A scan and the statement with the same rows. */
function both(rows: TableRows): readonly [RowScan, RowScan] {
  const { from, columns, orderBy } = rows;
  const order = orderBy === null ? '' : ` ORDER BY ${orderBy}`;
  return [connection.scan(rows)!, connection.prepare(`SELECT ${columns.join(', ')} FROM ${from}${order}`)];
}

/** Expects the same rows of every call. */
function expectSameRows(rows: TableRows, limits: Limits): void {
  const [scan, statement] = both(rows);
  try {
    for (let more = true; more;) {
      const chunk = packed(scan, limits);
      expect(chunk).toEqual(packed(statement, limits));
      more = chunk.more;
    }
    expect(packed(scan, limits)).toMatchObject({ more: false, rowCount: 0 });
  } finally {
    scan.finalize();
    statement.finalize();
  }
}

/** Text that is not UTF-8 among them, which better-sqlite3 reads with U+FFFD. */
const VALUE: fc.Arbitrary<Value> = fc.oneof(
  anyValue(),
  fc.constantFrom<Value>('', '\0', 'a\0b', new Uint8Array(), -0, { real: -0 }, { real: Infinity }, { real: 2 ** 53 }),
  fc
    .constantFrom([0xff], [0xed, 0xa0, 0x80], [0xc3], [0, 0xfe])
    .map((bytes) => ({ textBytes: Uint8Array.from(bytes) })),
);

test.each([
  ['without types', 'id INTEGER PRIMARY KEY, a, b, c', 'id'],
  ['of every affinity', 'a TEXT, b REAL, c INTEGER', 'rowid'],
  ['with generated columns', 'a, b, c, d AS (a || b), e AS (length(c)) STORED', 'rowid'],
  ['with an index over all columns', 'a, b, c, UNIQUE (a, b, c)', null],
])('gives the buffers of a SELECT for a table %s', (_what, columns, orderBy) => {
  connection.run(`CREATE TABLE t (${columns})`);
  const names = connection.all("SELECT name FROM pragma_table_xinfo('t')").map(([name]) => String(name));
  const rows = fc.array(fc.tuple(VALUE, VALUE, VALUE), { maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 3000 }), (made, maxRows, maxBytes) => {
      connection.run('DELETE FROM t');
      for (const row of made) connection.run('INSERT OR IGNORE INTO t (a, b, c) VALUES (?, ?, ?)', row);
      expectSameRows({ from: 'main.t', columns: names, orderBy }, { maxRows, maxBytes });
    }),
    { seed: 1311, numRuns: seedCount(60) },
  );
});

test('goes through a table WITHOUT ROWID in the order of its key, forward and back', () => {
  connection.run('CREATE TABLE w (a TEXT COLLATE NOCASE, b, c, PRIMARY KEY (b, a DESC)) WITHOUT ROWID');
  connection.run(`INSERT INTO w ${COUNT} SELECT 'Word ' || (i % 90), i / 90 * 0.5, i FROM n`);
  for (const orderBy of ['b, a DESC', 'b DESC, a', null])
    expectSameRows({ from: 'main.w', columns: ['a', 'b', 'c'], orderBy }, { maxRows: 97 });
});

test('goes on where it stopped: by rows, by bytes, and by time', () => {
  const scan = connection.scan(NUMBERS)!;
  expect(packed(scan, { maxRows: 3 })).toMatchObject({ more: true, rowCount: 3 });
  expect(packed(scan, { maxRows: 5000, maxBytes: 1 })).toMatchObject({ more: true, rowCount: 1 });
  const { rowCount } = packed(scan, { maxRows: 5000, deadlineMs: 0 });
  expect(rowCount).toBeGreaterThan(0);
  expect(rowCount).toBeLessThan(100);
  expect(packed(scan, { maxRows: 10_000 })).toMatchObject({ more: false, rowCount: 4996 - rowCount });
  scan.finalize();
});

test('several are read in turns, with other statements between them', () => {
  const scans = Array.from({ length: 3 }, () => connection.scan(NUMBERS)!);
  const counts = [0, 0, 0];
  while (
    scans
      .map((scan, at) => {
        const { more, rowCount } = packed(scan, { maxRows: 100 + at });
        counts[at]! += rowCount;
        expect(connection.one('SELECT count(*), sidelite_take_row(1) FROM numbers')).toEqual([5000, null]);
        return more;
      })
      .includes(true)
  );
  expect(counts).toEqual([5000, 5000, 5000]);
  for (const scan of scans) scan.finalize();
});

test('is not offered where SQLite would sort, or for more columns than a function should get', () => {
  expect(connection.scan({ ...NUMBERS, orderBy: 'word' })).toBeNull();
  expect(connection.scan({ ...NUMBERS, columns: Array.from({ length: 101 }, () => 'id') })).toBeNull();
  expect(connection.scan({ ...NUMBERS, columns: Array.from({ length: 100 }, () => 'id') })).not.toBeNull();
});

test('its function is nothing that a schema can call', () => {
  connection.run('CREATE VIEW v AS SELECT sidelite_take_row(id) FROM numbers');
  expect(() => connection.all('SELECT * FROM v')).toThrow(expect.objectContaining({ code: 'sql' }));
});

test('a row that cannot be computed ends it with the error of the SELECT, and leaves nothing half read', () => {
  connection.run('CREATE TABLE t (i)');
  connection.run('INSERT INTO t VALUES (1), (2), (-9223372036854775807 - 1), (4)');
  connection.run('ALTER TABLE t ADD COLUMN size AS (abs(i))');
  const errors = both({ from: 'main.t', columns: ['i', 'size'], orderBy: 'rowid' }).map((reading) => {
    try {
      packed(reading, { maxRows: 100 });
    } catch (error) {
      return error;
    } finally {
      reading.finalize();
    }
    return null;
  });
  expect(errors[0]).toMatchObject({ code: 'sql', message: expect.stringContaining('overflow') as string });
  expect(errors[0]).toEqual(errors[1]);
  connection.run('DROP TABLE t');
});

test('is stopped between two calls, and ends with its connection', () => {
  const scan = connection.scan(NUMBERS)!;
  connection.onProgress(() => true);
  const readAll = (): void => {
    while (packed(scan, { maxRows: 1 }).more);
  };
  expect(readAll).toThrow(expect.objectContaining({ code: 'stopped' }));
  connection.onProgress(null);
  connection.run('DELETE FROM numbers WHERE id > 100');
  const another = connection.scan(NUMBERS)!;
  packed(another, { maxRows: 1 });
  connection.close();
  expect(() => packed(another, { maxRows: 1 })).toThrow(/closed/);
});
