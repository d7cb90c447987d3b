import { expect, test } from 'vitest';
import { lineAt, lineCount, sectionsOf } from './difference-lines.ts';

const counts = (table: string, inserted: number, updated = 0, deleted = 0) => ({ table, inserted, updated, deleted });

test('every row has one line, under the heading of its table', () => {
  const sections = sectionsOf([counts('a', 2, 1), counts('none', 0), counts('b', 0, 0, 2)], 5);
  const lines = Array.from({ length: lineCount(sections) }, (_, line) => lineAt(sections, line)!);
  const words = lines.map((line) =>
    line.kind === 'heading' ? line.section.table : `${line.section.table} ${line.row}`,
  );
  expect(words).toEqual(['a', 'a 0', 'a 1', 'a 2', 'b', 'b 3', 'b 4']);
  expect(lineAt(sections, lines.length)).toBeNull();
});

test('a hundred thousand rows in a thousand tables are found by number', () => {
  const tables = Array.from({ length: 1000 }, (_, index) => counts(`t${index}`, 100));
  const sections = sectionsOf(tables, 100_000);
  expect(lineCount(sections)).toBe(101_000);
  expect(lineAt(sections, 101 * 500 + 7)).toMatchObject({ kind: 'row', row: 50_006, section: { table: 't500' } });
});

test('counts that do not tell where a row lies make one list of all', () => {
  const sections = sectionsOf([counts('a', 2)], 3);
  expect(sections).toMatchObject([{ table: '', rows: 3 }]);
  expect(sectionsOf([], 0)).toEqual([]);
});
