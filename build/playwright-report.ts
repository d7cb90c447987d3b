// The report that Playwright writes: counts, the tests that failed with what they left, and how long each took.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { NOTHING, withExitCode, type FailedTest, type Outcome, type TimedTest } from './counts.ts';

interface Attachment {
  readonly name: string;
  readonly path?: string;
  /** In base64. */
  readonly body?: string;
}

interface Result {
  readonly status: 'passed' | 'failed' | 'timedOut' | 'interrupted' | 'skipped';
  readonly duration: number;
  readonly errors?: readonly { readonly message?: string }[];
  readonly attachments?: readonly Attachment[];
}

interface Test {
  readonly projectName: string;
  readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  readonly results: readonly Result[];
}

interface Suite {
  readonly title: string;
  readonly file: string;
  readonly suites?: readonly Suite[];
  readonly specs: readonly { readonly title: string; readonly tests: readonly Test[] }[];
}

interface Report {
  readonly suites: readonly Suite[];
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly unknown[];
}

interface Found {
  readonly file: string;
  readonly titles: readonly string[];
  readonly test: Test;
}

/** Playwright says this of the test during which one of its own processes died. */
const WORKER_DIED = /worker process exited unexpectedly/;

export function playwrightOutcome(reportFile: string, exitCode: number): Outcome {
  if (!existsSync(reportFile)) return { ...NOTHING, failed: 1 };
  const { suites, stats, errors } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  const tests = suites.flatMap((suite) => testsIn(suite, []));
  return withExitCode(
    {
      passed: stats.expected,
      // A test that failed once and then passed has failed.
      failed: stats.unexpected + stats.flaky + errors.length,
      failedTests: tests.filter(({ test }) => failedByItself(test)).map(failedTest),
      timed: tests.flatMap(timedTest),
    },
    exitCode,
  );
}

function testsIn({ file, specs, suites = [] }: Suite, above: readonly string[]): Found[] {
  const own = specs.flatMap(({ title, tests }) => tests.map((test) => ({ file, titles: [...above, title], test })));
  return [...own, ...suites.flatMap((suite) => testsIn(suite, [...above, suite.title]))];
}

/** Not if it ended with the whole run, or with the process that ran it. */
function failedByItself({ status, results }: Test): boolean {
  // oxlint-disable-next-line sidelite/text-decisions -- Playwright has no code for it
  const hasDied = ({ errors = [] }: Result): boolean => errors.some(({ message = '' }) => WORKER_DIED.test(message));
  return status === 'unexpected' && !results.some((result) => result.status === 'interrupted' || hasDied(result));
}

function failedTest({ file, titles, test }: Found): FailedTest {
  const attachments = test.results.flatMap(({ attachments: those = [] }) => those);
  const said = test.results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message));
  const texts = attachments.flatMap(({ name, body }) =>
    body === undefined ? [] : [`${name}:\n${Buffer.from(body, 'base64').toString()}`],
  );
  const paths = attachments.flatMap(({ path }) => (path === undefined ? [] : [path]));
  return {
    runner: 'e2e',
    file,
    titles,
    project: test.projectName,
    message: [...said, ...texts].join('\n\n'),
    evidence: [...new Set(paths.map(folderOf))],
  };
}

/** Playwright copies what is attached into a folder of its own. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === 'attachments' ? dirname(folder) : folder;
}

function timedTest({ file, titles, test }: Found): TimedTest[] {
  return test.results.map(({ duration }) => ({ name: `${file}: ${titles.at(-1)}`, durationMs: duration }));
}
