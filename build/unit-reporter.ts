// Writes the report of a unit test run: the counts, what failed, errors outside of any test included, and the slowest tests.
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import type { FailedTest, Outcome } from './counts.ts';

export interface UnitReport extends Outcome {
  /** A line for each failure: of tests, and of whatever else ended the run with one. */
  readonly failures: readonly string[];
}

/** Name of the environment variable with the path of the report. */
export const REPORT_VARIABLE = 'SIDELITE_UNIT_REPORT';
const SLOWEST = 10;

const firstLine = (text = 'no message'): string => text.split('\n', 1)[0]!.slice(0, 200);

function failedTest(test: TestCase): FailedTest {
  const titles = [test.name];
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) titles.unshift(parent.name);
  const errors = test.result().errors ?? [];
  const message = errors.map(({ message: said, stack = '', diff = '' }) =>
    [said, diff, stack].filter(Boolean).join('\n'),
  );
  const file = test.module.relativeModuleId;
  return { runner: 'unit', file, titles, project: '', message: message.join('\n\n'), evidence: [] };
}

const hasEnded = (module: TestModule): boolean => ['passed', 'failed', 'skipped'].includes(module.state());

/** Errors of the file itself and of its suites: it could not be loaded, or a hook of it failed. */
const moduleErrors = (module: TestModule): string[] =>
  [module, ...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`),
  );

const durationOf = (test: TestCase): number => test.diagnostic()?.duration ?? 0;

export default class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failedTests = tests.filter((test) => test.result().state === 'failed').map(failedTest);
    const failures = [
      ...failedTests.map(({ file, titles, message }) => `${file}: ${titles.join(' > ')}: ${firstLine(message)}`),
      ...modules.flatMap(moduleErrors),
      // The process that ran it died.
      ...modules.filter((module) => !hasEnded(module)).map((module) => `${module.relativeModuleId}: did not end`),
      ...unhandledErrors.map(({ message }) => `outside of any test: ${firstLine(message)}`),
    ];
    const report: UnitReport = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: failures.length,
      failures,
      failedTests,
      timed: tests
        .sort((a, b) => durationOf(b) - durationOf(a))
        .slice(0, SLOWEST)
        .map((test) => ({ name: `${test.module.relativeModuleId}: ${test.name}`, durationMs: durationOf(test) })),
    };
    writeFileSync(process.env[REPORT_VARIABLE]!, JSON.stringify(report));
  }
}
