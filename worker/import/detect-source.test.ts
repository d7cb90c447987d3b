// Detection reads a source as text only where it is text.
import fc from 'fast-check';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { FileClient } from '../library/files.ts';
import { detectSource, assertMayHoldRows, nameEvidence } from './detect-source.ts';
import { formatOf } from './formats.ts';
import { pyarrowFile } from './parquet/pyarrow-file.test-suite.ts';

const filesWith = (bytes: Uint8Array, fileName: string): FileClient =>
  ({
    call: async (operation: string, { offset, length }: { offset: number; length: number }) =>
      operation === 'file.info'
        ? { fileName, sizeBytes: bytes.length, modifiedAtMs: 0 }
        : bytes.slice(offset, offset + length),
  }) as unknown as FileClient;

const detectFrom = (bytes: Uint8Array, fileName = 'file.csv', given = {}) =>
  detectSource(filesWith(bytes, fileName), { kind: 'file', token: 'one' }, given);

describe('bytes that are no text', () => {
  const REFUSED = { code: 'invalid', message: expect.stringContaining('is neither text nor') as unknown };

  test('are refused, whatever the file is called', async () => {
    const bytes = fc.uint8Array({ minLength: 1000, maxLength: 3000 });
    const name = fc.constantFrom('a.csv', 'a.txt', 'a.bin', 'a');
    await fc.assert(
      fc.asyncProperty(bytes, name, async (content, fileName) => {
        await expect(detectFrom(content, fileName)).rejects.toMatchObject(REFUSED);
      }),
      { seed: 1320, numRuns: seedCount(100) },
    );
    const packed = deflateRawSync(Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 251)));
    await expect(detectFrom(packed, 'packed.csv')).rejects.toMatchObject(REFUSED);
  });

  test('are read as text for somebody who says that they are', async () => {
    const bytes = Uint8Array.from({ length: 2000 }, (_, at) => (at * 7919 + (at >> 3)) % 256);
    expect((await detectFrom(bytes, 'a.csv', { format: 'csv', encoding: 'windows-1252' })).options.encoding).toBe(
      'windows-1252',
    );
  });
});

test('a file that is surely of another format is not tried as text', async () => {
  const asText = vi.spyOn(formatOf('csv'), 'detect');
  expect((await detectFrom(pyarrowFile(), 'a.parquet')).options.format).toBe('parquet');
  expect((await detectFrom(Buffer.from('SELECT 1;\n'), 'a.sql')).options.format).toBe('sql');
  expect(asText).not.toHaveBeenCalled();
  await detectFrom(Buffer.from('id,name\n1,ant\n'));
  expect(asText).toHaveBeenCalledOnce();
  asText.mockRestore();
});

test('a name that does not fit is pointed out, and a choice of the user is followed', async () => {
  const text = Buffer.from('id,name\n1,ant\n');
  const { evidence, options } = await detectFrom(text, 'a.xlsx');
  expect(options.format).toBe('csv');
  expect(evidence[0]).toMatchObject({ option: 'format', reason: expect.stringContaining('named .xlsx') as unknown });
  const chosen = await detectFrom(text, 'a.xlsx', { format: 'csv' });
  expect(chosen.evidence.map(({ option }) => option)).not.toContain('format');
  await expect(detectFrom(Buffer.from('%PDF-1.4\na,b\n'.repeat(99)), 'a.csv')).rejects.toThrow('is a PDF document');
  expect((await detectFrom(Buffer.from('%PDF-1.4\n'), 'a.csv', { format: 'csv' })).columns).toHaveLength(1);
});

test.each([
  ['order_id,name,price\n', true, 'order_id'],
  ['id;Größe in cm;createdAt', false, 'only one line'],
  ['customerId,created at\n', true, 'customerId'],
  ['Ann,Berlin\n', false, 'only one line'],
  ['user_1,user_1\n', false, 'only one line'],
  ['user_id\n', false, 'only one line'],
  ['order_id,5\n', false, 'values'],
])('one line is a row, unless it can only be names of columns: %j', async (text, hasHeader, why) => {
  const { options, evidence, columns } = await detectFrom(Buffer.from(text));
  expect(options.hasHeader).toBe(hasHeader);
  expect(evidence.find(({ option }) => option === 'hasHeader')!.reason).toContain(why);
  if (hasHeader) expect(columns).toEqual(text.trim().split(','));
});

test('an empty file is no workbook, and a text without rows', async () => {
  for (const name of ['a.xlsx', 'a.parquet'])
    await expect(detectFrom(new Uint8Array(), name)).rejects.toThrow(`“${name}” is empty`);
  const { columns, evidence } = await detectFrom(new Uint8Array(), 'a.csv');
  expect(columns).toEqual([]);
  expect(evidence[0]).toEqual({ option: 'encoding', reason: 'The file is empty.' });
});

test('the title above the table of a sheet is skipped, unless somebody says how many rows are', async () => {
  const cell = (value: string | number) => ({ value });
  const rows = [
    [cell('Report 2024')],
    [],
    [cell('id'), cell('name'), cell('kg')],
    [cell(1), cell('ant'), cell(2)],
    [cell(2), null, cell(3)],
  ];
  const sheet = async (data: unknown) => new Uint8Array(await writeXlsxFile(data as never).toBuffer());
  const bytes = await sheet(rows);
  const found = await detectFrom(bytes, 'a.xlsx');
  expect(found.columns).toEqual(['id', 'name', 'kg']);
  expect(found.options.skipLines).toBe(2);
  expect(found.evidence.find(({ option }) => option === 'skipLines')).toMatchObject({ line: 3 });
  expect((await detectFrom(bytes, 'a.xlsx', { skipLines: 0 })).columns[0]).toBe('Report 2024');
  const plain = await detectFrom(await sheet(rows.slice(2)), 'a.xlsx');
  expect(plain.options.skipLines).toBe(0);
  expect(plain.columns).toEqual(['id', 'name', 'kg']);
});

test('the first row of a sheet names its columns only if it does not have values', async () => {
  const sheet = async (data: unknown) => new Uint8Array(await writeXlsxFile(data as never).toBuffer());
  const values = await sheet([
    [{ value: 1 }, { value: 'ant' }],
    [{ value: 2 }, { value: 'bee' }],
  ]);
  const found = await detectFrom(values, 'a.xlsx');
  expect(found.options.hasHeader).toBe(false);
  expect(found.evidence.find(({ option }) => option === 'hasHeader')?.reason).toContain('such as “1”');
  expect(found.columns).toEqual(['column1', 'column2']);
  const named = await detectFrom(values, 'a.xlsx', { hasHeader: true });
  expect(named.columns).toEqual(['1', 'ant']);
});

test('names that may be values are shown both ways, until one of them is chosen', async () => {
  const row = (...texts: readonly (string | number)[]) => texts.map((value) => ({ value }));
  const data = [row('Report'), row('k', 2019, 2021), row('a', 1, 2), row('b', 4, 5)];
  const bytes = new Uint8Array(await writeXlsxFile(data as never).toBuffer());
  const { readings } = await detectFrom(bytes, 'a.xlsx');
  expect(readings).toMatchObject([
    { title: 'First line as names', options: { hasHeader: true }, columns: ['k', '2019', '2021'] },
    {
      title: 'First line as data',
      options: { hasHeader: false },
      rows: [
        ['k', '2019', '2021'],
        ['a', '1', '2'],
        ['b', '4', '5'],
      ],
    },
  ]);
  expect((await detectFrom(bytes, 'a.xlsx', { hasHeader: false })).readings).toEqual([]);
});

test('text of any encoding is taken for some, with NUL in it too', async () => {
  const latin = Buffer.from('name;größe\nMüller;1,5\nÖzgür;2,25\n'.repeat(40), 'latin1');
  expect((await detectFrom(latin)).columns).toHaveLength(2);
  const japanese = Uint8Array.from(
    Array.from({ length: 60 }, () => [0x93, 0xfa, 0x96, 0x7b, 0x2c, 0x8c, 0xea, 0x0a]).flat(),
  );
  expect((await detectFrom(japanese)).columns).toHaveLength(2);
  const padded = Buffer.from('M\xfcller\0\0\0\0\0\0,1\0\0\0\n'.repeat(60), 'latin1');
  expect((await detectFrom(padded)).columns).toHaveLength(2);
});

test('the texts that the sheets of a workbook share are read once', async () => {
  const data = Array.from({ length: 20_000 }, (_, row) =>
    [0, 1].map((column) => ({ value: row === 0 ? `name ${column}` : `${(row * 7919 + column) ** 3}` })),
  );
  const bytes = new Uint8Array(await writeXlsxFile(data as never).toBuffer());
  const inTexts = Buffer.from(bytes).indexOf('xl/sharedStrings.xml') + 200_000;
  let reads = 0;
  const files = filesWith(bytes, 'a.xlsx');
  const counting = {
    call: (operation: string, range: { offset: number; length: number }) => {
      // The first bytes are looked at to see what the file is.
      const isTexts = operation === 'file.read' && range.offset > 0;
      if (isTexts && range.offset <= inTexts && inTexts < range.offset + range.length) reads++;
      return files.call(operation as never, range as never);
    },
  } as unknown as FileClient;
  const { columns } = await detectSource(counting, { kind: 'file', token: 'one' }, {});
  expect(columns).toEqual(['name 0', 'name 1']);
  expect(reads).toBe(1);
});

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
