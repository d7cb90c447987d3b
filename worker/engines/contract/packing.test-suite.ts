// Packed rows say exactly what single values say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PREVIEW_BYTES } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Value } from '#shared/protocol/values.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { Connection } from '../engine.ts';
import { anyValue, expectSame } from './values.test-suite.ts';

export function describePacking(get: GetConnection): void {
  describe('packing', () => {
    it('equals reading value by value', () => {
      get().run('CREATE TABLE t(a, b, c)');
      const rows = fc.array(fc.tuple(anyValue(), anyValue(), anyValue()), { maxLength: 20 });
      fc.assert(
        fc.property(rows, (expected) => {
          get().run('DELETE FROM t');
          for (const row of expected) get().run('INSERT INTO t VALUES (?, ?, ?)', row);
          const reader = new PackedRowsReader(packAll(get(), 'SELECT * FROM t ORDER BY rowid', Infinity));
          expect(reader.rows.rowCount).toBe(expected.length);
          expected.forEach((row, index) =>
            row.forEach((value, column) => expectSame(reader.value(index, column), value)),
          );
        }),
        { seed: 20_261, numRuns: seedCount(100) },
      );
    });

    it('cuts long text and blobs and says how long they are', () => {
      const [text, blob] = ['é'.repeat(PREVIEW_BYTES), new Uint8Array(PREVIEW_BYTES + 1).fill(9)];
      const reader = new PackedRowsReader(packQuery(get(), 'SELECT ?, ?, ?', [text, blob, 'x'.repeat(PREVIEW_BYTES)]));
      expect([0, 1, 2].map((column) => reader.isPreview(0, column))).toEqual([true, true, false]);
      expect([0, 1, 2].map((column) => reader.sizeBytes(0, column))).toEqual([
        2 * PREVIEW_BYTES,
        PREVIEW_BYTES + 1,
        PREVIEW_BYTES,
      ]);
      expect(reader.value(0, 0)).toBe('é'.repeat(PREVIEW_BYTES / 2));
    });

    it('goes on where it stopped, by rows, by bytes and by time', () => {
      const statement = get().prepare(
        'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i, hex(i) FROM n',
      );
      const seen: number[] = [];
      const pack = (limits: { maxRows: number; maxBytes?: number; deadlineMs?: number }): boolean => {
        const writer = new PackedRowsWriter(2);
        const more = statement.pack(writer, limits);
        const reader = new PackedRowsReader(writer.finish());
        for (let row = 0; row < reader.rows.rowCount; row++) seen.push(reader.number(row, 0));
        return more;
      };
      expect(pack({ maxRows: 3 })).toBe(true);
      expect(seen.length).toBe(3);
      expect(pack({ maxRows: 5000, maxBytes: 1 })).toBe(true);
      expect(seen.length).toBe(4);
      expect(pack({ maxRows: 5000, deadlineMs: 0 })).toBe(true);
      expect(seen.length).toBeLessThan(100);
      expect(pack({ maxRows: 10_000 })).toBe(false);
      expect(pack({ maxRows: 10_000 })).toBe(false);
      expect(seen).toEqual(Array.from({ length: 5000 }, (_, place) => place + 1));
      statement.finalize();
    });

    it('packs values that were made while memory grew', needs('large values'), () => {
      const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 8)
        SELECT i, 'row ' || i, length(zeroblob(i * 4000000)), zeroblob(i * 4000000), i * 0.5 FROM n`;
      const reader = new PackedRowsReader(packAll(get(), sql, 16));
      for (let row = 0; row < 8; row++) {
        expect(reader.value(row, 1)).toBe(`row ${row + 1}`);
        expect(reader.sizeBytes(row, 3)).toBe((row + 1) * 4_000_000);
      }
    });

    it('packs 2,000 columns', needs('many columns'), () => {
      const names = Array.from({ length: 2000 }, (_, place) => `c${place}`);
      get().run(`CREATE TABLE wide(${names.join(', ')})`);
      get().run(`INSERT INTO wide VALUES (${names.map((_, place) => place).join(', ')})`);
      const reader = new PackedRowsReader(packAll(get(), 'SELECT * FROM wide', Infinity));
      expect(reader.rows.columnCount).toBe(2000);
      expect(reader.value(0, 1999)).toBe(1999);
    });
  });
}

function packQuery(connection: Connection, sql: string, params: readonly Value[], previewBytes?: number): PackedRows {
  const statement = connection.prepare(sql);
  const writer = new PackedRowsWriter(statement.columnCount, previewBytes === undefined ? {} : { previewBytes });
  try {
    statement.bind(params);
    statement.pack(writer, { maxRows: Infinity });
    return writer.finish();
  } finally {
    statement.finalize();
  }
}

function packAll(connection: Connection, sql: string, previewBytes: number): PackedRows {
  return packQuery(connection, sql, [], previewBytes);
}
