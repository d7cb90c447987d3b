import { describe, expect, test } from 'vitest';
import { PREVIEW_BYTES } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { bothEngines } from '../explore/both-engines.test-suite.ts';
import { packPage } from './pack-page.ts';
import { withLimit } from './short-values.test-suite.ts';

const open = await bothEngines();
const LONGEST = { value: 20, blob: 20 };

describe.each(['wasm', 'native'])('a page of the %s engine', (name) => {
  test('says what and how large a value is that the engine cannot read', () => {
    const connection = open(name);
    connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, "a b")');
    connection.run("INSERT INTO t VALUES (1, 'short'), (2, zeroblob(30)), (3, hex(zeroblob(15))), (4, NULL), (5, 2.5)");
    const query = { columns: ['id', 'a b'], tail: 'FROM t WHERE id >= ?', bindings: [[1]], rows: 10 };
    const cells = new PackedRowsReader(packPage(withLimit(connection), query, LONGEST));
    const rows = [0, 1, 2, 3, 4].map((row) => ({
      id: cells.value(row, 0),
      value: cells.isPreview(row, 1) ? null : cells.value(row, 1),
      storageClass: cells.storageClass(row, 1),
      sizeBytes: cells.sizeBytes(row, 1),
    }));
    expect(rows).toMatchObject([
      { id: 1, value: 'short' },
      { id: 2, value: null, storageClass: 'blob', sizeBytes: 30 },
      { id: 3, value: null, storageClass: 'text', sizeBytes: 30 },
      { id: 4, storageClass: 'null' },
      { id: 5, value: 2.5 },
    ]);
    const again = { ...query, columns: [...query.columns] };
    expect(new PackedRowsReader(packPage(connection, again)).value(1, 1)).toEqual(new Uint8Array(30));
  });

  test('reads a long blob once, and never again', () => {
    const connection = open(name);
    connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, b)');
    connection.run('INSERT INTO t VALUES (1, zeroblob(5000)), (2, zeroblob(9000)), (3, hex(zeroblob(9000)))');
    const asked: string[] = [];
    const watched = new Proxy(connection, {
      get: (target, key) => {
        if (key !== 'prepare') return Reflect.get(target, key, target) as unknown;
        return (sql: string) => {
          asked.push(sql);
          return target.prepare(sql);
        };
      },
    });
    const query = { columns: ['id', 'b'], tail: 'FROM t', bindings: [[]], rows: 10 };
    for (const statements of [2, 3]) {
      const cells = new PackedRowsReader(packPage(watched, query, { value: 100_000, blob: 8000 }));
      expect(asked).toHaveLength(statements);
      expect([0, 1, 2].map((row) => cells.sizeBytes(row, 1))).toEqual([5000, 9000, 18_000]);
      expect([0, 1, 2].map((row) => cells.bytes(row, 1).length)).toEqual([PREVIEW_BYTES, 0, PREVIEW_BYTES]);
    }
    expect(asked.map((sql) => sql.includes('iif('))).toEqual([false, true, true]);
  });
});
