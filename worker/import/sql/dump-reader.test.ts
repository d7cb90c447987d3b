// Tests the steps that a file of SQL becomes: whether its last statement is one, which SQLite is not asked where the text itself shows it.
import { expect, test } from 'vitest';
import { bytesSource } from '../read-all.test-suite.ts';
import { readDump } from './dump-reader.ts';
import { CUT_OFF } from './dump-steps.ts';
import type { DumpStep } from './dump-steps.ts';

async function lastStep(text: string): Promise<DumpStep | null> {
  const options = { dialect: 'sqlite', encoding: null, existing: new Map() } as const;
  const reader = await readDump(bytesSource(text, 'dump.sql'), options, () => undefined);
  let last: DumpStep | null = null;
  for (let step = await reader.next(); step !== null; step = await reader.next()) last = step;
  reader.close();
  return last;
}

test.each([
  ["INSERT INTO t VALUES ('it''s x", true],
  ['INSERT INTO "t x', true],
  ['INSERT INTO [t x', true],
  ["INSERT INTO t VALUES (x'00", true],
  ['INSERT INTO t VALUES (1,', true],
  ["UPDATE t SET a = 'x'", false],
  ['SELECT 1 -- one', false],
  // A comment that is never closed is one for SQLite, too.
  ['SELECT 1 /* one', false],
  ['SELECT 1 FROM [t]', false],
  ["UPDATE t SET a = 'x' || (1)  ", false],
])('the file ends with %s', async (statement, isCutOff) => {
  const head = 'CREATE TABLE t (a);\n';
  const step = await lastStep(head + statement);
  expect(step).toMatchObject({ kind: 'action', isOpen: true });
  expect(step?.kind === 'action' && step.action.do === 'refuse' && step.action.reason === CUT_OFF).toBe(isCutOff);
});
