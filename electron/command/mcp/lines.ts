// Messages on lines: what comes in pieces, taken apart without keeping more than the longest line allowed.
import { createReadStream } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LINE_FEED = 0x0a;

/** In a thread of the app, `process.stdin` is served by a main thread that waits for this one. */
export const standardInput = (): AsyncIterable<Uint8Array> & { destroy(): unknown } =>
  isMainThread ? process.stdin : createReadStream('', { fd: 0, autoClose: false });

/** Null stands for a line of more than `mostBytes`. A line that does not end is left out: its sender is gone. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<string | null, void> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      const isTooLong = size + end - from > mostBytes;
      yield isTooLong ? null : Buffer.concat([...parts, piece.subarray(from, end)]).toString();
      [parts, size, from] = [[], 0, end + 1];
    }
    size += piece.length - from;
    if (size > mostBytes) parts = [];
    else if (from < piece.length) parts.push(piece.subarray(from));
  }
}
