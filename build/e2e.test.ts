import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { playwrightOutcome } from './e2e.ts';

let folder: string;
let report: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-report-'));
  report = join(folder, 'report.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(content: unknown): void {
  writeFileSync(report, JSON.stringify(content));
}

const STATS = { expected: 5, unexpected: 0, flaky: 0, skipped: 3 };
const spec = (title: string, result: object, status = 'unexpected') => ({
  title,
  tests: [{ projectName: 'electron', status, results: [{ duration: 90, status: 'failed', ...result }] }],
});

test('counts tests, and errors outside of any test', () => {
  write({ suites: [], stats: { ...STATS, unexpected: 1, flaky: 1 }, errors: [{}] });
  // One that passed on a second try has failed, too.
  expect(playwrightOutcome(report, 1)).toEqual({ passed: 5, failed: 3, failedTests: [], timed: [] });
});

test('a run that ends with a failure and names none, or writes no report, failed once', () => {
  expect(playwrightOutcome(report, 0)).toMatchObject({ passed: 0, failed: 1, failedTests: [] });
  write({ suites: [], stats: STATS, errors: [] });
  expect(playwrightOutcome(report, 1)).toMatchObject({ passed: 5, failed: 1, failedTests: [] });
  expect(playwrightOutcome(report, 0)).toMatchObject({ passed: 5, failed: 0 });
});

test('tells what failed where, what it said, and what it left', () => {
  const failed = spec('adds', {
    errors: [{ message: 'expected 2' }],
    attachments: [
      { name: 'messages-1', body: Buffer.from('Saved').toString('base64') },
      { name: 'trace', path: join(folder, 'a-adds', 'attachments', 'trace.zip') },
      { name: 'log', path: join(folder, 'a-adds', 'log.txt') },
    ],
  });
  const suites = [{ title: 'in place', file: 'a.spec.ts', specs: [failed] }];
  write({
    suites: [
      { title: 'a.spec.ts', file: 'a.spec.ts', specs: [spec('opens', { status: 'passed' }, 'expected')], suites },
    ],
    stats: { ...STATS, unexpected: 1 },
    errors: [],
  });
  const { failedTests, timed } = playwrightOutcome(report, 1);
  expect(failedTests).toEqual([
    {
      runner: 'e2e',
      file: 'a.spec.ts',
      titles: ['in place', 'adds'],
      project: 'electron',
      message: 'expected 2\n\nmessages-1:\nSaved',
      evidence: [join(folder, 'a-adds')],
    },
  ]);
  expect(timed.map(({ name }) => name)).toEqual(['a.spec.ts: opens', 'a.spec.ts: adds']);
});

test('a test that ended with its process or with the run did not fail by itself', () => {
  const specs = [
    spec('crashed', { errors: [{ message: 'Error: worker process exited unexpectedly (code=1, signal=null)' }] }),
    spec('interrupted', { status: 'interrupted' }),
    spec('too slow', { status: 'timedOut' }),
  ];
  write({
    suites: [{ title: 'a.spec.ts', file: 'a.spec.ts', specs }],
    stats: { ...STATS, unexpected: 3 },
    errors: [],
  });
  const { failed, failedTests } = playwrightOutcome(report, 1);
  expect(failed).toBe(3);
  expect(failedTests.map(({ titles }) => titles)).toEqual([['too slow']]);
});
