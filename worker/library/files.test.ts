import { expect, it } from 'vitest';
import { CHUNK_BYTES, FileSink, readChunks } from './files.ts';
import type { FileClient } from './files.ts';

function fakeFiles(content: Uint8Array) {
  const seen = { inFlight: 0, most: 0, written: [] as Uint8Array[], closed: [] as boolean[], failWrites: false };
  const call = async (op: string, params: { offset: number; length: number; bytes: Uint8Array; commit: boolean }) => {
    seen.most = Math.max(seen.most, ++seen.inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    seen.inFlight--;
    if (op === 'file.read') return content.slice(params.offset, params.offset + params.length);
    if (op === 'file.close') {
      seen.closed.push(params.commit);
      return { backup: null };
    }
    if (seen.failWrites) throw new Error('disk full');
    return void seen.written.push(params.bytes.slice());
  };
  return { files: { call } as unknown as FileClient, seen };
}

const content = Uint8Array.from({ length: CHUNK_BYTES * 6 + 17 }, (_, at) => at % 251);

it('reads in order with a few reads on their way, never more', async () => {
  const { files, seen } = fakeFiles(content);
  const got: Uint8Array[] = [];
  for await (const chunk of readChunks(files, 't', 'main', content.length)) got.push(chunk);
  expect(Buffer.concat(got).equals(content)).toBe(true);
  expect(seen.most).toBe(3);
});

it('notices a file that became shorter', async () => {
  const { files } = fakeFiles(content.subarray(0, CHUNK_BYTES + 5));
  const all = async (): Promise<void> => {
    for await (const _chunk of readChunks(files, 't', 'main', content.length));
  };
  await expect(all()).rejects.toMatchObject({ code: 'io' });
});

it('writes with a few on their way and closes after the last', async () => {
  const { files, seen } = fakeFiles(content);
  const sink = new FileSink(files, 't');
  for (let at = 0; at < 8; at++) await sink.write(Uint8Array.of(at));
  await sink.commit();
  expect(seen.written.map(([byte]) => byte)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(seen.most).toBe(3);
  expect(seen.closed).toEqual([true]);
});

it('writes a large chunk as messages of the usual size', async () => {
  const { files, seen } = fakeFiles(content);
  const sink = new FileSink(files, 't');
  const bytes = Buffer.alloc(3 * CHUNK_BYTES + 1, 'Sidelite');
  await sink.write(new Uint8Array(bytes));
  await sink.commit();
  expect(seen.written.map((piece) => piece.length)).toEqual([CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES, 1]);
  expect(Buffer.concat(seen.written).equals(bytes)).toBe(true);
});

it('throws a failed write away', async () => {
  const { files, seen } = fakeFiles(content);
  seen.failWrites = true;
  const sink = new FileSink(files, 't');
  await sink.write(Uint8Array.of(1));
  await expect(sink.commit()).rejects.toThrow('disk full');
  await sink.abort();
  expect(seen.closed).toEqual([false]);
});

it('writes behind one that failed fail with it, and end no thread because nobody waits for them', async () => {
  const { files, seen } = fakeFiles(content);
  seen.failWrites = true;
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const sink = new FileSink(files, 't');
    const writing = [1, 2, 3].map((byte) => sink.write(Uint8Array.of(byte)));
    await expect(Promise.all(writing)).rejects.toThrow('disk full');
    // Node reports them after the tasks in which they failed.
    for (let task = 0; task < 3; task++) await new Promise((resolve) => setImmediate(resolve));
    await sink.abort();
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
