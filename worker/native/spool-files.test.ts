import { expect, it } from 'vitest';
import type { SpoolFile } from '../readers/spool-storage.ts';
import { encrypted } from './spool-files.ts';

it('what is written to an encrypted spool is read back from any place, and is not in the file', () => {
  const bytes = new Uint8Array(100_000);
  const file: SpoolFile = {
    write: (written, offset) => bytes.set(written, offset),
    read: (into, offset) => into.set(bytes.subarray(offset, offset + into.length)),
    discard: () => undefined,
  };
  const spool = encrypted(file);
  const text = Buffer.from('a text that must not be found. '.repeat(1000));
  // Pieces that begin and end within a block of the cipher.
  for (let at = 0, length = 1; at < text.length; at += length, length = (length * 7 + 3) % 997)
    spool.write(text.subarray(at, at + length), at + 5);
  expect(Buffer.from(bytes).includes('must not be found')).toBe(false);
  // No block is encrypted as another is.
  const blocks = Array.from({ length: 1800 }, (_, block) =>
    Buffer.from(bytes).toString('hex', block * 16 + 16, block * 16 + 32),
  );
  expect(new Set(blocks).size).toBe(blocks.length);
  for (const [at, length] of [
    [0, text.length],
    [1, 15],
    [16, 16],
    [4711, 313],
    [30_999, 1],
  ] as const) {
    const into = new Uint8Array(length);
    spool.read(into, at + 5);
    expect(Buffer.from(into).equals(text.subarray(at, at + length))).toBe(true);
  }
});
