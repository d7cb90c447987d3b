// How many tests passed and failed, read from the reports the runners write.
import { existsSync, readFileSync } from 'node:fs';
import type { UnitReport } from './unit-reporter.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** A check that either holds or does not counts as one test. */
export function one(ok: boolean): Counts {
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

export function unitCounts(reportFile: string, exitCode: number): Counts {
  return countsOf(reportFile, exitCode, ({ passed, failures }: UnitReport) => ({ passed, failed: failures.length }));
}

/** Returns none if the runner wrote no report. */
export const unitFailures = (reportFile: string): readonly string[] =>
  existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as UnitReport).failures : [];

interface PlaywrightSuite {
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly unknown[];
}

export function playwrightCounts(reportFile: string, exitCode: number): Counts {
  return countsOf(reportFile, exitCode, ({ stats, errors }: PlaywrightReport) => ({
    passed: stats.expected,
    // A test that failed once and then passed has failed.
    failed: stats.unexpected + stats.flaky + errors.length,
  }));
}

/** A line for each of the tests that took longest, longest first; none where the runner wrote no report. */
export function slowestTests(reportFile: string, count: number): string[] {
  if (!existsSync(reportFile)) return [];
  const { suites } = JSON.parse(readFileSync(reportFile, 'utf8')) as PlaywrightReport;
  return suites
    .flatMap(timedTests)
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, count)
    .map(({ name, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

function timedTests({ file, specs, suites = [] }: PlaywrightSuite): { name: string; durationMs: number }[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ duration }) => ({ name: `${file}: ${title}`, durationMs: duration })),
    ),
  );
  return [...own, ...suites.flatMap(timedTests)];
}

/** A runner that failed without counting a failure (it crashed, or found no tests) still failed once. */
function countsOf<Report>(reportFile: string, exitCode: number, count: (report: Report) => Counts): Counts {
  if (!existsSync(reportFile)) return one(false);
  const counts = count(JSON.parse(readFileSync(reportFile, 'utf8')) as Report);
  return exitCode !== 0 && counts.failed === 0 ? add(counts, one(false)) : counts;
}
