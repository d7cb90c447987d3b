// Tests what is said of a file whose content is not what its name says.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { assertMayHoldRows, nameEvidence } from './name-and-content.ts';

const sampleOf = (fileName: string, content: string | Uint8Array) => ({
  fileName,
  bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  isWhole: true,
});

describe('the name and the content', () => {
  test.each([
    ['a.xlsx', 'csv', 'id,name\n1,ant\n', 'The file is named .xlsx but contains text, so it is read as CSV.'],
    ['a.PARQUET', 'csv', 'a\tb\n', 'The file is named .parquet but contains text, so it is read as CSV.'],
    ['a.xls', 'csv', ' <html><table>', 'The file is named .xls but contains HTML or XML, so it is read as CSV.'],
    ['a.csv', 'xlsx', 'PK', 'The file is named .csv but is an Excel workbook.'],
    ['a.csv', 'json', '[1]', 'The file is named .csv but contains JSON.'],
    ['a.json', 'csv', 'a,b\n', 'The file is named .json but contains text, so it is read as CSV.'],
    ['a.json', 'ndjson', '{}\n{}\n', undefined],
    ['a.csv', 'csv', '<!DOCTYPE html>\n', 'The file contains HTML or XML, of which each line is read as text.'],
    ['a.xml', 'csv', '<?xml version="1.0"?>', 'The file contains HTML or XML, of which each line is read as text.'],
    ['a.csv', 'csv', 'a,b\n', undefined],
    ['a.xls', 'xlsx', 'PK', undefined],
    ['a.txt', 'json', '[1]', undefined],
    ['a.csv.bak', 'json', '[1]', undefined],
    ['a', 'json', '[1]', undefined],
    ['a.json', 'csv', '', undefined],
  ] as const)('%s read as %s', (fileName, format, content, reason) =>
    expect(nameEvidence(sampleOf(fileName, content), format)?.reason).toBe(reason),
  );
});

describe('a file without rows says what it is', () => {
  test.each([
    ['a.csv.gz', gzipSync('id,name\n'), '“a.csv.gz” is compressed with gzip. Nothing was changed. Unpack it and import what is in it.'],
    ['a.csv', new TextEncoder().encode('%PDF-1.7\n1 0 obj'), '“a.csv” is a PDF document. Nothing was changed. Sidelite cannot read the tables in it.'],
    ['a.arrow', new TextEncoder().encode('ARROW1\0\0x'), '“a.arrow” is an Arrow file. Nothing was changed. Save what is in it as Parquet or CSV and import that.'],
    ['a.xls', Uint8Array.of(9, 8, 16, 0, 0, 6, 5, 0), '“a.xls” is an Excel 97–2003 workbook (.xls). Nothing was changed. Open it in Excel or LibreOffice, save it as .xlsx, and import that.'],
    ['a.xls', Uint8Array.of(9, 8, 8, 0, 0, 5, 16, 0), '“a.xls” is an Excel 5.0/95 workbook (.xls).'],
    ['old', Uint8Array.of(9, 4, 6, 0, 0, 0, 16, 0), '“old” is an Excel 4.0 worksheet (.xls).'],
    ['a.csv', Uint8Array.of(9, 2, 6, 0, 0, 0, 16, 0), '“a.csv” is an Excel 3.0 worksheet (.xls).'],
    ['a.xls', Uint8Array.of(9, 0, 4, 0, 2, 0, 16, 0), '“a.xls” is an Excel 2.0 worksheet (.xls).'],
    ['a.avro', new TextEncoder().encode('Obj\u0001x'), '“a.avro” is an Avro file.'],
  ])('%s', (fileName, bytes, message) => {
    expect(() => assertMayHoldRows(sampleOf(fileName, bytes))).toThrow(message);
  }); // prettier-ignore

  test('text that begins like one is text', () => {
    for (const text of ['%PD,1\n', 'ORC,1\n', 'Obj,1\n', 'BZh9 is a name,1\n', 'Rar!,1\n', '7z,1\n', '\t\x08,1\n', ''])
      expect(() => assertMayHoldRows(sampleOf('a.csv', text))).not.toThrow();
  });
});
