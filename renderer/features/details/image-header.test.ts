import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { imageHeader } from './image-header.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

test('images are known by their first bytes, whatever the column says', () => {
  expect(imageHeader(bytes('\x89PNG\r\n\x1a\n...'))).toEqual({ mediaType: 'image/png', size: null });
  expect(imageHeader(bytes('\xff\xd8\xff\xe0'))).toEqual({ mediaType: 'image/jpeg', size: null });
  expect(imageHeader(bytes('GIF89a'))).toEqual({ mediaType: 'image/gif', size: null });
  expect(imageHeader(bytes('RIFF....WEBPVP8 '))).toEqual({ mediaType: 'image/webp', size: null });
  for (const text of ['RIFF....WAVE', '<svg onload=alert(1)>', '', 'GIF', '\x89PNG'])
    expect(imageHeader(bytes(text))).toBeNull();
});

test.each([
  ['PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60', 60_000, 60_000],
  [
    'JPEG behind other segments',
    '\xff\xd8\xff\xe0\0\x04ab\xff\xff\xdb\0\x03c\xff\xc2\0\x0b\x08\x02\x58\x03\x20\x03',
    800,
    600,
  ],
  ['GIF', 'GIF89a\x20\x03\x58\x02\0\0\0', 800, 600],
  [
    'GIF whose first frame is larger',
    'GIF89a\x01\0\x01\0\x80\0\0\x01\x02\x03\x04\x05\x06\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\xff\xff\xff\xff\0',
    65_535,
    65_535,
  ],
  ['WebP, lossy', 'RIFF....WEBPVP8 ....\x10\x02\0\x9d\x01\x2a\x20\x03\x58\x02', 800, 600],
  ['WebP, lossless', `RIFF....WEBPVP8L....\x2f\xff\xff\xff\x0f${'.'.repeat(8)}`, 16_384, 16_384],
  ['WebP, extended', 'RIFF....WEBPVP8X....\0\0\0\0\xff\xff\xff\xff\xff\xff', 16_777_216, 16_777_216],
])('the size of %s', (_name, text, width, height) => {
  expect(imageHeader(bytes(text))?.size).toEqual({ width, height });
});

test('no bytes whatever keep it from answering', () => {
  const start = fc.constantFrom(
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff',
    'GIF89a',
    'RIFF....WEBPVP8 ',
    'RIFF....WEBPVP8L',
    'RIFF....WEBPVP8X',
  );
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 80 }), (signature, rest) => {
      const header = imageHeader(Uint8Array.from([...bytes(signature), ...rest]));
      expect(header?.mediaType).toMatch(/^image\//);
    }),
    { seed: 20_266, numRuns: seedCount(1000) },
  );
});
