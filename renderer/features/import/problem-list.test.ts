// Rows that were not imported: what is shown, corrected, and saved.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { ProblemList } from './problem-list.ts';

const CSV = { format: 'csv', lines: null } as const;
const problem = (fields: readonly string[]) => ({
  line: 7,
  reason: 'It has 2 fields, but there are 3 columns.',
  fields,
});

it('shows line and reason first, and nothing where a row is too short', () => {
  const list = new ProblemList(['a', 'b', 'c'], [problem(['1', ''])], CSV);
  expect(list.columns).toEqual(['Line', 'Reason', 'a', 'b', 'c']);
  expect([0, 1, 2, 3, 4].map((column) => list.valueAt(0, column))).toEqual([7, problem([]).reason, '1', '', null]);
  expect(list.valueAt(1, 0)).toBeNull();
  expect(new ProblemList(['a'], [], { ...CSV, format: 'json' }).columns[0]).toBe('Row');
});

it('what is mended is imported again; a row that was too short becomes as long as it must', () => {
  const list = new ProblemList(['a', 'b', 'c'], [problem(['1']), problem(['x', 'y', 'z'])], CSV);
  list.edit(0, 4, 'new');
  list.edit(1, 3, 'Y');
  expect(list.records).toEqual([
    ['1', '', 'new'],
    ['x', 'Y', 'z'],
  ]);
});

it('a row that could not be split is imported again only with its cells', () => {
  const unread = { ...problem(['{"a":1,']), isUnread: true } as const;
  const list = new ProblemList(['a', 'b'], [unread, unread], CSV);
  list.edit(0, 3, 'x');
  expect(list.records).toEqual([null, null]);
  list.edit(0, 2, '1');
  expect(list.records).toEqual([['1', 'x'], null]);
});

it('rows that were imported again keep the lines of the file', () => {
  const again = [1, 2].map((line) => ({ ...problem(['x']), line }));
  expect(new ProblemList(['a'], again, { ...CSV, lines: [30, 4] }).lines).toEqual([30, 4]);
});

it('is saved as CSV that reads back to the same', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', 'ß', ';') });
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 })), (rows) => {
      const list = new ProblemList(['a', 'b'], rows.map(problem), CSV);
      const expected = [['Line', 'Reason', 'a', 'b'], ...rows.map((row) => ['7', problem([]).reason, ...row])];
      expect(parse(list.csv())).toEqual(expected);
    }),
    { seed: 540, numRuns: seedCount(100) },
  );
});

/** A minimal parser of RFC 4180. */
function parse(csv: string): string[][] {
  const fields = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of fields) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
