import { expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { Glow } from './glow.ts';
import type { CachedRow } from '../rows/row-cache.ts';

function row(name: string): CachedRow {
  const writer = new PackedRowsWriter(1);
  writer.text(name);
  return { rows: new PackedRowsReader(writer.finish()), index: 0 };
}

test('a row glows with what it was, and fades', () => {
  const glow = new Glow();
  const [bee, BEE] = [row('bee'), row('BEE')];
  glow.note(BEE, bee, 1000);
  expect(glow.of(BEE, 1350)).toEqual({ before: bee, strength: 0.5 });
  expect(glow.of(bee, 1350)).toBeNull();
  expect(glow.isGlowing(1350)).toBe(true);
  expect(glow.of(BEE, 1700)).toBeNull();
  expect(glow.isGlowing(1700)).toBe(false);
});

test('a row that was not there glows as a whole', () => {
  const glow = new Glow();
  const ant = row('ant');
  glow.note(ant, null, 0);
  expect(glow.of(ant, 0)).toEqual({ before: null, strength: 1 });
});
