import { expect, test } from 'vitest';
import { costText, measuredText, noteOn } from './index-lab.tsx';

const CANDIDATE = {
  sql: '',
  name: 'i',
  table: 't',
  plan: { lines: [], cost: 1 },
  isUsed: true,
  isUsedNow: true,
  bytes: null,
  servedBy: null,
};

test('costs, times, and notes in words', () => {
  expect([costText(26_616, 158), costText(300, 120), costText(100, 99)]).toEqual([
    '26,616 → 158, 168 times less',
    '300 → 120, 2.5 times less',
    '100 → 99',
  ]);
  expect(measuredText({ beforeMs: [3, 1, 2], afterMs: [0.0123, 0.02], buildMs: 5, bytes: 8192 })).toBe(
    'Measured in a copy: 2 ms (1 ms to 3 ms) without it, 16 µs (12 µs to 20 µs) with it. It takes 8.2 KB and 5 ms to build.',
  );
  expect(noteOn(CANDIDATE)).toBeNull();
  expect(noteOn({ ...CANDIDATE, servedBy: 'other' })).toContain('other already does');
  expect(noteOn({ ...CANDIDATE, isUsedNow: false })).toContain('only after ANALYZE');
  expect(noteOn({ ...CANDIDATE, isUsed: false })).toContain('until ANALYZE');
  expect(noteOn({ ...CANDIDATE, isUsed: false, isUsedNow: false })).toContain('would not use');
});
