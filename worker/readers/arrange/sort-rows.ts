// Sorts row numbers in slices, because one call of the built-in sort over a million rows would block the worker for seconds. Stable.
import { sliceEnd } from '../slice.ts';
import type { Pause, Turn } from '../../sessions/session.ts';

/** Rows sorted in one call: about a millisecond. */
const RUN_ROWS = 1024;
/** Rows merged between two checks of the clock. */
const CLOCK_ROWS = 2048;

/**
 * Returns 0 … `count` − 1 in order.
 *
 * @param compare may return 0: then the lower number comes first
 * @param report gets the number of rows moved so far, of `count` in each of {@link passesOf} passes
 */
export function* sortRows(
  turn: Turn,
  count: number,
  compare: (a: number, b: number) => number,
  pause: () => Generator<Pause, void>,
  report: (moved: number) => void,
): Generator<Pause, Uint32Array> {
  const inOrder = (a: number, b: number): number => compare(a, b) || a - b;
  let from = countUp(count);
  let into = new Uint32Array(count);
  let end = sliceEnd(turn);
  let moved = 0;
  for (let start = 0; start < count; start += RUN_ROWS) {
    from.subarray(start, start + RUN_ROWS).sort(inOrder);
    report((moved = Math.min(count, start + RUN_ROWS)));
    if (performance.now() < end) continue;
    yield* pause();
    end = sliceEnd(turn);
  }
  for (let width = RUN_ROWS; width < count; width *= 2) {
    for (let start = 0; start < count; start += width * 2) {
      const middle = Math.min(start + width, count);
      const last = Math.min(start + width * 2, count);
      let [left, right] = [start, middle];
      for (let at = start; at < last; at++) {
        const takesLeft = left < middle && (right >= last || inOrder(from[left]!, from[right]!) <= 0);
        into[at] = takesLeft ? from[left++]! : from[right++]!;
        if (at % CLOCK_ROWS !== 0 || performance.now() < end) continue;
        report(moved + at);
        yield* pause();
        end = sliceEnd(turn);
      }
    }
    moved += count;
    [from, into] = [into, from];
  }
  return from;
}

/** How often every row is moved. */
export const passesOf = (count: number): number => 1 + Math.max(0, Math.ceil(Math.log2(count / RUN_ROWS)));

/** 0 … `count` − 1. */
export function countUp(count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = index;
  return numbers;
}
