// Texts made to break the reader: very many columns, very long expressions, deep parentheses, names like SQL, NUL. No crash, linear time.
import { expect, test } from 'vitest';
import { LONG } from '../seed-count.test-suite.ts';
import { diffTable, identityByName } from './diff-table.ts';
import { setComment, setType } from './edit-columns.ts';
import { addColumn, dropColumn, moveColumn, renameColumn } from './edit-table.ts';
import { parseObject } from './parse-object.ts';
import { parseTable } from './parse-table.ts';
import type { TableModel } from './table-model.ts';

function table(sql: string): TableModel {
  const model = parseTable(sql);
  if (!model.understood) throw new Error(model.reason);
  return model;
}

function wide(columns: number): string {
  const list = Array.from(
    { length: columns },
    (_, index) => `  c${index} INTEGER NOT NULL DEFAULT 0 CHECK (c${index} >= 0) -- no ${index}\n`,
  );
  return `CREATE TABLE t(\n${list.join(', ')})`;
}

function longCheck(characters: number): string {
  return `CREATE TABLE t(a INT CHECK (${'a <> 12345 AND '.repeat(characters / 15)}1), b)`;
}

/**
 * How much longer one text takes than sixteen of a sixteenth of its size: the same when time is in proportion, 16 times when it is squared.
 * The best of several tries each, in turns, in time of the processor: by the clock, the longer text alone would wait for other processes.
 */
function growth(run: (sql: string) => void, make: (size: number) => string, size: number): number {
  const texts = [Array.from({ length: 16 }, () => make(size / 16)), [make(size)]];
  const best = [Infinity, Infinity];
  for (let round = 0; round < (LONG ? 8 : 5); round += 1) {
    for (const [index, each] of texts.entries()) {
      const started = process.cpuUsage();
      each.forEach(run);
      const { user, system } = process.cpuUsage(started);
      best[index] = Math.min(best[index]!, user + system);
    }
  }
  return best[1]! / best[0]!;
}

const EDITS: Readonly<Record<string, (model: TableModel) => string>> = {
  rename: (model) => renameColumn(model, 0, 'other'),
  'set type': (model) => setType(model, 1, 'TEXT'),
  'set comment': (model) => setComment(model, 1, 'x'),
  add: (model) => addColumn(model, 1, { sql: 'x' }),
  move: (model) => moveColumn(model, 0, 1),
};

test('2,000 columns: reading, editing and comparing take time in proportion', () => {
  const model = table(wide(2000));
  expect(model.columns).toHaveLength(2000);
  for (const edit of Object.values(EDITS)) {
    const after = table(edit(model));
    expect(diffTable(model, after, identityByName(model, after)).changes.length).toBeGreaterThan(0);
    expect(growth((sql) => void edit(table(sql)), wide, LONG ? 2000 : 800)).toBeLessThan(5);
  }
  expect(table(dropColumn(model, 1999)).columns).toHaveLength(1999);
  expect(
    growth(
      (sql) => void diffTable(table(sql), table(sql), identityByName(table(sql), table(sql))),
      wide,
      LONG ? 2000 : 800,
    ),
  ).toBeLessThan(5);
});

test('1 MB in a CHECK: the same', () => {
  const model = table(longCheck(1_000_000));
  expect(model.columns).toHaveLength(2);
  expect(table(renameColumn(model, 0, 'z')).columns[0]!.name.name).toBe('z');
  for (const edit of Object.values(EDITS))
    expect(growth((sql) => void edit(table(sql)), longCheck, LONG ? 200_000 : 80_000)).toBeLessThan(5);
});

test('100,000 parentheses, comments, quotes and signs that are never closed', () => {
  const many = 100_000;
  const texts = [
    `CREATE TABLE t(a CHECK (${'('.repeat(many)}1${')'.repeat(many)}))`,
    `CREATE TABLE t(a CHECK (${'('.repeat(many)}`,
    `CREATE TABLE t(a ${')'.repeat(many)}`,
    `CREATE TABLE t(${'/* x */ '.repeat(many)} a ${'-- y\n'.repeat(many)})`,
    `CREATE TABLE t(${'/*'.repeat(many)}`,
    `CREATE TABLE t("${'""'.repeat(many)}`,
    `CREATE TABLE t(a ${"'".repeat(many)}`,
    `CREATE TABLE t(a ${'CONSTRAINT '.repeat(many)})`,
    `CREATE TABLE t(a ${'INT '.repeat(many)})`,
    `CREATE TABLE t(a DEFAULT ${'-'.repeat(3)}${'+ '.repeat(many)}1)`,
    `CREATE INDEX i ON t(${'a,'.repeat(many)}a)`,
    `CREATE VIRTUAL TABLE t USING fts5(${'a, '.repeat(many)}b)`,
    `CREATE TRIGGER t AFTER INSERT ON t BEGIN ${'SELECT 1;'.repeat(many)} END`,
    `CREATE TABLE t(a TEXT DECIMAL(${'1'.repeat(many)} ${' '.repeat(many)} x))`,
    '\0'.repeat(many),
    `CREATE TABLE t(a\0b)`,
  ];
  for (const text of texts) {
    const model = parseObject(text);
    if (!model.understood) expect(model.reason).toMatch(/[.]$/);
  }
  const comments = (size: number): string => `CREATE TABLE t(${'/* x */ '.repeat(size)} a ${'-- y\n'.repeat(size)})`;
  expect(growth((sql) => void parseTable(sql), comments, 32_000)).toBeLessThan(5);
  expect(parseObject(texts[0]!).understood).toBe(true);
  expect(parseObject(texts[1]!)).toMatchObject({ understood: false });
});

test('names that look like SQL stay names', () => {
  const names = [
    '); DROP TABLE t; --',
    '/* */',
    'a, b',
    '"',
    "'",
    '[',
    ']',
    '`',
    ' ',
    '',
    'CREATE TABLE x(y)',
    'NULL',
    '\n',
    '\u202ename',
    '\ud800',
  ];
  for (const name of names) {
    const model = table('CREATE TABLE t(a INT, b CHECK (a > b), UNIQUE (a, b))');
    const renamed = table(renameColumn(model, 0, name));
    expect(renamed.columns.map((column) => column.name.name)).toEqual([name, 'b']);
    expect(renameColumn(renamed, 0, 'a')).toBe(model.text);
  }
});
