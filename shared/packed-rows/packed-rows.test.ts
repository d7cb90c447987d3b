import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import type { Value } from '../protocol/values.ts';
import { PREVIEW_BYTES } from './format.ts';
import { formatReal, PackedRowsReader } from './reader.ts';
import { PackedRowsWriter } from './writer.ts';

function write(writer: PackedRowsWriter, value: Value): void {
  if (value === null) writer.null();
  else if (typeof value === 'bigint') writer.bigInteger(value);
  else if (typeof value === 'number') Number.isSafeInteger(value) ? writer.integer(value) : writer.real(value);
  else if (typeof value === 'string') writer.text(value);
  else if (value instanceof Uint8Array) writer.blob(value);
  else if ('real' in value) writer.real(value.real);
  else writer.textBytes(value.textBytes);
}

const anyValue = fc.oneof(
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
  fc.double({ noNaN: true }).map((real) => (Number.isInteger(real) ? { real } : real)),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
);

describe('packed rows', () => {
  it('give back every value as it was written', () => {
    const table = fc
      .integer({ min: 1, max: 6 })
      .chain((columns) =>
        fc.array(fc.array(anyValue, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 120 }),
      );
    fc.assert(
      fc.property(table, (rows) => {
        const columns = rows[0]!.length;
        const writer = new PackedRowsWriter(columns, { expectedRows: 2 });
        for (const row of rows) for (const value of row) write(writer, value);
        const reader = new PackedRowsReader(writer.finish());
        expect(reader.rows.rowCount).toBe(rows.length);
        const back = rows.map((_, r) => Array.from({ length: columns }, (_unused, c) => reader.value(r, c)));
        expect(back).toEqual(rows);
      }),
      { seed: 20261, numRuns: seedCount(200) },
    );
  });

  it('cut long values at a whole character and keep their length', () => {
    const writer = new PackedRowsWriter(2);
    const text = 'é'.repeat(PREVIEW_BYTES); // two bytes each: the limit falls on a boundary only by luck
    writer.text(`a${text}`);
    writer.blob(new Uint8Array(PREVIEW_BYTES * 3).fill(7));
    const reader = new PackedRowsReader(writer.finish());
    expect(reader.isPreview(0, 0)).toBe(true);
    expect(reader.sizeBytes(0, 0)).toBe(PREVIEW_BYTES * 2 + 1);
    expect(reader.text(0, 0)).toBe(`a${'é'.repeat(PREVIEW_BYTES / 2 - 1)}`);
    expect(reader.sizeBytes(0, 1)).toBe(PREVIEW_BYTES * 3);
    expect(reader.bytes(0, 1)).toHaveLength(PREVIEW_BYTES);
    expect(reader.storageClass(0, 1)).toBe('blob');
  });

  it('tell text that is not UTF-8 from text that is', () => {
    const writer = new PackedRowsWriter(2);
    writer.textBytes(new Uint8Array([0x61, 0xff]));
    writer.text('\u0000nul');
    const reader = new PackedRowsReader(writer.finish());
    expect(reader.value(0, 0)).toEqual({ textBytes: new Uint8Array([0x61, 0xff]) });
    expect(reader.text(0, 0)).toBe('a\ufffd');
    expect(reader.value(0, 1)).toBe('\u0000nul');
  });
});

describe('formatReal', () => {
  it.each([
    [2, '2.0'],
    [-0, '-0.0'],
    [1.5, '1.5'],
    [1e21, '1.0e+21'],
    [1.5e-7, '1.5e-7'],
    [Infinity, 'Inf'],
    [-Infinity, '-Inf'],
  ])('%s is shown as %s', (value, shown) => expect(formatReal(value)).toBe(shown));
});
