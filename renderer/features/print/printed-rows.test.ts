import { expect, test } from 'vitest';
import { MAX_PRINTED_CELL_CHARS, MAX_PRINTED_COLUMNS, MAX_PRINTED_ROWS } from '#shared/printing.ts';
import type { SchemaObject } from '#shared/protocol/index.ts';
import { limited, NULL_MARK, readCsv, rowPages, schemaPages } from './printed-rows.ts';

const ABOUT = { title: 'orders', about: ['shop'] };

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a\n""\n', [['a'], ['']]],
  [
    'a,b\n,\n',
    [
      ['a', 'b'],
      ['', ''],
    ],
  ],
  ['"x ""y""\n, z",b\n', [['x "y"\n, z', 'b']]],
  ['a,', [['a', '']]],
  ['"open', [['open']]],
  ['', []],
])('CSV %j is read as it was written', (csv, records) => {
  expect(readCsv(csv)).toEqual(records);
});

test('NULL is no text, numbers end at one edge, hidden characters are codes', () => {
  const pages = rowPages(`id,note\n1,${NULL_MARK}\n-2.5e+3,"NULL\u202E"\n`, ABOUT);
  expect(pages).toEqual({
    title: 'orders',
    subtitle: 'shop · 2 rows',
    notes: [],
    content: {
      kind: 'rows',
      columns: [
        { name: 'id', isNumeric: true },
        { name: 'note', isNumeric: false },
      ],
      rows: [
        ['1', null],
        ['-2.5e+3', 'NULL[U+202E]'],
      ],
    },
  });
});

test('what is past the limits is left out and told', () => {
  const names = Array.from({ length: MAX_PRINTED_COLUMNS + 2 }, (_, at) => `c${at}`).join(',');
  const long = 'x'.repeat(MAX_PRINTED_CELL_CHARS + 1);
  const pages = rowPages(`${names}\n${`${long}\n`.repeat(MAX_PRINTED_ROWS + 1)}`, ABOUT);
  const { content, notes } = pages;
  expect(content.kind === 'rows' && [content.rows.length, content.columns.length]).toEqual([1250, MAX_PRINTED_COLUMNS]);
  expect(notes).toEqual([
    'Only the first 1,250 rows are printed; there are more.',
    'Only the first 40 of 42 columns are printed.',
    'Values longer than 300 characters end with “…”: 1,250.',
  ]);
  const narrow = rowPages(`a\n${'1\n'.repeat(MAX_PRINTED_ROWS + 1)}`, ABOUT);
  expect(narrow.notes).toEqual(['Only the first 5,000 rows are printed; there are more.']);
});

test('what the rows lost when they were read is told', () => {
  const notes = ['2 text values are not valid UTF-8. They were written as BLOBs.', `x\u202e${'y'.repeat(5000)}`];
  const told = rowPages('a\n1\n', { ...ABOUT, notes }).notes;
  expect(told).toEqual([notes[0], `x[U+202E]${'y'.repeat(998)}…`]);
});

test('no more text is printed than a page layout can hold', () => {
  const row = `${Array.from({ length: MAX_PRINTED_COLUMNS }, () => 'x'.repeat(MAX_PRINTED_CELL_CHARS)).join(',')}\n`;
  const { content, notes } = rowPages(row.repeat(501), ABOUT);
  expect(content).toMatchObject({ rows: { length: 416 } });
  expect(notes).toEqual(['Only the first 416 rows are printed; there are more.']);
});

test('no more rows are asked for than are printed, and one', () => {
  const source = { kind: 'table', table: 't' } as const;
  const last = MAX_PRINTED_ROWS;
  expect(limited(source)).toEqual({ ...source, rows: [{ first: 0, last }] });
  const few = { ...source, rows: [{ first: 5, last: 7 }], corners: [[1], [2]] as const };
  expect(limited(few)).toBe(few);
  const many = {
    ...few,
    rows: [
      { first: 2, last: 4 },
      { first: 10, last: 50_000 },
      { first: 60_000, last: 60_000 },
    ],
  };
  expect(limited(many)).toEqual({
    ...source,
    rows: [
      { first: 2, last: 4 },
      { first: 10, last: last + 7 },
    ],
  });
});

test('a schema is printed as its statements, tables first', () => {
  const object = (kind: SchemaObject['kind'], sql: string | null): SchemaObject => ({
    ...{ kind, name: 'n', tableName: 'n', sql, rows: null, problem: null },
  });
  const objects = [object('index', 'CREATE INDEX i'), object('index', null), object('table', 'CREATE TABLE t (a)')];
  expect(schemaPages(objects, ABOUT)).toMatchObject({
    subtitle: 'shop · 2 objects',
    content: { kind: 'text', text: 'CREATE TABLE t (a);\n\nCREATE INDEX i;' },
  });
});
