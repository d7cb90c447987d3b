import { gzipSync, zstdCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { createRandom } from '#shared/random.ts';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { allOf, inPieces } from './archives.test-suite.ts';
import { gunzip } from './zip-archive.ts';
import { unzstd } from './unzstd.ts';

/** Runs, text, and noise: what each kind of block is made for. */
function content(seed: number): Buffer {
  const random = createRandom(seed);
  const parts = Array.from({ length: random.between(1, 6) }, () => {
    const length = random.between(0, 200_000);
    const kind = random.between(0, 2);
    if (kind === 0) return Buffer.alloc(length, random.between(0, 255));
    if (kind === 1) return Buffer.from('SELECT name FROM item; '.repeat(Math.ceil(length / 23)));
    return Buffer.from(Uint8Array.from({ length }, () => random.between(0, 255)));
  });
  return Buffer.concat(parts);
}

const failure = (pieces: AsyncIterable<Uint8Array>): Promise<AppError> =>
  allOf(pieces).then(
    () => expect.unreachable('it was unpacked'),
    (thrown: unknown) => thrown as AppError,
  );

describe('zstd', () => {
  const level = (compressionLevel: number) => ({ params: { [constants.ZSTD_c_compressionLevel]: compressionLevel } });

  it('unpacks what zstd packs, in pieces of any length', async () => {
    for (let seed = 1; seed <= seedCount(40); seed++) {
      const random = createRandom(seed);
      const plain = content(seed);
      const packed = zstdCompressSync(plain, {
        params: {
          [constants.ZSTD_c_compressionLevel]: random.between(1, 19),
          [constants.ZSTD_c_checksumFlag]: random.between(0, 1),
          [constants.ZSTD_c_contentSizeFlag]: random.between(0, 1),
        },
      });
      expect((await allOf(unzstd(inPieces(packed, random.between(1, 50_000))))).equals(plain), `seed ${seed}`).toBe(
        true,
      );
    }
  });

  it('joins frames, leaves out those without data, and unpacks an empty one', async () => {
    const skipped = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const parts = ['one, ', '', 'two'].map((text) => zstdCompressSync(Buffer.from(text), level(3)));
    const packed = Buffer.concat([skipped, parts[0]!, parts[1]!, skipped, parts[2]!, skipped]);
    for (const length of [1, 7, 1000]) expect(String(await allOf(unzstd(inPieces(packed, length))))).toBe('one, two');
  });

  it('says what is wrong with a file that is cut off, damaged, or no such file', async () => {
    const packed = zstdCompressSync(content(3), level(3));
    const cases = [
      packed.subarray(0, packed.length - 1),
      packed.subarray(0, 30),
      Buffer.from('no zstd'),
      Buffer.alloc(0),
    ];
    for (const bytes of [...cases, Buffer.concat([packed, Buffer.from('more')])]) {
      const error = await failure(unzstd(inPieces(bytes, 4096)));
      expect(error).toMatchObject({ code: 'invalid' });
      expect(error.message).toContain('damaged or incomplete');
    }
  });

  it('finds a content that is not the one that was packed', async () => {
    for (const length of [0, 1, 5, 31, 32, 45, 200_003]) {
      const plain = Buffer.alloc(length, 'Sidelite');
      const packed = zstdCompressSync(plain, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
      expect((await allOf(unzstd(inPieces(packed, 4096)))).equals(plain), `${length} bytes`).toBe(true);
      packed[packed.length - 1]! ^= 0x40;
      expect((await failure(unzstd(inPieces(packed, 4096)))).message).toContain('damaged or incomplete');
    }
  });

  it('takes no memory that a frame only claims', async () => {
    const claims = (...header: number[]): Buffer => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...header, 1, 0, 0]);
    for (const bytes of [claims(0x00, 0xa0), claims(0x00, 0xff), claims(0xe0, 0, 0, 0, 0, 1, 0, 0, 0)]) {
      const error = await failure(unzstd(inPieces(bytes, 4096)));
      expect(error.message).toContain('more than 32 MB of memory');
    }
    expect((await failure(unzstd(inPieces(claims(0x21, 7, 1), 4096)))).message).toContain('a dictionary of its own');
  });

  it('hands out a bomb a block at a time', async () => {
    // A block of four bytes says “131,072 zeros”.
    const block = Buffer.from([((1 << 1) | ((1 << 17) << 3)) & 0xff, ((1 << 20) >> 8) & 0xff, (1 << 20) >> 16, 0]);
    const bomb = Buffer.concat([
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50]),
      ...Array.from({ length: 500 }, () => block),
    ]);
    let [largest, sum] = [0, 0];
    for await (const piece of unzstd(inPieces(bomb, 1 << 20))) {
      largest = Math.max(largest, piece.length);
      sum += piece.length;
      if (sum >= 20 << 20) break;
    }
    expect([largest, sum]).toEqual([1 << 17, 20 << 20]);
  });
});

describe('gzip', () => {
  it('joins members', async () => {
    const packed = Buffer.concat([gzipSync('one, '), gzipSync(''), gzipSync('two')]);
    for (const length of [1, 1000]) expect(String(await allOf(gunzip(inPieces(packed, length))))).toBe('one, two');
  });

  it('says what is wrong with a file that is cut off or damaged', async () => {
    const packed = gzipSync(content(5));
    const damaged = Buffer.from(packed);
    damaged[damaged.length - 6]! ^= 1;
    for (const bytes of [packed.subarray(0, packed.length - 9), damaged])
      expect(await failure(gunzip(inPieces(bytes, 4096)))).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('damaged or incomplete') as unknown,
      });
  });

  it('passes on why its source cannot be read', async () => {
    const gone = AppError.notFound('It is gone.');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync(content(5)).subarray(0, 1000);
      throw gone;
    }
    expect(await failure(gunzip(failing()))).toMatchObject({ code: 'not-found', message: 'It is gone.' });
  });

  it('stops packing what nobody wants', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (const packed = gzipSync(Buffer.alloc(1 << 20)); ; read++) yield packed;
    }
    for await (const piece of gunzip(endless())) if (piece.length > 0) break;
    expect(read).toBeLessThan(100);
  });
});
