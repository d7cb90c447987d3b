import { describe, expect, test } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { copyRows } from './copy-rows.ts';
import { endlessTurn, finish, testEngines } from './engines.test-suite.ts';
import { Work } from './work.ts';

/** Claims that the types are the same, so that every value has to be. */
const claim = (shape: TableShape): TableShape => ({
  ...shape,
  columns: shape.columns.map((column) => ({ ...column, declaredType: '' })),
});

function copy(connection: Connection, before: string, after: string, rows: string): unknown {
  connection.run(`CREATE TABLE o (${before}`);
  connection.run(`CREATE TABLE n (${after}`);
  if (rows !== '') connection.run(`INSERT INTO o VALUES ${rows}`);
  const [from, to] = [claim(describeTable(connection, 'o')), claim(describeTable(connection, 'n'))];
  const sources = to.columns.map(({ name }) => name);
  const work = new Work(endlessTurn(connection), () => undefined);
  return finish(copyRows(work, { table: 't', before: from, after: to, sources }));
}

describe.each(testEngines)('copied rows, $name', ({ open }) => {
  test.each([
    ['a number that became text', 'a INTEGER)', 'a TEXT)', '(1), (7)'],
    ['text that became a number', 'a TEXT)', 'a INTEGER)', "('x'), ('007')"],
    ['a real that became text', 'a, b REAL)', 'a, b TEXT)', '(1, 1.5)'],
    [
      'text that became a number, found by the key of the new table',
      'k, a TEXT)',
      'k PRIMARY KEY, a INTEGER) WITHOUT ROWID',
      "('k', '1')",
    ],
    [
      'the same, found by the key of the old one',
      'k PRIMARY KEY, a TEXT) WITHOUT ROWID',
      'k, a INTEGER)',
      "('k', '1'), ('l', 'x')",
    ],
    [
      'the same, where rows have no key in common',
      'rowid, _rowid_, oid, a TEXT)',
      'rowid, _rowid_, oid, a INTEGER)',
      "(1, 1, 1, '1')",
    ],
  ])('are held against what they were: %s', (_what, before, after, rows) => {
    const connection = open();
    expect(() => copy(connection, before, after, rows)).toThrow(/not the same/);
    connection.close();
  });

  test('are not given a row id where they have NULL', () => {
    const connection = open();
    const attempt = () => copy(connection, 'a, b)', 'a INTEGER PRIMARY KEY, b)', "(NULL, 'x'), (3, 'y')");
    expect(attempt).toThrow(/NULL in one row/);
    connection.close();
  });

  test.each([
    ['with row ids', 'a, b)', 'a, b)'],
    ['without', 'a PRIMARY KEY, b) WITHOUT ROWID', 'a PRIMARY KEY, b) WITHOUT ROWID'],
    ['that get some', 'a PRIMARY KEY, b) WITHOUT ROWID', 'a, b)'],
    ['that lose them', 'a, b)', 'a, b, PRIMARY KEY (b, a)) WITHOUT ROWID'],
    ['with a key of another type', 'a PRIMARY KEY, b) WITHOUT ROWID', 'a TEXT PRIMARY KEY, b) WITHOUT ROWID'],
    [
      'with a key in another order and collation',
      'a COLLATE NOCASE PRIMARY KEY, b) WITHOUT ROWID',
      'a, b, PRIMARY KEY (a COLLATE BINARY DESC)) WITHOUT ROWID',
    ],
  ])('are all there: %s', (_what, before, after) => {
    const connection = open();
    const rows = Array.from(
      { length: 3000 },
      (_, at) => `(x'${at.toString(16).padStart(6, '0')}', ${at % 3 === 0 ? 'NULL' : `'${at}'`})`,
    );
    const isKeyed = after.includes('b, a');
    const values = isKeyed ? rows.map((row) => row.replace('NULL', '0.5')) : rows;
    expect(copy(connection, before, after, values.join(', '))).toMatchObject({ rowsBefore: 3000, rowsAfter: 3000 });
    connection.close();
  });
});
