// Tests that bytes belong to the caller that requested them.
import { expect, test } from 'vitest';
import type { FileClient } from '../library/files.ts';
import { freeBuffer } from '../threads/free-buffer.ts';
import { openBytes } from './byte-sources.ts';

test('a reader lets go of the memory of what it got, and what is left of a chunk is read on', async () => {
  const content = Uint8Array.from({ length: 3 << 20 }, (_, at) => at % 251);
  const answers: Record<string, (params: { offset: number; length: number }) => unknown> = {
    'file.info': () => ({ fileName: 'file', sizeBytes: content.length, modifiedAtMs: 1 }),
    'file.read': ({ offset, length }) => content.slice(offset, offset + length),
  };
  const files = {
    call: (operation: string, params: never) => Promise.resolve(answers[operation]!(params)),
  } as unknown as FileClient;
  const source = await openBytes(files, { kind: 'file', token: 't' as never });
  let at = 0;
  // All but a few bytes of a chunk, as a message has them around it, then on.
  for (const length of [(1 << 20) - 10, 20, (1 << 20) - 10, 1 << 20]) {
    const bytes = await source.read(at, length);
    expect(bytes.length).toBe(Math.min(length, content.length - at));
    expect(bytes.every((byte, index) => byte === content[at + index])).toBe(true);
    at += bytes.length;
    freeBuffer(new Uint8Array(bytes.buffer));
  }
  expect(at).toBe(content.length);
});
