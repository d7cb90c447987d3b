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
