import { expect, it, vi } from 'vitest';
import { NOTHING, type FailedTest, type Outcome } from './counts.ts';
import { intermittentLine, judge, type Load, type Repeat } from './stages.ts';

const failedTest = (title: string): FailedTest => ({
  runner: 'e2e',
  file: 'a.spec.ts',
  titles: [title],
  project: 'electron',
  message: '',
  evidence: [],
});
const outcome = (failed: number, ...failedTests: FailedTest[]): Outcome => ({
  ...NOTHING,
  passed: 5,
  failed,
  failedTests,
});
/** A runner whose tests pass as often as given, on a quiet and on a busy machine. */
const repeating = (quiet: number, busy = 5) =>
  vi.fn<Repeat>((_test, load) => Promise.resolve(load === 'quiet' ? quiet : busy));
const [A, B, C] = ['adds', 'browses', 'closes'].map(failedTest) as [FailedTest, FailedTest, FailedTest];

it('without a failure nothing is repeated', async () => {
  const repeat = repeating(5);
  expect(await judge(outcome(0), repeat)).toEqual({ passed: 5, failed: 0, intermittent: [], why: [] });
  expect(repeat).not.toHaveBeenCalled();
});

it('one or two tests that pass each time, quiet and busy, are intermittent and count as passed', async () => {
  const repeat = repeating(5);
  const verdict = await judge(outcome(2, A, B), repeat);
  expect(verdict).toEqual({ passed: 7, failed: 0, intermittent: [A, B], why: [] });
  const calls = repeat.mock.calls.map(([{ titles }, load]): [string, Load] => [titles[0]!, load]);
  expect(calls).toEqual([
    ['adds', 'quiet'],
    ['browses', 'quiet'],
    ['adds', 'busy'],
    ['browses', 'busy'],
  ]);
  expect(intermittentLine(A)).toBe('Intermittent (10 of 10 when repeated): a.spec.ts: adds (electron)');
});

it.each([
  [4, 5, 'Failed again (quiet, after 4 of 5): a.spec.ts: adds (electron)'],
  [5, 0, 'Failed again (busy, after 0 of 5): a.spec.ts: adds (electron)'],
  // It matched more than the test.
  [10, 5, 'Failed again (quiet, after 10 of 5): a.spec.ts: adds (electron)'],
])('one that does not pass all ten times is a failure: %i quiet, %i busy', async (quiet, busy, line) => {
  expect(await judge(outcome(1, A), repeating(quiet, busy))).toEqual({
    passed: 5,
    failed: 1,
    intermittent: [],
    why: [line],
  });
});

it('if one of two fails again, both are failures', async () => {
  const repeat = vi.fn<Repeat>((test) => Promise.resolve(test === B ? 1 : 5));
  expect(await judge(outcome(2, A, B), repeat)).toMatchObject({ failed: 2, intermittent: [] });
});

it('a repetition that cannot run is a failure', async () => {
  const verdict = await judge(outcome(1, A), () => Promise.reject(new Error('no screen')));
  expect(verdict).toMatchObject({ failed: 1, intermittent: [] });
  expect(verdict.why[0]).toContain('no screen');
});

it('three failures are not repeated, nor is any beside a failure of something else', async () => {
  const repeat = repeating(5);
  expect(await judge(outcome(3, A, B, C), repeat)).toMatchObject({ failed: 3, intermittent: [] });
  // A check, a process that died, a file that could not be loaded.
  expect(await judge(outcome(2, A), repeat)).toMatchObject({ failed: 2, intermittent: [] });
  expect(repeat).not.toHaveBeenCalled();
});
