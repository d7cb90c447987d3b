import { expect, test } from 'vitest';
import { parseObject, type ObjectModel } from '#shared/ddl/parse-object.ts';
import { STRICT_TAKES, unfinishedReason } from './unfinished.ts';

const read = (sql: string): ObjectModel => parseObject(sql) as ObjectModel;

test('columns of a STRICT table with types that it does not take are named, with those that it takes', () => {
  const reason = (columns: string): string | null => unfinishedReason(read(`CREATE TABLE t (${columns}) STRICT`));
  expect(STRICT_TAKES).toBe('A STRICT table takes only the types INT, INTEGER, REAL, TEXT, BLOB, and ANY.');
  expect(reason('a INT, b text')).toBe(null);
  expect(reason('a INT, b NVARCHAR(160)')).toBe(`${STRICT_TAKES} “b” is NVARCHAR(160).`);
  expect(reason('a DATE, b')).toBe(`${STRICT_TAKES} “a” is DATE and “b” has no type.`);
  expect(reason('a DATE, b DATE, c DATE')).toBe(`${STRICT_TAKES} “a” is DATE, “b” is DATE, and “c” is DATE.`);
  expect(reason('a DATE, b DATE, c DATE, d DATE')).toBe(
    `${STRICT_TAKES} “a” is DATE, “b” is DATE, and 2 more columns have other types.`,
  );
  expect(unfinishedReason(read('CREATE TABLE t (a DATE)'))).toBe(null);
  expect(unfinishedReason(read('CREATE INDEX i ON t (a)'))).toBe(null);
});

test('a foreign key without a table is named by its columns', () => {
  const reason = (sql: string): string | null => unfinishedReason(read(sql));
  expect(reason('CREATE TABLE t (a INT, b INT REFERENCES "")')).toBe(
    'Choose the table that the foreign key of “b” refers to.',
  );
  expect(reason('CREATE TABLE t (a INT, b INT, FOREIGN KEY (a, b) REFERENCES "")')).toBe(
    'Choose the table that the foreign key of “a”, “b” refers to.',
  );
  expect(reason('CREATE TABLE t (a INT, b INT REFERENCES t)')).toBe(null);
});
