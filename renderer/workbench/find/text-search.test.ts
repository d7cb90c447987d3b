import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { cellTest, TestedPage } from '#shared/cell-test.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { conditionOf } from './text-search.ts';

const VALUES = ['a%_b', 'A%_B', 'xxa%_b', 'a1_b', '[*?]', 'x[*?]', '*', '\\', 'É', 'é', '', 'a\nB', 12, 1.5, 120];
const SEARCHES = ['a%_b', 'A%_B', '[*?]', '*', ']', '\\', 'É', '12', '1.5', 'a\nb', '^a'];

/** Without patterns and without SQLite. */
function isFound(value: string | number, text: string, matchCase: boolean, isWholeCell: boolean): boolean {
  const fold = (one: string): string => (matchCase ? one : one.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  const [cell, wanted] = [fold(String(value)), fold(text)];
  return isWholeCell ? cell === wanted : cell.includes(wanted);
}

test('each pair of switches finds the same cells in SQL and in loaded rows, and no character of the text means anything else', () => {
  const db = new Sqlite(':memory:');
  const sql = {
    contains: db.prepare("SELECT ? LIKE '%' || replace(replace(replace(?, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%' ESCAPE '\\'"),
    glob: db.prepare('SELECT ? GLOB ?'),
  }; // prettier-ignore
  const writer = new PackedRowsWriter(1, { previewBytes: Infinity });
  for (const value of VALUES)
    if (typeof value === 'string') writer.text(value);
    else if (Number.isInteger(value)) writer.integer(value);
    else writer.real(value);
  const page = new TestedPage(writer.finish());
  for (const text of SEARCHES)
    for (const matchCase of [false, true])
      for (const isWholeCell of [false, true]) {
        const condition = conditionOf({ text, matchCase, isWholeCell });
        const found = VALUES.filter((value) => isFound(value, text, matchCase, isWholeCell));
        const inRows = VALUES.filter((_, row) => cellTest(condition)(page, row, 0));
        const statement = sql[condition.operator as 'contains' | 'glob'].pluck();
        const bound = (value: string | number): string | number | bigint =>
          Number.isInteger(value) ? BigInt(value) : value;
        const inSql = VALUES.filter((value) => statement.get(bound(value), condition.value) === 1);
        expect({ text, matchCase, isWholeCell, inRows, inSql }).toEqual({ text, matchCase, isWholeCell, inRows: found, inSql: found }); // prettier-ignore
      }
  db.close();
});
