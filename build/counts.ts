// How many tests passed and failed, and which of those that failed can be run again.

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** A test that failed by itself: it can be run again, alone. */
export interface FailedTest {
  readonly runner: 'unit' | 'e2e';
  /** Path of its file, as its runner knows it. */
  readonly file: string;
  /** Those of its suites, and its own. */
  readonly titles: readonly string[];
  /** Playwright's project; empty for unit tests. */
  readonly project: string;
  /** What it said, whole. */
  readonly message: string;
  /** Folders with its trace, pictures, and log. */
  readonly evidence: readonly string[];
}

export interface TimedTest {
  readonly name: string;
  readonly durationMs: number;
}

/** Counts of a runner. Failures that are no {@link FailedTest} (an error outside of any test, a process that died) are only counted. */
export interface Outcome extends Counts {
  readonly failedTests: readonly FailedTest[];
  readonly timed: readonly TimedTest[];
}

export const NOTHING: Outcome = { passed: 0, failed: 0, failedTests: [], timed: [] };

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** A check that either holds or does not counts as one test. */
export function one(ok: boolean): Counts {
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A runner that failed without counting a failure (it crashed, or found no tests) still failed once. */
export function withExitCode(outcome: Outcome, exitCode: number): Outcome {
  return exitCode !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
}

export function nameOf({ file, titles, project }: FailedTest): string {
  return `${file}: ${titles.join(' › ')}${project === '' ? '' : ` (${project})`}`;
}

/** A line for each of the tests that took longest, longest first. */
export function slowestTests(timed: readonly TimedTest[], count: number): string[] {
  return [...timed]
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, count)
    .map(({ name, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(6)} s  ${name}`);
}
