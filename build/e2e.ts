// `npm run e2e [FILTER …] [--smoke] [--stress] [--repeat N]`: Playwright on the real app under virtual screens, and on the browser version in
// Debian's Chromium. What it does not know itself it passes on to Playwright.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, basename, dirname } from 'node:path';
import { ensureBundle } from './bundle.ts';
import { slowestTests, type Outcome, NOTHING, withExitCode } from './counts.ts';
import type { FailedTest, TimedTest } from './counts.ts';
import { readEndToEndOptions } from './e2e-options.ts';
import { freePort } from './free-port.ts';
import { COMPILED_BY_NODE, DIST, freshReport } from './paths.ts';
import { describeRuntime, resolveRuntime } from './runtime.ts';
import { openVirtualScreen, type Screen } from './screen.ts';
import { startStress } from './stress.ts';
import { command, runTool } from './tool.ts';

/**
 * Apps that run side by side. Each has a screen of its own, for a screen has one focus and one clipboard. One more than there are processors,
 * because a story waits for a part of its time: for frames, for polls, for processes to start and to end.
 */
const SCREENS = availableParallelism() + 1;

export async function runEndToEndTests(args: readonly string[], reportName = 'e2e.json'): Promise<Outcome> {
  const { stress, playwrightArgs } = readEndToEndOptions(args);
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  console.log(describeRuntime(runtime));
  const screens = process.platform === 'linux' ? await openScreens() : [];
  const report = freshReport(reportName);
  const stopStress = stress ? startStress() : null;
  const exitCode = await runTool('playwright', ['test', '--reporter=list,json', ...playwrightArgs], {
    // Lets Playwright start it by its own default way, which hooks in before the app is ready.
    ELECTRON_OVERRIDE_DIST_PATH: runtime.folder,
    NODE_COMPILE_CACHE: COMPILED_BY_NODE,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Kept for the next run, and out of the temporary folder, where tests leave nothing.
    PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(DIST, 'cache', 'playwright'),
    SIDELITE_SCREENS: screens.map(({ display }) => display).join(' '),
    WAYLAND_DISPLAY: '',
    SIDELITE_WEB_PORT: process.env['SIDELITE_WEB_PORT'] ?? String(await freePort()),
  });
  stopStress?.();
  for (const screen of screens) screen.close();
  return playwrightOutcome(report, exitCode);
}

function openScreens(): Promise<Screen[]> {
  return Promise.all(Array.from({ length: SCREENS }, () => openVirtualScreen()));
}

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

/** The report that Playwright writes: counts, the tests that failed with what they left, and how long each took. */
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

await command(import.meta, async (args) => {
  const { failed, timed } = await runEndToEndTests(args);
  const slowest = slowestTests(timed, 10);
  if (slowest.length > 1) console.log(['\nSlowest tests:', ...slowest].join('\n  '));
  return failed > 0 ? 1 : 0;
});
