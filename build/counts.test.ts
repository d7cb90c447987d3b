import { expect, test } from 'vitest';
import { nameOf, NOTHING, slowestTests, withExitCode } from './counts.ts';

test('a runner that fails without naming a failure failed once', () => {
  expect(withExitCode({ ...NOTHING, passed: 5 }, 1)).toEqual({ ...NOTHING, passed: 5, failed: 1 });
  expect(withExitCode({ ...NOTHING, passed: 5, failed: 2 }, 1).failed).toBe(2);
  expect(withExitCode({ ...NOTHING, passed: 5 }, 0).failed).toBe(0);
});

test('names the slowest tests, longest first', () => {
  const timed = [
    { name: 'a: quick', durationMs: 90 },
    { name: 'a: slow', durationMs: 61_000 },
    { name: 'b: middling', durationMs: 2_500 },
  ];
  expect(slowestTests(timed, 2)).toEqual(['  61.0 s  a: slow', '   2.5 s  b: middling']);
});

test('a test is named by its file, its suites, and the browser it ran in', () => {
  const test = { runner: 'e2e', file: 'a.spec.ts', titles: ['suite', 'adds'], message: '', evidence: [] } as const;
  expect(nameOf({ ...test, project: 'web' })).toBe('a.spec.ts: suite › adds (web)');
  expect(nameOf({ ...test, project: '' })).toBe('a.spec.ts: suite › adds');
});
