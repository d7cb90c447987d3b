// Items that arrive between two frames are delivered together, none is lost and none overtakes.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { fakeFrames, type FakeFrames } from './fake-frames.test-suite.ts';
import { PerFrame } from './per-frame.ts';

let frames: FakeFrames;
let taken: (readonly number[])[];
let stream: PerFrame<number>;

function begin(): void {
  frames = fakeFrames();
  taken = [];
  stream = new PerFrame((items) => void taken.push(items));
}

beforeEach(begin);
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the first comes at once, the rest with the frames', () => {
  stream.add([1]);
  stream.add([2]);
  stream.add([3, 4]);
  expect(taken).toEqual([[1]]);
  frames.next();
  expect(taken).toEqual([[1], [2, 3, 4]]);
  // The frame after one in which nothing came asks for no other.
  frames.next();
  expect(frames.waiting).toBe(0);
  stream.add([5]);
  expect(taken.at(-1)).toEqual([5]);
});

test('nothing waits in a hidden window, nor when it is being hidden', () => {
  stream.add([1]);
  stream.add([2]);
  frames.hide();
  expect(taken).toEqual([[1], [2]]);
  stream.add([3]);
  expect(taken).toEqual([[1], [2], [3]]);
  frames.show();
  stream.add([4]);
  frames.next();
  expect(taken.flat()).toEqual([1, 2, 3, 4]);
});

test('the end hands on the rest and leaves no frame behind', () => {
  stream.add([1]);
  stream.add([2]);
  stream.end();
  expect(taken).toEqual([[1], [2]]);
  expect(frames.waiting).toBe(0);
});

test('whatever happens in between: all of it, in order, and once a frame at most', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 3, arbitrary: fc.constant('frame' as const) },
    { weight: 1, arbitrary: fc.constantFrom('hide' as const, 'show' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      begin();
      let added = 0;
      let [isHidden, before] = [false, 0];
      for (const each of steps) {
        if (typeof each === 'number') stream.add(Array.from({ length: each }, () => added++));
        else if (each === 'frame') frames.next();
        else frames[each]();
        if (each === 'hide' || each === 'show') isHidden = each === 'hide';
        // Deliveries before this frame began; there may be one more as it began or since.
        if (each === 'frame' || isHidden) before = taken.length;
        else expect(taken.length - before).toBeLessThanOrEqual(1);
      }
      stream.end();
      expect(taken.flat()).toEqual(Array.from({ length: added }, (_, index) => index));
    }),
    { seed: 838, numRuns: seedCount(100) },
  );
});
