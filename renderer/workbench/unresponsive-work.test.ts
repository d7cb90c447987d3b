import { expect, test } from 'vitest';
import type { Work } from '#shared/protocol/index.ts';
import { forgetEnded, isUnresponsive, noteEnded, wasEndedFor } from './unresponsive-work.ts';

const work = (id: number, change: Partial<Work> = {}): Work =>
  ({ id, title: `work ${id}`, holdsSinceMs: null, stopAskedAtMs: null, ...change }) as Work;

test('unresponsive is what was asked to stop a second ago and holds up everything, not what waits for it', () => {
  const holds = work(1, { holdsSinceMs: 0, stopAskedAtMs: 4000 });
  const waits = work(2, { stopAskedAtMs: 0 });
  expect(isUnresponsive(holds, [holds, waits], 4999)).toBe(false);
  expect(isUnresponsive(holds, [holds, waits], 5000)).toBe(true);
  expect(isUnresponsive(waits, [holds, waits], 5000)).toBe(false);
  expect(isUnresponsive(waits, [waits], 5000)).toBe(true); // outside of any turn, as an import is
  expect(isUnresponsive(work(3, { holdsSinceMs: 0 }), [], 5000)).toBe(false);
});

test('what the engine was ended for is known until that is forgotten', () => {
  noteEnded([work(1, { holdsSinceMs: 1, stopAskedAtMs: 1 }), work(2, { stopAskedAtMs: 1 })]);
  noteEnded([]); // the connection is reported once more when it is back
  expect([1, 2].map((each) => wasEndedFor(({ id }) => id === each))).toEqual([true, false]);
  forgetEnded();
  expect(wasEndedFor(() => true)).toBe(false);
});
