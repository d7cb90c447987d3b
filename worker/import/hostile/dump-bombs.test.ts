// Hostile dumps: what is not ended is not kept beyond the limit, and what is ended costs itself.
import { expect, test } from 'vitest';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { textBytes } from '../byte-sources.ts';
import { READING_LIMITS } from '../reading-limits.ts';
import { detectDialect } from '../sql/detect-dialect.ts';
import type { InsertedRecords, SqlItem } from '../sql/sql-items.ts';
import { beginningOf, SqlText } from '../sql/sql-text.ts';
import { tokensOf } from '../sql/tokens.ts';
import { DUMP_BOMBS } from './bombs.test-suite.ts';

const LIMITS = { ...READING_LIMITS, statementBytes: 2 << 20 };
const BYTES = 12 << 20;
const DIALECTS: Readonly<Record<string, SqlDialect>> = {
  sqlite: 'sqlite',
  mysql: 'mysql',
  postgres: 'postgresql',
  tsql: 'tsql',
};

const lengthOf = (item: SqlItem | InsertedRecords): number =>
  (item.kind === 'records' ? item.source : item.text).length;

test.each(DUMP_BOMBS.map((bomb) => [bomb.name, bomb] as const))('%s', async (name, { source }) => {
  const file = source(BYTES);
  const head = await file.read(0, 64 * 1024);
  const { dialect } = detectDialect(beginningOf(head, 'utf-8'));
  expect(dialect).toBe(DIALECTS[name.split(' ')[0]!]);
  const text = new SqlText(file, 'utf-8', dialect, { limits: LIMITS });
  let longest = 0;
  do for (let item = text.next(); item !== null; item = text.next()) longest = Math.max(longest, lengthOf(item));
  while (await text.more());
  expect(longest).toBeLessThan(LIMITS.statementBytes * 2);
  // Either all of it was read in pieces, or reading ended soon after the limit.
  if (text.tooLong > 0) expect(text.bytesRead).toBeLessThan(LIMITS.statementBytes * 4);
  else expect(text.bytesRead).toBe(file.sizeBytes);
});

test('a statement of millions of values is refused before they are all in memory', () => {
  expect(() => tokensOf(`INSERT INTO t VALUES ${'(1),'.repeat(400_000)}`, 'postgresql')).toThrow(
    /more than 1,048,576 words and values.*\. Write the dump with shorter statements\.$/,
  );
});

test('semicolons in the body of a trigger that does not end do not take a scan each', async () => {
  const body = '; x '.repeat(400_000);
  const text = new SqlText(textBytes(`CREATE TRIGGER a AFTER INSERT ON t BEGIN ${body}`, 'a.sql'), 'utf-8', 'sqlite');
  let statements = 0;
  do for (let item = text.next(); item !== null; item = text.next()) statements++;
  while (await text.more());
  expect(statements).toBe(1);
});

test('a BLOB of 50 MB is read with its statement', async () => {
  const digits = 'ab'.repeat(50 << 20);
  const text = new SqlText(textBytes(`INSERT INTO t VALUES(X'${digits}');\nSELECT 1;`, 'a.sql'), 'utf-8', 'sqlite');
  const lengths: number[] = [];
  do for (let item = text.next(); item !== null; item = text.next()) lengths.push(lengthOf(item));
  while (await text.more());
  expect(text.tooLong).toBe(0);
  expect(lengths).toEqual([digits.length + "INSERT INTO t VALUES(X'');".length, 'SELECT 1'.length]);
});
