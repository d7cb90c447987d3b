import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { playwrightCounts, slowestTests, unitCounts } from './counts.ts';

let folder: string;
let report: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-counts-'));
  report = join(folder, 'report.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(content: unknown): void {
  writeFileSync(report, JSON.stringify(content));
}

test('counts unit tests', () => {
  write({ passed: 2, failures: ['a.test.ts: adds: expected 2 to be 3'] });
  expect(unitCounts(report, 1)).toEqual({ passed: 2, failed: 1 });
});

test('counts end-to-end tests, and errors outside of any test', () => {
  write({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 3 }, errors: [{}] });
  // One that passed on a second try has failed, too.
  expect(playwrightCounts(report, 1)).toEqual({ passed: 5, failed: 3 });
});

test('a runner that fails without naming a failure, or writes no report, failed once', () => {
  expect(unitCounts(report, 0)).toEqual({ passed: 0, failed: 1 });
  write({ stats: { expected: 5, unexpected: 0, flaky: 0, skipped: 0 }, errors: [] });
  expect(playwrightCounts(report, 1)).toEqual({ passed: 5, failed: 1 });
  expect(playwrightCounts(report, 0)).toEqual({ passed: 5, failed: 0 });
});

test('names the slowest tests, longest first, wherever they are nested', () => {
  const spec = (title: string, duration: number) => ({ title, tests: [{ results: [{ duration }] }] });
  write({
    suites: [
      { file: 'a.spec.ts', specs: [spec('quick', 90), spec('slow', 61_000)], suites: [] },
      { file: 'b.spec.ts', specs: [], suites: [{ file: 'b.spec.ts', specs: [spec('nested', 2_500)] }] },
    ],
  });
  expect(slowestTests(report, 2)).toEqual(['  61.0 s  a.spec.ts: slow', '   2.5 s  b.spec.ts: nested']);
  expect(slowestTests(join(folder, 'missing.json'), 2)).toEqual([]);
});
