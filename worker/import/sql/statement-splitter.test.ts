import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import type { SqlItem } from './sql-items.ts';
import { StatementSplitter } from './statement-splitter.ts';

function split(text: string, dialect: SqlDialect, chunk: number): readonly unknown[] {
  const splitter = new StatementSplitter(dialect);
  const items: SqlItem[] = [];
  for (let at = 0; at <= text.length; at += chunk) {
    splitter.feed([text.slice(at, at + chunk)], at + chunk > text.length);
    for (let item = splitter.next(); item; item = splitter.next()) items.push(item);
  }
  // Rows come as they are read; what follows a statement is a hint.
  const rows = items.filter(({ kind }) => kind === 'rows');
  return [
    ...items.filter(({ kind }) => kind !== 'rows').map(({ kind, text: own, line }) => [kind, own, line]),
    rows.map(({ text: own }) => own).join(''),
  ];
}

const SQLITE = `-- a; comment\n/* and ; another */ CREATE TABLE t (a, "b;""", [c;], \`d;\`);
.mode list
INSERT INTO t VALUES ('it''s; --', 1), ('/*', 2);;
CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE WHEN 1 THEN ';' END; DELETE FROM t; -- end;
END;
CREATE /*${' long'.repeat(300)} */ TRIGGER h AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END;
INSERT INTO t VALUES (1-2, 3/4); COMMIT`;
const MYSQL = `# first; line
/*!40101 SET NAMES utf8 */;
INSERT INTO \`t;\` VALUES ('a\\';', "b\\";", 'c\\\\'), (1--2); -- why;
DELIMITER ;;
CREATE TRIGGER t BEGIN SELECT 1; SELECT 2; END;;
DELIMITER ;
SELECT 1;`;
const POSTGRES = `\\restrict x
CREATE FUNCTION f() AS $a$ ; $$ ; $a$; SELECT $1, 'a\\', E'b\\';';
COPY t (a) FROM stdin;
1\\n;\t'
\\N
\\.

SELECT "a;";`;

const CASES: readonly (readonly [SqlDialect, string, number])[] = [
  ['sqlite', SQLITE, 7],
  ['mysql', MYSQL, 4],
  ['postgresql', POSTGRES, 5],
];

describe.each(CASES)('statements of %s', (dialect, text, count) => {
  test('are the same however the file is cut into pieces', () => {
    const whole = split(text, dialect, text.length + 1);
    expect(whole).toHaveLength(count + 1);
    for (const chunk of [1, 2, 3, 4, 5, 6, 7, 64]) expect(split(text, dialect, chunk)).toEqual(whole);
  });

  test('of random text are the same in pieces, and none is lost', () => {
    const unit = fc.constantFrom(
      "'",
      '"',
      '`',
      '[',
      ']',
      ';',
      '-',
      '-',
      '/',
      '*',
      '\n',
      '\\',
      '$',
      '.',
      'a',
      'E',
      ' ',
      '#',
      '!',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (random, chunk) => {
        expect(split(random, dialect, chunk)).toEqual(split(random, dialect, random.length + 1));
      }),
      { seed: 3, numRuns: seedCount(3000) },
    );
  });
});

test('lines are counted through everything that is passed over', () => {
  const items = split('\n-- x\n\nSELECT 1;\n/* \n */ SELECT\n2;\n', 'sqlite', 3);
  expect(items.slice(0, 2)).toEqual([
    ['statement', 'SELECT 1', 4],
    ['statement', 'SELECT\n2', 6],
  ]);
});

test.each([
  ['mysql', 'DELIMITER ;\n'],
  ['tsql', 'GO\n'],
] as const)('any number of lines for the program of %s may follow each other', (dialect, line) => {
  const splitter = new StatementSplitter(dialect);
  splitter.feed([`${line.repeat(100_000)}INSERT INTO t VALUES (1);`], true);
  expect(splitter.next()).toMatchObject({ text: 'INSERT INTO t VALUES (1)', line: 100_001 });
});

const TSQL = `GO 2
/* batch */GO
USE [a;b]
GO -- one
CREATE TABLE [dbo].[t](
	[a]]b] int, -- GO
	[GO] int,
print int
)
INSERT [t] VALUES (N'x
INSERT', 1)
UPDATE t
SET a = 1
INSERT INTO t SELECT 1; INSERT INTO t
VALUES (2)
go
CREATE PROCEDURE p AS
BEGIN
INSERT INTO t VALUES (1);
END
GO 5
SET x ON`;

test('statements of SQL Server end at a semicolon, before a line that begins another one, and with their batch', () => {
  const whole = split(TSQL, 'tsql', TSQL.length + 1);
  expect(whole.slice(0, -1).map((item) => (item as unknown[]).slice(1))).toEqual([
    ['GO 2', 1],
    ['USE [a;b]', 3],
    ['CREATE TABLE [dbo].[t](\n\t[a]]b] int, -- GO\n\t[GO] int,\nprint int\n)', 5],
    ["INSERT [t] VALUES (N'x\nINSERT', 1)", 10],
    ['UPDATE t\nSET a = 1', 12],
    ['INSERT INTO t SELECT 1', 14],
    ['INSERT INTO t\nVALUES (2)', 14],
    ['CREATE PROCEDURE p AS\nBEGIN\nINSERT INTO t VALUES (1);\nEND', 17],
    ['GO 5', 21],
    ['SET x ON', 22],
  ]);
  for (const chunk of [1, 2, 3, 5, 7, 64]) expect(split(TSQL, 'tsql', chunk)).toEqual(whole);
});

test('a parenthesis that is never closed holds up no statement after its own', () => {
  const items = split('PRINT (;\nSET a ON\nSET b ON', 'tsql', 64);
  expect(items.slice(0, -1).map((item) => (item as unknown[])[1])).toEqual(['PRINT (', 'SET a ON', 'SET b ON']);
});
