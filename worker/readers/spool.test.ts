import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { useSpoolStorage } from './spool-storage.ts';
import type { SpoolStorage } from './spool-storage.ts';
import { Spool } from './spool.ts';

afterEach(() => useSpoolStorage({ take: () => null }));

/** A file in memory that reports how many bytes it holds. */
function memoryFiles(): SpoolStorage & { sizeBytes: number; discarded: number } {
  const files = {
    sizeBytes: 0,
    discarded: 0,
    take() {
      let content = new Uint8Array(0);
      return {
        write(bytes: Uint8Array, offset: number) {
          const grown = new Uint8Array(Math.max(content.length, offset + bytes.length));
          grown.set(content);
          grown.set(bytes, offset);
          content = grown;
          files.sizeBytes = content.length;
        },
        read: (into: Uint8Array, offset: number) => into.set(content.subarray(offset, offset + into.length)),
        discard: () => void files.discarded++,
      };
    },
  };
  return files;
}

function chunk(from: number, count: number): PackedRows {
  const writer = new PackedRowsWriter(4, { previewBytes: 3000 });
  for (let i = from; i < from + count; i++) {
    writer.integer(i);
    writer.bigInteger(2n ** 62n + BigInt(i));
    if (i % 3 === 0) writer.null();
    else writer.text(`text ${i} `.repeat(1 + (i % 5) * 100));
    writer.real(i / 2);
  }
  return writer.finish();
}

function expectRow(page: PackedRows, row: number, i: number): void {
  const cells = new PackedRowsReader(page);
  expect(cells.value(row, 0)).toBe(i);
  expect(cells.value(row, 1)).toBe(2n ** 62n + BigInt(i));
  if (i % 3 === 0) return expect(cells.value(row, 2)).toBeNull();
  const whole = `text ${i} `.repeat(1 + (i % 5) * 100);
  expect(cells.sizeBytes(row, 2)).toBe(whole.length);
  expect(cells.text(row, 2)).toBe(whole.slice(0, 1024));
}

test.each([{ memory: Infinity }, { memory: 100_000 }, { memory: 0 }])(
  'any rows come back with $memory bytes of memory',
  ({ memory }) => {
    const files = memoryFiles();
    useSpoolStorage(files);
    const spool = new Spool(4, memory);
    const sizes = [1, 256, 100, 0, 33, 256, 7, 300];
    for (const size of sizes) spool.append(chunk(spool.rowCount, size));
    const total = spool.rowCount;
    expect(total).toBe(953);
    expect(files.sizeBytes > 0).toBe(memory !== Infinity);
    fc.assert(
      fc.property(fc.nat({ max: total + 20 }), fc.integer({ min: 0, max: 400 }), (start, count) => {
        const page = spool.read(start, count, Infinity);
        const rows = Math.max(0, Math.min(count, total - start));
        expect(page.rowCount).toBe(rows);
        if (rows > 0) for (const row of [0, rows >> 1, rows - 1]) expectRow(page, row, start + row);
      }),
      { seed: 3, numRuns: seedCount(60) },
    );
    expect(spool.cell(4, 2)).toMatchObject({ storageClass: 'text', sizeBytes: 401 * 7 });
    spool.dispose();
    expect(files.discarded).toBe(memory === Infinity ? 0 : 1);
  },
);

test('without memory and without a file it says that there is no room', () => {
  const spool = new Spool(4, 0);
  expect(() => spool.append(chunk(0, 10))).toThrow(expect.objectContaining({ code: 'full' }));
});

test('a page ends at its byte limit', () => {
  const spool = new Spool(4);
  spool.append(chunk(0, 200));
  for (let i = 1; i < 10; i++) spool.append(chunk(i * 200, 200));
  const page = spool.read(0, 2000, 10_000);
  expect(page.rowCount).toBeGreaterThan(0);
  expect(page.rowCount).toBeLessThan(2000);
  spool.dispose();
});

test('what still comes in after the end takes neither memory nor a file', () => {
  const files = memoryFiles();
  useSpoolStorage(files);
  const spool = new Spool(4, 0);
  spool.dispose();
  spool.append(chunk(0, 10));
  expect(spool.rowCount).toBe(0);
  expect(files.sizeBytes).toBe(0);
});
