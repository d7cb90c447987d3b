// Long INSERT statements of other programs, which come in pieces: all of their rows are kept, or none.
import { describe, expect, test } from 'vitest';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const TABLES: Readonly<Record<SqlDialect, string>> = {
  sqlite: 'PRAGMA foreign_keys=OFF;\nCREATE TABLE t (a INTEGER PRIMARY KEY, b);\n',
  mysql: '-- MySQL dump 10\nCREATE TABLE `t` (`a` int PRIMARY KEY, `b` text) ENGINE=InnoDB;\n',
  postgresql: '-- PostgreSQL database dump\nCREATE TABLE t (a integer PRIMARY KEY, b text);\n',
  tsql: 'SET ANSI_NULLS ON\nGO\nCREATE TABLE [dbo].[t] ([a] [int] PRIMARY KEY, [b] [nvarchar](40))\nGO\n',
};
const ROWS = 30_000;
/** Rows of the dialect sqlite are not all literals, so that SQLite has to read them. */
const rows = (from: number, dialect: SqlDialect = 'sqlite'): string =>
  Array.from({ length: ROWS }, (_, at) => `(${from + at},${dialect === 'sqlite' ? 'lower' : ''}('row ${at}'))`).join(
    ',',
  );
const end = (dialect: SqlDialect): string => (dialect === 'tsql' ? '\nGO\n' : ';\n');
const insert = (dialect: SqlDialect, values: string, table = 't'): string =>
  `INSERT INTO ${table} VALUES ${values}${end(dialect)}`;

describe.each(PLACES)('on the %s engine', (_, place) => {
  test.each(Object.keys(TABLES) as SqlDialect[])('rows of %s', async (dialect) => {
    const { connection, contents } = await opened(
      place,
      `${TABLES[dialect]}${insert(dialect, rows(0, dialect))}${insert(dialect, `${rows(ROWS, dialect)},(7,'taken')`)}${insert(dialect, "(-1,'last')")}`,
    );
    expect(contents.sql!.dialect).toBe(dialect);
    expect(connection.all('SELECT count(*), min(a), max(a), min(b), max(b) FROM t')).toEqual([
      [ROWS + 1, -1, ROWS - 1, 'last', 'row 9999'],
    ]);
    expect(contents.sql!.statements).toMatchObject([
      {
        line: dialect === 'tsql' ? 7 : 4,
        reason: 'Another row of “t” already has this “a”.',
        text: expect.stringMatching(/^INSERT.*…$/),
      },
    ]);
  });

  test('a table that the file does not define is made for them', async () => {
    const { connection, contents } = await opened(place, insert('sqlite', rows(0), 'u (a, b)'), { dialect: 'sqlite' });
    expect(connection.all('SELECT count(*) FROM u')).toEqual([[ROWS]]);
    expect(contents.sql!.statements).toEqual([]);
  });

  test('FAIL keeps the rows before the one that fails, as in SQLite', async () => {
    const table = 'CREATE TABLE t (a INTEGER PRIMARY KEY ON CONFLICT FAIL, b);\n';
    const { connection } = await opened(place, `${table}${insert('sqlite', `${rows(0)},(7,8),(-1,2)`)}`, {
      dialect: 'sqlite',
    });
    expect(connection.all('SELECT count(*), min(a) FROM t')).toEqual([[ROWS, 0]]);
  });
});
