import { expect, it } from 'vitest';
import { freeBuffer } from './free-buffer.ts';

it('frees a buffer, and leaves one alone that others look at', () => {
  const own = new Uint8Array(8);
  const shared = new Uint8Array(8);
  freeBuffer(own);
  freeBuffer(shared.subarray(0, 4));
  expect([own.buffer.byteLength, shared.buffer.byteLength]).toEqual([0, 8]);
});
