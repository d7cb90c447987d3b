// Files that other programs write, and what a third one reads of them: the same has to be stored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePypiPackages } from '../../../build/pypi-packages.ts';
import { libraryDisk } from '../../operations/history-disks.test-suite.ts';
import { HistoryFixture } from '../../operations/history-fixture.test-suite.ts';
import { importIntoTable } from './import-into-table.test-suite.ts';
import { asJudged, judgedFiles } from './judged-files.test-suite.ts';
import { WORKBOOKS } from './workbook-packages.test-suite.ts';

const workbooks = await ensurePypiPackages(WORKBOOKS);

const pyarrow = await ensurePypiPackages({
  name: 'pyarrow-26.0.1',
  wheels: { 'pyarrow==26.0.1': '39cb0f2418282c24bea6ceda77b03e5a8f0a5766b63a8bf194d4e2a2c423548c' },
});

/** Where Sidelite reads what Excel shows, and the judge something else: its text, and the right one. */
const BETTER: Readonly<Record<string, readonly [judged: string, right: string]>> = {
  // Escapes of ECMA-376 (22.9.2.19), which openpyxl neither writes nor reads in a text that its cell has.
  'texts, texts in their cells': ['_x005F_x0041_', '_x0041_'],
  'texts, openpyxl': ['_x0041_', 'A'],
  'texts, openpyxl, as a stream': ['_x0041_', 'A'],
  // A number that is no day of the calendar stays this number.
  'days, shared texts': ['00:00:00', '0'],
  'days, texts in their cells': ['00:00:00', '0'],
};

let fixture: HistoryFixture;
let tables = 0;
beforeAll(() => (fixture = new HistoryFixture('', libraryDisk)));
afterAll(() => fixture.close());

const JUDGED = [
  ['workbooks of XlsxWriter and openpyxl, judged by openpyxl', 'workbooks.py', workbooks],
  ['Parquet of pyarrow, judged by pyarrow', 'parquet.py', pyarrow],
] as const;

describe.each(JUDGED)('%s', (_name, script, ensured) => {
  const files = 'why' in ensured ? [] : judgedFiles(script, ensured.folder);
  test.skipIf('why' in ensured)('there are many', () => expect(files.length).toBeGreaterThan(100));
  test.each(files)('$name', async ({ name, file, bytes, columns, rows }) => {
    const [judged, right] = BETTER[name] ?? [];
    const expected = rows.map((row) =>
      row.map((cell) => (cell !== null && cell[1] === judged ? ([cell[0], right!] as const) : cell)),
    );
    const read = await importIntoTable(fixture, `t${++tables}`, { fileName: file, bytes });
    if (columns !== null) expect(read.columns).toEqual(columns);
    expect(
      read.rows.map((row, at) => row.map((value, place) => asJudged(value, expected[at]?.[place] ?? null))),
    ).toEqual(expected);
    expect(read).toMatchObject({ added: rows.length, problems: 0 });
  });
});
