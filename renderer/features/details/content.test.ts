import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentOf, hexDump, hexLayoutFor, WIDE_HEX } from './content.ts';

const seeded = { seed: 20_261 };

test('values show as SQLite spells them', () => {
  expect(contentOf(null)).toEqual({ kind: 'null' });
  expect(contentOf(2n ** 62n)).toMatchObject({ text: '4611686018427387904' });
  expect(contentOf({ real: 2 })).toMatchObject({ text: '2.0' });
  expect(contentOf('a\0b')).toMatchObject({ kind: 'text', note: 'contains NUL characters' });
  expect(contentOf({ textBytes: Uint8Array.of(0x61, 0xff) })).toMatchObject({
    text: 'a\ufffd',
    note: 'not valid UTF-8',
  });
});

test('an image is shown as one only where its size is known and bearable', () => {
  const png = (width: number, height: number): Uint8Array => {
    const bytes = new Uint8Array(33);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
    new DataView(bytes.buffer).setUint32(16, width);
    new DataView(bytes.buffer).setUint32(20, height);
    return bytes;
  };
  expect(contentOf(png(8000, 8000))).toMatchObject({ kind: 'image', width: 8000, height: 8000 });
  for (const [width, height] of [
    [60_000, 60_000],
    [8001, 8000],
    [4_294_967_295, 1],
  ] as const)
    expect(contentOf(png(width, height))).toMatchObject({ kind: 'bytes', note: expect.stringContaining('too large') });
  expect(contentOf(png(0, 0))).toMatchObject({ kind: 'bytes', note: expect.stringContaining('without a size') });
  expect(contentOf(png(1, 1).subarray(0, 20))).toMatchObject({ kind: 'bytes' });
});

test('a geometry is recognized in a blob and in a text, but not in the beginning of one', () => {
  const wkb = Uint8Array.of(1, 1, 0, 0, 0, ...new Uint8Array(Float64Array.of(1, 2).buffer));
  const geometry = { srid: null, shape: { type: 'Point', axes: 'XY' } };
  expect(contentOf(wkb)).toMatchObject({ kind: 'geometry', geometry, text: null });
  expect(contentOf('POINT (1 2)')).toMatchObject({ kind: 'geometry', geometry, text: 'POINT (1 2)' });
  expect(contentOf(wkb, true)).toMatchObject({ kind: 'bytes' });
  expect(contentOf('POINT (1 2)', true)).toMatchObject({ kind: 'text' });
});

test('a sound is played, a document only named, and any other file too', () => {
  const file = (head: string, rest = ''): Uint8Array => new TextEncoder().encode(`${head}${rest}`.padEnd(64, ' '));
  expect(contentOf(file('RIFF....WAVE'))).toMatchObject({ kind: 'audio', mediaType: 'audio/wav', label: 'WAV sound' });
  const pages = '1 0 obj<</Type /Pages/Count 2>> 2 0 obj<</Type/Page>> 3 0 obj<</Type /Page\n>>';
  expect(contentOf(file('%PDF-1.4\n', pages))).toMatchObject({
    kind: 'pdf',
    name: 'PDF 1.4 document, 2 pages',
  });
  // Pages are not counted in a part of it, and a version is digits or is left out.
  expect(contentOf(file('%PDF-1.4\n', pages), true)).toMatchObject({ name: 'PDF 1.4 document' });
  expect(contentOf(file('%PDF-1.7\n'))).toMatchObject({ name: 'PDF 1.7 document' });
  for (const odd of ['%PDF-', '%PDF-x.y', '%PDF-1', '%PDF-1.\u202e7', '%PDF-1.77777', '%PDF-12.0'])
    expect(contentOf(file(odd))).toMatchObject({ name: 'PDF document' });
  expect(contentOf(file('PK\x03\x04'))).toMatchObject({ note: 'ZIP file: its bytes' });
  const packed = (...head: readonly number[]): Uint8Array => Uint8Array.from({ length: 64 }, (_, at) => head[at] ?? 0);
  // As in the manifest of a backup of iOS, and in vector tiles of MBTiles.
  expect(contentOf(file('bplist00'))).toMatchObject({ note: 'binary property list of Apple: its bytes' });
  expect(contentOf(packed(0x1f, 0x8b))).toMatchObject({ note: 'gzip file: its bytes' });
  expect(contentOf(packed(0x28, 0xb5, 0x2f, 0xfd))).toMatchObject({ note: 'Zstandard file: its bytes' });
});

test('a dump shows offsets, bytes and characters', () => {
  const hello = Uint8Array.from('Hello, world\n', (char) => char.charCodeAt(0));
  expect(hexDump(hello, 100, { bytesPerLine: 8, isCompact: false })).toBe(
    '000000  48 65 6c 6c 6f 2c 20 77  Hello, w\n000008  6f 72 6c 64 0a           orld.',
  );
  expect(hexDump(hello, 100, { bytesPerLine: 8, isCompact: true })).toBe(
    '0000 48656c6c 6f2c2077 Hello, w\n0008 6f726c64 0a       orld.',
  );
  expect(hexDump(hello, 100, WIDE_HEX)).toBe('000000  48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 0a           Hello, world.');
});

test('a dump shows each byte up to its limit once', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(64), fc.nat(90), (bytes, limit, characters) => {
      const layout = hexLayoutFor(characters);
      const [from, to] = layout.isCompact
        ? [5, layout.bytesPerLine === 8 ? 22 : 40]
        : [8, layout.bytesPerLine === 8 ? 31 : 55];
      const shown = hexDump(bytes, limit, layout)
        .split('\n')
        .flatMap((line) => line.slice(from, to).replaceAll(' ', '').match(/../g) ?? []);
      expect(shown.map((hex) => parseInt(hex, 16))).toEqual([...bytes.subarray(0, limit)]);
    }),
    seeded,
  );
});

test('a line holds as many bytes as its width allows, and never fewer than eight', () => {
  const widths = [10, 31, 40, 41, 57, 72, 73, 500];
  expect(widths.map((width) => hexLayoutFor(width).bytesPerLine)).toEqual([8, 8, 8, 8, 16, 16, 16, 16]);
  for (const width of widths) {
    const layout = hexLayoutFor(width);
    const longest = hexDump(new Uint8Array(32), 32, layout).indexOf('\n');
    expect(longest <= width || (layout.bytesPerLine === 8 && layout.isCompact)).toBe(true);
  }
});
