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

test.each([
  ['sqlite', 'CREATE TABLE "n\xff" (a DEFAULT \'x\');'],
  ['mysql', "CREATE TABLE `n\xff` (a varchar(9) DEFAULT 'x');"],
  ['postgresql', 'CREATE TABLE public."n\xff" (a text DEFAULT \'x\');'],
  ['tsql', "CREATE TABLE [dbo].[n\xff] (a nvarchar(9) DEFAULT 'x');\nGO"],
] as const)('bytes of a name in %s that are no character are said once', async (dialect, sql) => {
  const notesOf = async (text: string): Promise<readonly string[]> => {
    const options = { dialect, encoding: 'utf-8', existing: new Map() };
    const reader = await readDump(bytesSource(Buffer.from(text, 'latin1'), 'dump.sql'), options, () => undefined);
    for (let step = await reader.next(); step !== null; step = await reader.next());
    return reader.finish().notes.filter((note) => note.includes('U+FFFD'));
  };
  expect(await notesOf(`-- A dump\n${sql}\n${sql.replace('n\xff', 'm\xff')}\n`)).toEqual([
    'The statement in line 2 is the first with a name, a default or a comment whose bytes are no character in utf-8: they became “\u{FFFD}” (U+FFFD). Choose another encoding if it is not that of the file.',
  ]);
  expect(await notesOf(`${sql.replace('\xff', '\xc3\xbc')}\n`)).toEqual([]);
  expect(await notesOf(`${sql.replace('\xff', '\xef\xbf\xbd')}\n`)).toEqual([]);
  // A default keeps its bytes.
  expect(await notesOf(`${sql.replace('\xff', '').replace("'x'", "'x\xff'")}\n`)).toEqual([]);
});
