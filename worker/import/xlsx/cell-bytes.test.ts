// Text of cells as bytes, compared with what expressions make of it as a string.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CellBytes, excelText } from './cell-bytes.ts';

const encoder = new TextEncoder();
const NAMES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const expected = (xml: string): string =>
  excelText(
    xml
      .replace(/\r\n?/g, '\n')
      .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/g, (_all, tens?: string, hex?: string, name?: string) =>
        name === undefined ? String.fromCodePoint(tens ? Number(tens) : Number.parseInt(hex!, 16)) : NAMES[name]!,
      ),
  ).toWellFormed();

function cellText(pieces: readonly Uint8Array[]): string {
  const text = new CellBytes();
  text.addText('before _x0041_ ');
  const start = text.used;
  for (const piece of pieces) text.add(piece, 0, piece.length, !piece.includes(38) && !piece.includes(13));
  text.finishText(start);
  expect(text.text(0, start)).toBe('before _x0041_ ');
  return text.text(start, text.used);
}

test('references, line ends and escapes are what they stand for', () => {
  const part = fc.constantFrom(
    ...['&amp;', '&lt;', '&#233;', '&#x1f600;', '&#0000010;', '\r\n', '\r', '\n', 'é', '😀', 'a', '_', '_x', 'x0041_'],
    ...['_x0041_', '_x005F_', '_x005f_x0042_', '_x00E9_', '_x20AC_', '_xD83D__xDE00_', '_xD83D_', '_xZZZZ_', '_x000D'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const xml = parts.join('');
      expect(cellText([encoder.encode(xml)])).toBe(expected(xml));
    }),
    { seed: 20_261_129, numRuns: 1000 },
  );
});

test('bytes that are not UTF-8 are one character each', () => {
  expect(cellText([Uint8Array.of(0x61, 0xc3, ...encoder.encode('&#233;_x0042_'))])).toBe('a\ufffdéB');
});

test('a reference to nothing is refused', () => {
  for (const xml of ['&constructor;', '&amp', '&a&amp;', '&#xd800;', '&;', `&${'a'.repeat(100_000)};`])
    expect(() => cellText([encoder.encode(xml)])).toThrow('entity without a definition');
});
