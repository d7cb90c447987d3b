import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { FrameReader, frameOf } from './link-frames.ts';

const value = fc.oneof(
  fc.float64Array(),
  fc.float32Array(),
  fc.uint32Array(),
  fc.int16Array(),
  fc.uint8ClampedArray(),
  fc.bigInt64Array(),
  fc.uint8Array(),
  fc.uint8Array().map((bytes) => bytes.slice().buffer),
  fc.string({ unit: 'grapheme' }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.double(),
  fc.integer(),
  fc.constantFrom(null, true, -0),
  fc.array(fc.constantFrom(undefined, null, 1, 'a', 2n), { maxLength: 5 }),
);
const message = fc.object({ maxDepth: 4, key: fc.string().filter((key) => key !== '__proto__'), values: [value] });

it('brings every message over as it was, in order, in whatever pieces the pipe makes of it', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 64 }), (sent, piece) => {
      const received: unknown[] = [];
      const reader = new FrameReader((one) => received.push(one));
      const bytes = Uint8Array.from(sent.flatMap((one) => [...frameOf(one)]));
      for (let at = 0; at < bytes.length; at += piece) reader.read(bytes.subarray(at, at + piece));
      expect(received).toEqual(sent);
    }),
    { seed: 7, numRuns: seedCount(300) },
  );
});

it('sends the part of a buffer that is seen, and gives numbers memory of their own', () => {
  const seen = sendOver({ view: new Uint32Array([1, 2, 3, 4]).subarray(1, 3) }) as { view: Uint32Array };
  expect(seen.view).toEqual(new Uint32Array([2, 3]));
  expect(seen.view.buffer.byteLength).toBe(8);
});

it('leaves out of an object what is undefined, and keeps it in an array', () => {
  expect(sendOver({ id: 1, value: undefined })).toStrictEqual({ id: 1 });
  const row = [undefined, null, 1n, [undefined, new Uint32Array([7]), { text: 'a' }], undefined];
  expect(sendOver({ rows: [row, [null]] })).toStrictEqual({ rows: [row, [null]] });
});

it('reads an empty message between others', () => {
  const received: unknown[] = [];
  const reader = new FrameReader((one) => received.push(one));
  for (const one of [{}, [], '']) reader.read(frameOf(one));
  expect(received).toEqual([{}, [], '']);
});

it('refuses what would arrive as an empty object', () => {
  expect(() => frameOf({ rows: new Map([[1, 2]]) })).toThrow(TypeError);
});

function sendOver(sent: unknown): unknown {
  let received: unknown;
  new FrameReader((one) => (received = one)).read(frameOf(sent));
  return received;
}
