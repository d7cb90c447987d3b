// Writes small palette PNGs without a compressor: zlib "stored" blocks are valid and keep the bytes the same everywhere.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PALETTE_COLOR = 3;
const STORED_BLOCK_LIMIT = 65535;

/** Red, green, blue; 0…255 each. */
export type Color = readonly [number, number, number];

export interface PaletteImage {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Color[];
  /** One palette index per pixel, row by row. */
  readonly pixels: Uint8Array;
}

export function encodePng(image: PaletteImage): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, image.width);
  view.setUint32(4, image.height);
  header[8] = 8; // bits per pixel
  header[9] = PALETTE_COLOR;
  return join([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(image.palette.flat())),
    chunk('IDAT', zlibStored(scanlines(image))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Each row is preceded by its filter type; 0 means none. */
function scanlines({ width, height, pixels }: PaletteImage): Uint8Array {
  const lines = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return lines;
}

function zlibStored(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let start = 0; start === 0 || start < data.length; start += STORED_BLOCK_LIMIT) {
    const block = data.subarray(start, start + STORED_BLOCK_LIMIT);
    const isLast = start + STORED_BLOCK_LIMIT >= data.length;
    const length = block.length;
    parts.push(Uint8Array.of(isLast ? 1 : 0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff), block);
  }
  parts.push(bigEndian(adler32(data)));
  return join(parts);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = join([Uint8Array.from(type, (letter) => letter.charCodeAt(0)), data]);
  return join([bigEndian(data.length), body, bigEndian(crc32(body))]);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
