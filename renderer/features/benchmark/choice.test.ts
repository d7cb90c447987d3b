import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { SUITES } from '#shared/bench/suites.ts';
import { FIRST_CHOICE, readChoice } from './choice.ts';

test('what was chosen comes back as it was', () => {
  const choice = {
    ...FIRST_CHOICE,
    run: 'a',
    view: 'plots',
    suite: 'rtt',
    setup: {
      ...FIRST_CHOICE.setup,
      suites: ['rtt', 'million'],
      sizes: { rtt: [100], million: [] },
      rounds: 12,
      sql: 'SELECT 1',
    },
  };
  const read = readChoice(JSON.parse(JSON.stringify(choice)));
  expect(read).toEqual({ ...choice, setup: { ...choice.setup, suites: ['million', 'rtt'] } });
});

test('whatever is stored becomes a choice that can be made', () => {
  const ids = SUITES.map(({ id }) => id);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (stored, setup) => {
      for (const value of [stored, { setup, screen: stored }]) {
        const read = readChoice(value);
        expect(read.setup.suites.every((id) => ids.includes(id))).toBe(true);
        expect(['setup', 'result', 'runs']).toContain(read.screen);
      }
    }),
    { seed: 3, numRuns: seedCount(100) },
  );
  expect(readChoice(null)).toEqual(FIRST_CHOICE);
  expect(readChoice({ setup: { suites: ['x', 'rtt'], rounds: 1e9, sizes: { rtt: [3] } } }).setup).toMatchObject({
    suites: ['rtt'],
    rounds: null,
    sizes: { rtt: [] },
  });
});
