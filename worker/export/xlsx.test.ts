import { crc32, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { databaseOf, ENGINES, exportedFile, ofTable, wasm } from './export-fixture.test-suite.ts';

/** Contents of a ZIP file, read from its directory as programs do, checksums compared. */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, size] = [16, 20, 24].map((offset) => bytes.readUInt32LE(at + offset));
    const nameLength = bytes.readUInt16LE(at + 28);
    const offset = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const content = inflateRawSync(bytes.subarray(start, start + packed!));
    expect([name, content.length, crc32(content)]).toEqual([name, size, crc]);
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength;
  }
  return files;
}

const rowsIn = (sheet: string): string[][] =>
  Array.from(sheet.matchAll(/<row>(.*?)<\/row>/gs), ([, row]) =>
    Array.from(
      row!.matchAll(
        /<c(?: [^>]*)?\/>|<c(?: t="(\w+)")?[^>]*>(?:<v>(.*?)<\/v>|<is><t xml:space="preserve">(.*?)<\/t><\/is>)<\/c>/gs,
      ),
      ([, , number, text]) => (number !== undefined ? `n:${number}` : text !== undefined ? `s:${text}` : 'null'),
    ),
  );

describe.each(ENGINES)('a workbook by the %s engine', (_name, engine) => {
  test('has a sheet for each table, every value in a cell of its kind', async () => {
    const sql = `CREATE TABLE "a/b" (x, "y<" TEXT); CREATE TABLE "A B" (z);
      INSERT INTO "a/b" VALUES (1, 'it & <that>'), (2.5, ''), (NULL, '_x000D_' || char(13, 0, 10)), (9007199254740993, X'FF'), (-1e999, '=1+1');`;
    const source = { kind: 'tables', tables: ['a/b', 'A B'] } as const;
    const { bytes, rows, notes, sizeBytes } = await exportedFile(databaseOf(engine, sql), source, 'xlsx');
    expect([rows, sizeBytes]).toEqual([5, bytes.length]);
    const files = unzip(bytes);
    expect([...files.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
      'xl/worksheets/sheet2.xml',
    ]);
    expect(files.get('xl/workbook.xml')).toContain(
      '<sheet name="a b" sheetId="1" r:id="rId1"/><sheet name="A B (2)" sheetId="2"',
    );
    expect(rowsIn(files.get('xl/worksheets/sheet1.xml')!)).toEqual([
      ['s:x', 's:y&#60;'],
      ['n:1', 's:it &#38; &#60;that&#62;'],
      ['n:2.5', 's:'],
      ['null', 's:_x005F_x000D__x000D__x0000_\n'],
      ['s:9007199254740993', 's:FF'],
      ['s:-9e999', 's:=1+1'],
    ]);
    expect(rowsIn(files.get('xl/worksheets/sheet2.xml')!)).toEqual([['s:z']]);
    expect(notes).toEqual([
      '1 integer of more than 15 digits was written as text: a spreadsheet would round it.',
      '1 infinite REAL was written as text: a spreadsheet has no such number.',
    ]);
  });
});

const DATES = `CREATE TABLE d (id INTEGER PRIMARY KEY, born, hired TEXT, early, odd, zoned, late, n);
  INSERT INTO d VALUES
    (1, '1990-01-31', NULL, '1900-03-01', '2020-02-28', '2020-01-01T10:00', NULL, 20200101),
    (2, NULL, '2020-02-29 23:59:59', '1900-02-28', '2020-02-30', '2020-01-01T10:00Z', '2020-01-01', '2020-01-01'),
    (3, '9999-12-31', '2020-02-29', '1900-03-02', '2020-02-29', '2020-01-01T11:00', 'unknown', NULL);`;

test.each(ENGINES)(
  'columns of nothing but dates become dates, if asked for, by the %s engine',
  async (_name, engine) => {
    const connection = databaseOf(engine, DATES);
    const plain = await exportedFile(connection, ofTable('d'), 'xlsx');
    expect(rowsIn(unzip(plain.bytes).get('xl/worksheets/sheet1.xml')!)[1]![1]).toBe('s:1990-01-31');
    expect(plain.notes).toEqual([]);
    const { bytes, notes, rows } = await exportedFile(connection, ofTable('d'), 'xlsx', { excelDates: true });
    const files = unzip(bytes);
    const sheet = files.get('xl/worksheets/sheet1.xml')!;
    expect(rows).toBe(3);
    expect(rowsIn(sheet).slice(1)).toEqual([
    ['n:1', 'n:32904', 'null', 's:1900-03-01', 's:2020-02-28', 's:2020-01-01T10:00', 'null', 'n:20200101'],
    ['n:2', 'null', 'n:43890.99998842592', 's:1900-02-28', 's:2020-02-30', 's:2020-01-01T10:00Z', 's:2020-01-01', 's:2020-01-01'],
    ['n:3', 'n:2958465', 'n:43890', 's:1900-03-02', 's:2020-02-29', 's:2020-01-01T11:00', 's:unknown', 'null'],
  ]); // prettier-ignore
    // A day in a column of times is shown without one.
    expect(sheet).toContain('<c s="4"><v>43890.99998842592</v></c>');
    expect(sheet).toContain('<c s="2"><v>43890</v></c>');
    expect(sheet).toContain('<cols><col min="2" max="2" width="12" customWidth="1"/><col min="3" max="3" width="20"');
    expect(notes).toEqual([
      'Written as dates of a spreadsheet: born, hired.',
      '“early” was written as text, because it has a date before March 1, 1900, which spreadsheets do not agree about: “1900-02-28”.',
      '“odd” was written as text, because it has a date or time that does not exist: “2020-02-30”.',
      '“zoned” was written as text, because it has a time with a zone: “2020-01-01T10:00Z”.',
      '“late” was written as text, because it has a value that is not a date: “unknown”.',
    ]);
  },
);

test('each table has its own columns of dates, and a chosen part of a table only those of its rows', async () => {
  const connection = databaseOf(
    wasm,
    "CREATE TABLE a (x, d); CREATE TABLE b (d, x); INSERT INTO a VALUES ('t', '2020-01-01'); INSERT INTO b VALUES ('t', '2020-01-01'), ('2021-01-01', 1)",
  );
  const options = { excelDates: true };
  const both = unzip((await exportedFile(connection, { kind: 'tables', tables: ['a', 'b'] }, 'xlsx', options)).bytes);
  expect(rowsIn(both.get('xl/worksheets/sheet1.xml')!)[1]).toEqual(['s:t', 'n:43831']);
  expect(rowsIn(both.get('xl/worksheets/sheet2.xml')!)[1]).toEqual(['s:t', 's:2020-01-01']);
  const part = await exportedFile(connection, ofTable('b', { rows: [{ first: 1, last: 1 }], columns: ['x', 'd'] }), 'xlsx', options); // prettier-ignore
  expect(rowsIn(unzip(part.bytes).get('xl/worksheets/sheet1.xml')!)[1]).toEqual(['n:1', 'n:44197']);
});

test('a query that returns something else when it runs again gets text where it has no dates', async () => {
  const connection = databaseOf(wasm, 'CREATE TABLE t (x)');
  const sql = "SELECT iif(abs(random()) % 2, '2020-01-01', 'none') AS d FROM (VALUES (1))";
  const seen = new Set<string>();
  for (let tries = 0; tries < 200 && seen.size < 3; tries++) {
    const { bytes, notes } = await exportedFile(connection, { kind: 'query', sql }, 'xlsx', { excelDates: true });
    const [cell] = rowsIn(unzip(bytes).get('xl/worksheets/sheet1.xml')!)[1]!;
    expect(['n:43831', 's:2020-01-01', 's:none']).toContain(cell);
    const isSaid = notes.some((note) => note.includes('when it ran again'));
    expect(isSaid).toBe(cell === 's:none' && notes.some((note) => note.startsWith('Written as dates')));
    seen.add(`${cell} ${isSaid}`);
  }
});

test('a table of more rows than a sheet holds goes on in the next one', async () => {
  const sql =
    'CREATE TABLE n (i INTEGER PRIMARY KEY); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1048580) INSERT INTO n SELECT i FROM c';
  const { bytes, rows } = await exportedFile(databaseOf(wasm, sql), ofTable('n'), 'xlsx');
  const files = unzip(bytes);
  expect(rows).toBe(1_048_580);
  expect(files.get('xl/worksheets/sheet1.xml')!.match(/<row>/g)).toHaveLength(1_048_576);
  expect(rowsIn(files.get('xl/worksheets/sheet2.xml')!)).toEqual([
    ['s:i'],
    ...[76, 77, 78, 79, 80].map((end) => [`n:10485${end}`]),
  ]);
});

test('a text that no cell holds is cut, and said', async () => {
  const { bytes, notes } = await exportedFile(
    databaseOf(wasm, "CREATE TABLE l (a); INSERT INTO l VALUES (printf('%.*c', 40000, 'x'))"),
    ofTable('l'),
    'xlsx',
  );
  expect(rowsIn(unzip(bytes).get('xl/worksheets/sheet1.xml')!)[1]![0]).toHaveLength(32_767 + 2);
  expect(notes).toEqual(['1 text value was cut: a cell of a spreadsheet holds at most 32,767 characters.']);
});
