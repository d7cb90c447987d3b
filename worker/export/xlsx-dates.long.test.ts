// Dates of a workbook as openpyxl reads them: the same as the texts in the database.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '#shared/random.ts';
import { ensurePypiPackages } from '../../build/pypi-packages.ts';
import { WORKBOOKS } from '../import/corpus/workbook-packages.test-suite.ts';
import { databaseOf, exportedFile, ofTable, temporaryFolder, wasm } from './export-fixture.test-suite.ts';

const READ = `
import datetime, json, sys
from openpyxl import load_workbook
rows = load_workbook(sys.argv[1]).active.iter_rows(min_row=2, values_only=True)
json.dump([[v.isoformat(sep=" ") if isinstance(v, datetime.datetime) else repr(v) for v in row] for row in rows], sys.stdout)
`;

const packages = await ensurePypiPackages(WORKBOOKS);

test.skipIf('why' in packages)('openpyxl reads the dates that were written', async () => {
  const random = createRandom(15);
  const [first, last] = [Date.UTC(1900, 2, 1) / 1000, Date.UTC(10_000, 0, 1) / 1000 - 1];
  const moments = Array.from({ length: 20_000 }, () => {
    const seconds = first + random.between(0, 2 ** 31 - 1) * 119 + random.between(0, 118);
    return new Date(Math.min(seconds, last) * 1000).toISOString().slice(0, 19);
  });
  moments.push('1900-03-01T00:00:00', '9999-12-31T23:59:59', '2000-02-29T12:00:01');
  const connection = databaseOf(wasm, 'CREATE TABLE t (day, at, iso)');
  const statement =
    'INSERT INTO t SELECT substr(value, 1, 10), replace(value, char(84), char(32)), value FROM json_each(?)';
  connection.all(statement, [JSON.stringify(moments)]);
  const { bytes, notes } = await exportedFile(connection, ofTable('t'), 'xlsx', { excelDates: true });
  expect(notes).toEqual(['Written as dates of a spreadsheet: day, at, iso.']);
  const file = join(temporaryFolder(), 'dates.xlsx');
  writeFileSync(file, bytes);
  const output = execFileSync('python3', ['-c', READ, file], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: 'folder' in packages ? packages.folder : '' },
    maxBuffer: 1 << 28,
  });
  const read = JSON.parse(output.toString()) as readonly (readonly string[])[];
  const expected = moments.map((moment) => {
    const text = moment.replace('T', ' ');
    return [`${text.slice(0, 10)} 00:00:00`, text, text];
  });
  expect(read).toEqual(expected);
});
