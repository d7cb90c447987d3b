import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PICTURE_SIZE, productPicture, encodePng } from './fill-catalog.ts';
import { createRandom } from '#shared/random.ts';
import { seeds } from '#shared/seed-count.test-suite.ts';

/** An independent reading of the format: chunks with checked CRCs, the rows inflated by zlib. */
function decode(png: Uint8Array): { width: number; height: number; palette: number[]; pixels: number[] } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const typeAndData = png.subarray(at + 4, at + 8 + length);
    expect(view.getUint32(at + 8 + length)).toBe(crc32(typeAndData));
    chunks.set(String.fromCharCode(...typeAndData.subarray(0, 4)), typeAndData.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR')!;
  const width = new DataView(header.buffer, header.byteOffset).getUint32(0);
  const height = new DataView(header.buffer, header.byteOffset).getUint32(4);
  const lines = inflateSync(chunks.get('IDAT')!);
  expect(lines.length).toBe((width + 1) * height);
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    expect(lines[y * (width + 1)]).toBe(0);
    pixels.push(...lines.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)));
  }
  return { width, height, palette: [...chunks.get('PLTE')!], pixels };
}

describe('encodePng', () => {
  it('writes what a PNG reader reads back', () => {
    const png = encodePng({
      width: 2,
      height: 2,
      palette: [
        [1, 2, 3],
        [250, 251, 252],
      ],
      pixels: Uint8Array.of(0, 1, 1, 0),
    });
    expect(decode(png)).toEqual({ width: 2, height: 2, palette: [1, 2, 3, 250, 251, 252], pixels: [0, 1, 1, 0] });
  });

  it('splits more than one stored block', () => {
    const pixels = Uint8Array.from({ length: 300 * 300 }, (_, i) => i % 4);
    const palette = [
      [0, 0, 0],
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 3],
    ] as const;
    expect(decode(encodePng({ width: 300, height: 300, palette, pixels })).pixels).toEqual([...pixels]);
  });

  it('makes product pictures whose every pixel has a color', () => {
    for (const seed of seeds(50)) {
      const { width, height, palette, pixels } = decode(productPicture(createRandom(seed)));
      expect([width, height, palette.length]).toEqual([PICTURE_SIZE, PICTURE_SIZE, 12]);
      expect(pixels.every((pixel) => pixel < 4)).toBe(true);
      expect(new Set(pixels).size).toBeGreaterThan(1);
    }
  });
});
