// Writes the report of a unit test run: the counts, and in words what failed, errors outside of any test included.
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

export interface UnitReport {
  readonly passed: number;
  /** A line for each test that failed, and for whatever else ended the run with a failure. */
  readonly failures: readonly string[];
}

/** Name of the environment variable with the path of the report. */
export const REPORT_VARIABLE = 'SIDELITE_UNIT_REPORT';

const firstLine = (text = 'no message'): string => text.split('\n', 1)[0]!.slice(0, 200);

const describeTest = (test: TestCase): string =>
  `${test.module.relativeModuleId}: ${test.fullName}: ${firstLine(test.result().errors?.[0]?.message)}`;

const hasEnded = (module: TestModule): boolean => ['passed', 'failed', 'skipped'].includes(module.state());

/** Errors of the file itself and of its suites: it could not be loaded, or a hook of it failed. */
const moduleErrors = (module: TestModule): string[] =>
  [module, ...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`),
  );

export default class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const report: UnitReport = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failures: [
        ...tests.filter((test) => test.result().state === 'failed').map(describeTest),
        ...modules.flatMap(moduleErrors),
        // The process that ran it died.
        ...modules.filter((module) => !hasEnded(module)).map((module) => `${module.relativeModuleId}: did not end`),
        ...unhandledErrors.map(({ message }) => `outside of any test: ${firstLine(message)}`),
      ],
    };
    writeFileSync(process.env[REPORT_VARIABLE]!, JSON.stringify(report));
  }
}
