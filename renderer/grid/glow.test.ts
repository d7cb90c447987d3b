import { expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { Glow, differs } from './glow.ts';
import { PAGE_ROWS } from './row-cache.ts';

function page(rows: readonly (readonly [key: number, name: string])[]): PackedRowsReader {
  const writer = new PackedRowsWriter(2);
  for (const [key, name] of rows) {
    writer.integer(key);
    writer.text(name);
  }
  return new PackedRowsReader(writer.finish());
}

test('a changed cell of the same row glows, and fades', () => {
  const glow = new Glow(1);
  const now = page([
    [1, 'ant'],
    [2, 'BEE'],
  ]);
  glow.note(
    3,
    page([
      [1, 'ant'],
      [2, 'bee'],
    ]),
    1000,
  );
  const row = { rows: now, index: 1 };
  const before = glow.before(3 * PAGE_ROWS + 1, row, 1350);
  expect(before?.strength).toBeCloseTo(0.5);
  expect(differs(before!.row, row, 1)).toBe(true);
  expect(glow.isGlowing(1350)).toBe(true);
  expect(glow.isGlowing(1700)).toBe(false);
  expect(glow.before(3 * PAGE_ROWS + 1, row, 1700)).toBeNull();
});

test('a row that came to stand where another was does not glow, nor one without a key', () => {
  const now = page([[2, 'bee']]);
  const then = page([[1, 'ant']]);
  for (const hiddenColumns of [0, 1]) {
    const glow = new Glow(hiddenColumns);
    glow.note(0, then, 0);
    expect(glow.before(0, { rows: now, index: 0 }, 10)).toBeNull();
  }
});
