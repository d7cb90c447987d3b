import { describe, expect, test } from 'vitest';
import type { MadeTable } from './rewriting.ts';
import type { SqlAction, SqlTranslator } from './translator.ts';
import { translatorOf } from './translators.ts';

const translator = (): SqlTranslator =>
  translatorOf('tsql', {
    beginning: '',
    encoding: 'utf-8',
    isDecodedLater: false,
    existing: new Map([['known', [{ name: 'a', holds: 'text', isGenerated: false }]]]),
  });

/** The actions for statements of one file. */
function translated(...texts: readonly string[]): { readonly actions: readonly SqlAction[]; readonly notes: string } {
  const sql = translator();
  for (const text of texts) sql.see!(text);
  return { actions: texts.map((text) => sql.translate(text)), notes: sql.notes.join(' ') };
}

describe('statements', () => {
  test.each([
    ['DROP TABLE IF EXISTS [dbo].[a], [x].[b]', 'DROP TABLE IF EXISTS "a"', 'DROP TABLE IF EXISTS "x_b"'],
    ['DROP VIEW v', 'DROP VIEW IF EXISTS "v"'],
    ['BEGIN TRAN', 'BEGIN'],
    ['COMMIT TRAN', 'COMMIT'],
    ['ROLLBACK', 'ROLLBACK'],
    ['TRUNCATE TABLE [dbo].[t]', 'DELETE FROM "t"'],
    ['DELETE FROM [dbo].[t] WHERE a = 1', 'DELETE FROM "t" WHERE a = 1'],
    ['UPDATE dbo.t SET a = 1', 'UPDATE t SET a = 1'],
    ['CREATE VIEW [x].[v] AS SELECT a FROM dbo.t', 'CREATE VIEW "x_v" AS SELECT a FROM t'],
    ['INSERT INTO dbo.t SELECT a FROM dbo.s', 'INSERT INTO "t" SELECT a FROM s'],
    ['INSERT [x].[t] ([a], b) SELECT 1, 2', 'INSERT INTO "x_t" ("a", "b") SELECT 1, 2'],
    [
      'CREATE UNIQUE INDEX i ON dbo.t (a DESC) INCLUDE (b) WHERE a IS NOT NULL WITH (X = ON)',
      'CREATE UNIQUE INDEX "i" ON "t" (a DESC) WHERE a IS NOT NULL',
    ],
    ['CREATE INDEX i ON [x].[t] (a) ON [PRIMARY]', 'CREATE INDEX "i" ON "x_t" (a)'],
  ])('%s is run', (text, ...sql) => {
    expect(translated(text).actions).toEqual([{ do: 'run', sql }]);
  });

  test.each([
    'SET NOCOUNT ON',
    'USE [shop]',
    'DROP DATABASE d',
    'ALTER DATABASE d SET X ON',
    "EXEC sys.sp_addextendedproperty @name = N'a', @value = N'Set by the last UPDATE, for merge replication'",
    "EXECUTE [sys].[sp_dropextendedproperty] N'create'",
    'ALTER TABLE t NOCHECK CONSTRAINT c',
    'ALTER TABLE t CHECK CONSTRAINT c',
  ])('%s is a setting', (text) => {
    expect(translated(text).actions).toEqual([{ do: 'leave', group: expect.stringContaining('settings') as unknown }]);
  });

  test.each(['BEGIN', 'END'])('%s is where a block ends', (text) => {
    expect(translated(text).actions).toEqual([{ do: 'leave', group: expect.stringContaining('blocks') as unknown }]);
  });

  test.each([
    ['BEGIN TRY', 'has no programs'],
    ['SELECT 1', 'It is a query'],
    ['MERGE t', 'begins with “MERGE t”'],
    ['ALTER INDEX i ON t REBUILD', 'cannot change this.'],
    ['ALTER TABLE t ADD b int', 'cannot change an existing table'],
    ['ALTER TABLE t DROP COLUMN b', 'cannot change an existing table'],
    ["UPDATE t SET a = a + 'x'", 'joins texts with +'],
    ['CREATE TYPE x FROM int', 'something that SQLite does not have'],
    ['CREATE CLUSTERED COLUMNSTORE INDEX i ON t', 'no indexes of this kind'],
    ['CREATE TABLE t AS x', 'no list of columns'],
    ["INSERT t VALUES (N'a' + N'b')", 'One of its values'],
    ['INSERT t VALUES (CHAR(13) + CHAR(10))', 'One of its values'],
    ['IF NOT EXISTS (SELECT 1 FROM t) INSERT t VALUES (1)', 'depends on a condition'],
    ["EXEC('INSERT t VALUES (1)')", 'What it runs is not understood'],
    ["EXEC sp_rename 't', 'u'", 'What it runs is not understood'],
    ["EXEC('sp_addextendedproperty; INSERT t VALUES (1)')", 'What it runs is not understood'],
    ['INSERT t VALUES (CAST(0x12 AS DateTime2))', 'One of its values'],
    ['INSERT t VALUES (CAST(0x7FFFFFFF00000000 AS DateTime))', 'One of its values'],
    [`INSERT t VALUES (${'CAST('.repeat(20)}1${' AS int)'.repeat(20)})`, 'One of its values'],
  ])('%s is refused', (text, reason) => {
    expect(translated(text).actions).toEqual([{ do: 'refuse', reason: expect.stringContaining(reason) as unknown }]);
  });
});

test.each([
  ['12345678901234567890', "'12345678901234567890'"],
  ['((1))', '1'],
  ['(1)*(2)', '(1) * (2)'],
  ['1 + 2', '1 + 2'],
  ['0x1', "X'01'"],
  ['0x', "X''"],
  ['CAST(0x1234 AS binary(2))', "X'1234'"],
  ['CAST(CAST(1 AS int) AS int)', '1'],
  ['CAST(0xA7FA03C0 AS SmallDateTime)', "'2017-09-26 16:00:00.000'"],
  ['CAST(0xFFFFFFFF00000001 AS DateTime)', "'1899-12-31 00:00:00.003'"],
])('the value %s becomes %s', (value, sql) => {
  expect(translated(`INSERT t VALUES (${value})`).actions).toEqual([
    { do: 'run', sql: [`INSERT INTO "t" VALUES (${sql})`] },
  ]);
});

test('values of a table that exists are what its columns hold', () => {
  expect(translated('INSERT known VALUES (1.50), (DEFAULT)').actions).toEqual([
    { do: 'run', sql: [`INSERT INTO "known" ("a") VALUES ('1.50')`, 'INSERT INTO "known" DEFAULT VALUES'] },
  ]);
});

describe('tables', () => {
  const made = (columns: string, ...later: readonly string[]) => {
    const { actions, notes } = translated(`CREATE TABLE t (${columns})`, ...later);
    const [first, ...others] = actions;
    if (first?.do !== 'create-table') throw new Error(JSON.stringify(first));
    const { table, checks }: { table: MadeTable; checks: readonly string[] } = first;
    return {
      ...table,
      checks,
      notes,
      others,
      columns: table.columns.map(({ name, type, rest }) => name + ' ' + type + rest),
    };
  };

  test.each([
    ['smallmoney', 'DECIMAL(10, 4)'],
    ['money', 'TEXT'],
    ['decimal', 'TEXT'],
    ['decimal(16, 2)', 'TEXT'],
    ['numeric(15, 2)', 'numeric(15, 2)'],
    ['double precision', 'double precision'],
    ['[sys].[nvarchar](max)', 'TEXT'],
    ['char varying(3)', 'TEXT'],
    ['rowversion', 'BLOB'],
    ['bit', 'BOOLEAN'],
    ['int NOT NULL', 'int NOT NULL'],
    ['image UNIQUE CHECK (a > 0)', 'BLOB UNIQUE CHECK (a > 0)'],
    ['int REFERENCES dbo.o (id)', 'int REFERENCES "o" (id)'],
    ['int REFERENCES [x].o', 'int REFERENCES "x_o"'],
    ['datetime DEFAULT (getdate())', 'datetime DEFAULT CURRENT_TIMESTAMP'],
    ['int DEFAULT -1', 'int DEFAULT - 1'],
    ['int DEFAULT ((0)) NOT NULL', 'int DEFAULT 0 NOT NULL'],
    ['int DEFAULT (NULL)', 'int DEFAULT NULL'],
    ['AS (b + 1) PERSISTED', ' AS (b + 1) STORED'],
    ['AS (b * 2)', ' AS (b * 2)'],
  ])('a column of %s is one of %s', (declared, column) => {
    expect(made(`a ${declared}`).columns).toEqual([`a ${column}`]);
  });

  test('keys and constraints come from the columns, the table, and what is added to it', () => {
    expect(made('id int IDENTITY PRIMARY KEY, b int')).toMatchObject({ primaryKey: ['id'], counts: 'id' });
    const inTable =
      'a int, b int, CONSTRAINT p PRIMARY KEY (a, b), UNIQUE (b), CHECK (a > 0), FOREIGN KEY (a) REFERENCES [x].[o] (id) NOT FOR REPLICATION';
    const all = {
      primaryKey: ['a', 'b'],
      counts: null,
      constraints: ['UNIQUE ("b")', 'FOREIGN KEY (a) REFERENCES "x_o" (id)'],
      checks: ['CHECK (a > 0)'],
    };
    expect(made(inTable)).toMatchObject(all);
    const added = inTable.split(/, (?=CONSTRAINT|UNIQUE|CHECK|FOREIGN)/).slice(1);
    const later = added.map((constraint, at) => `ALTER TABLE t ${at % 2 === 0 ? 'WITH CHECK ' : ''}ADD ${constraint}`);
    const { others, ...table } = made('a int, b int', ...later);
    expect(table).toMatchObject(all);
    expect(others.map((action) => action.do)).toEqual(later.map(() => 'leave'));
  });

  test('defaults that are added later, or that SQLite lacks', () => {
    const { columns, notes } = made(
      'a int, b int DEFAULT (newid())',
      'ALTER TABLE t ADD CONSTRAINT d DEFAULT ((5)) FOR a',
    );
    expect(columns).toEqual(['a int DEFAULT 5', 'b int']);
    expect(notes).toBe('The default of the column “b”, newid (), was left out: SQLite does not have it.');
  });

  test('a row before a later default has NULL, and one after it the default', () => {
    const later = 'ALTER TABLE t ADD CONSTRAINT d DEFAULT ((5)) FOR [b]';
    const { others } = made(
      'a int, b int',
      'INSERT t (a) VALUES (1), (2)',
      'INSERT t (a) SELECT 3 UNION SELECT 4',
      'INSERT t VALUES (5, DEFAULT)',
      'INSERT t (B, a) VALUES (6, 6)',
      later,
      'INSERT t (a) VALUES (7)',
      'INSERT t VALUES (8, DEFAULT)',
    );
    expect(others.flatMap((action) => (action.do === 'run' ? action.sql : []))).toEqual([
      'INSERT INTO "t" ("a", "b") VALUES (1, NULL), (2, NULL)',
      'INSERT INTO "t" ("a", "b") SELECT *, NULL FROM (SELECT 3 UNION SELECT 4)',
      'INSERT INTO "t" ("a", "b") VALUES (5, NULL)',
      expect.stringMatching(/^INSERT INTO "t" \("b", "a"\) VALUES \(6, 6\)$/i) as unknown,
      'INSERT INTO "t" ("a") VALUES (7)',
      'INSERT INTO "t" ("a") VALUES (8)',
    ]);
  });

  test('computed columns that join texts are left out', () => {
    const { columns, notes } = made(
      "[b b] nvarchar(5), t nvarchar(5), c AS ([B b] + 1), d AS ('x' + 1), e AS (T + 1), f AS (tt + 3)",
    );
    expect(columns.map((column) => column.split(' ')[0])).toEqual(['b', 't', 'f']);
    for (const name of 'cde') expect(notes).toContain(`“t.${name}” was left out`);
  });

  test('values in the order of the table leave out columns that count or are computed', () => {
    const { others } = made('id int IDENTITY, a int, b AS (a * 2), c int', 'INSERT t VALUES (1, 2)');
    expect(others).toEqual([{ do: 'run', sql: ['INSERT INTO "t" ("a", "c") VALUES (1, 2)'] }]);
  });
});
