import { expect, it } from 'vitest';
import { readText } from './blocking-http.ts';

it('a reply in pieces of a byte takes no more memory than one in large pieces', () => {
  const BYTES = 2_000_000;
  let left = BYTES;
  const before = process.memoryUsage().heapUsed;
  let taken = 0;
  const reply = {
    ...{ status: 200, contentType: '', cancel: () => undefined },
    next: () => {
      if (left-- === 0) {
        taken = process.memoryUsage().heapUsed - before;
        return null;
      }
      return new Uint8Array([0x61 + (left % 2)]);
    },
  };
  expect(readText(reply, BYTES)).toBe('ba'.repeat(BYTES / 2));
  // An array of them took 480 MB.
  expect(taken).toBeLessThan(100 << 20);
});
