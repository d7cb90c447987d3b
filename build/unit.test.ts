import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NOTHING } from './counts.ts';
import type { UnitReport } from './unit-reporter.ts';
import { unitOutcome } from './unit.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-unit-'));
  file = join(folder, 'report.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('takes what the reporter has written', () => {
  const report: UnitReport = { ...NOTHING, passed: 2, failed: 1, failures: ['a.test.ts: adds: expected 2 to be 3'] };
  writeFileSync(file, JSON.stringify(report));
  expect(unitOutcome(file, 1)).toEqual(report);
});

it('a run that fails without naming a failure, or writes no report, failed once', () => {
  expect(unitOutcome(file, 0)).toMatchObject({ passed: 0, failed: 1, failedTests: [] });
  writeFileSync(file, JSON.stringify({ ...NOTHING, passed: 5, failures: [] } satisfies UnitReport));
  expect(unitOutcome(file, 1)).toMatchObject({ passed: 5, failed: 1, failedTests: [] });
  expect(unitOutcome(file, 0)).toMatchObject({ passed: 5, failed: 0 });
});
