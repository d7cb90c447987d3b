// Workbooks as records: written by another library, made by hand, damaged and hostile.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { LONG, seedCount } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { xlsxFormat } from '../formats/xlsx.ts';
import { plainOptions } from '../plain-options.ts';
import { bytesSource, mutated, readAll, type ReadFile } from '../read-all.test-suite.ts';
import { excelDate, dateKind } from './workbook.ts';
import { workbook, workbookEntries, zip } from './made-workbook.test-suite.ts';

const SEED = { seed: 20_261_122 };

async function readXlsx(
  bytes: Uint8Array,
  options: { readonly part?: string; readonly hasHeader?: boolean } = {},
): Promise<ReadFile> {
  const reader = await xlsxFormat.read(bytesSource(bytes), plainOptions('xlsx', { hasHeader: false, ...options }));
  return await readAll(reader);
}
const fieldsOf = ({ records }: ReadFile): readonly (readonly string[])[] => records.map(({ fields }) => fields);
const cell = (content: string, attributes = ''): string => `<c ${attributes}>${content}</c>`;
const inline = (text: string): string => cell(`<is><t>${text}</t></is>`, 't="inlineStr"');

describe('written by another library', () => {
  // Excel's own limit and XML's characters: what it cannot hold is no matter of reading it.
  const text = fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .filter((value) => value.length > 0 && !/[\x00-\x08\x0b\x0c\x0e-\x1f\r\ufffe\uffff]|_x/.test(value));
  const value = fc.oneof(
    text.map((one) => ({ cell: { value: one, type: String }, field: `quoted ${one}` })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((one) => ({ cell: { value: one === 0 ? 0 : one, type: Number }, field: `number ${one === 0 ? 0 : one}` })),
    fc.boolean().map((one) => ({ cell: { value: one, type: Boolean }, field: String(one) })),
    fc
      .integer({ min: Date.UTC(1900, 2, 1), max: Date.UTC(9999, 0, 1) })
      .map((ms) => new Date(Math.floor(ms / 1000) * 1000))
      .map((one) => ({
        cell: { value: one, type: Date, format: 'yyyy-mm-dd hh:mm:ss' },
        field: `quoted ${one.toISOString().slice(0, 19).replace('T', ' ')}`,
      })),
    fc.constant({ cell: null, field: 'absent' }),
  );

  test('any cells come back exactly', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 10 }),
        async (rows) => {
          const data = rows.map((row) => row.map((one) => one.cell));
          const bytes = new Uint8Array(await writeXlsxFile(data as never).toBuffer());
          const read = await readXlsx(bytes);
          const expected = rows.map((row) => {
            const fields = row.map((one) => one.field);
            while (fields.at(-1) === 'absent') fields.pop();
            return fields;
          });
          const byRow = new Map(read.records.map(({ line, fields }) => [line, fields]));
          expect(expected.map((_row, at) => byRow.get(at + 1) ?? [])).toEqual(expected);
          expect(read.problems).toEqual([]);
        },
      ),
      { ...SEED, numRuns: seedCount(60) },
    );
  });

  test('many rows, two sheets', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [
      { value: at, type: Number },
      { value: `text ${at}`, type: String },
    ]);
    const header = [{ value: 'id' }, { value: 'name' }];
    const sheets = [
      { sheet: 'A', data: [header, ...rows] },
      { sheet: 'B & C', data: [[{ value: 'x' }], [{ value: 'y' }]] },
    ];
    const bytes = new Uint8Array(await writeXlsxFile(sheets as never).toBuffer());
    expect(await xlsxFormat.parts!(bytesSource(bytes), plainOptions('xlsx'))).toMatchObject({ names: ['A', 'B & C'] });
    const first = await readXlsx(bytes, { hasHeader: true });
    expect(first.columns).toEqual(['id', 'name']);
    expect(first.records).toHaveLength(20_000);
    expect(first.records.at(-1)).toEqual({ line: 20_001, fields: ['number 19999', 'quoted text 19999'] });
    expect(fieldsOf(await readXlsx(bytes, { part: 'B & C', hasHeader: true }))).toEqual([['quoted y']]);
    await expect(readXlsx(bytes, { part: 'D' })).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('what a sheet may hold', () => {
  test('every kind of cell, with rows and cells that say where they are and that do not', async () => {
    const rows = `<row r="3">${cell('<v>1.50</v>', 'r="B3"')}${cell('<v>0</v>', 'r="A3" t="s"')}</row><row>${cell('<v>1</v>', 't="b"')}${cell('<v>#DIV/0!</v>', 't="e"')}${cell('<f>1+1</f><v>2</v>')}${cell('<f>"a"</f><v>a_x000D_b_x005F_x0041_</v>', 't="str"')}${inline('i')}${cell('<v>2024-01-02T03:04:05</v>', 't="d"')}${cell('')}${cell('<f>A1</f>')}</row><row r="9"/><row r="10">${cell('<v>7</v>', 'r="C10" t="s"')}</row>`;
    const strings = '<si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>no</t></rPh></si>';
    const { records, notices } = await readXlsx(workbook({ rows, strings }));
    expect(records).toEqual([
      { line: 3, fields: ['quoted rich ', 'number 1.50'] },
      {
        line: 4,
        fields: ['true', 'text #DIV/0!', 'number 2', 'quoted a\rb_x0041_', 'quoted i', 'quoted 2024-01-02T03:04:05'],
      },
      { line: 10, fields: [] },
    ]);
    expect(notices.map(({ text }) => text)).toEqual([
      'A formula has no saved result. It is left empty, here and in all similar rows.',
      'A cell refers to a text that is not in the workbook, which is damaged. It is left empty, here and in all similar rows.',
    ]);
  });

  test('a cell that is empty, or is no truth value although it says so, loses nothing without a word', async () => {
    const rows = `<row>${['TRUE', ' false ', 'yes', '2', ''].map((one) => cell(`<v>${one}</v>`, 't="b"')).join('')}</row><row>${cell('<f>1+1</f><v/>')}${cell('<v/>', 't="s"')}${cell('<f>""</f><v></v>', 't="str"')}</row>`;
    const read = await readXlsx(workbook({ rows, strings: '<si><t>x</t></si>' }));
    expect(fieldsOf(read)).toEqual([
      ['true', 'false', 'quoted yes', 'quoted 2'],
      ['absent', 'absent', 'quoted '],
    ]);
    expect(read.notices).toEqual([
      { line: 2, text: 'A formula has no saved result. It is left empty, here and in all similar rows.' },
    ]);
  });

  test('what is no character becomes U+FFFD, which is said in the first such row', async () => {
    const shared = (at: number): string => cell(`<v>${at}</v>`, 't="s"');
    const strings = '<si><t>x</t></si><si><t>_xD83D_</t></si><si><t>\ufffd</t></si>';
    const note =
      'A text has bytes or escapes that are no character. They become � (U+FFFD), here and in all similar rows.';
    const ofShared = `<row>${shared(0)}</row><row>${shared(1)}</row><row>${shared(1)}</row>`;
    expect((await readXlsx(workbook({ rows: ofShared, strings }))).notices).toEqual([{ line: 2, text: note }]);
    const unused = `<row>${shared(0)}</row><row>${inline('_xD83D__xDE00_\ufffd')}</row>`;
    expect((await readXlsx(workbook({ rows: unused, strings }))).notices).toEqual([]);
    const own = `<row>${inline('x')}</row><row>${inline('_xDE00_')}</row>`;
    expect((await readXlsx(workbook({ rows: own }))).notices).toEqual([{ line: 2, text: note }]);
  });

  test('the 17 digits that Excel writes are those of the same double', async () => {
    const numbers = [
      '1.1000000000000001',
      '0.30000000000000004',
      '1.0000000000000001E-5',
      '12345678901234567',
      '123456789012345680.0',
      '1.0000000000000000',
      '1E+21',
      '-2.5',
    ];
    const read = await readXlsx(
      workbook({ rows: `<row>${numbers.map((one) => cell(`<v>${one}</v>`)).join('')}</row>` }),
    );
    expect(fieldsOf(read)[0]).toEqual(
      [
        '1.1',
        '0.30000000000000004',
        '0.00001',
        '12345678901234567',
        '123456789012345680.0',
        '1.0',
        '1E+21',
        '-2.5',
      ].map((one) => `number ${one}`),
    );
  });

  test('without styles and shared strings, hidden, merged, with ZIP64 fields', async () => {
    const made = {
      rows: `<row>${cell('<v>1</v>', 's="4"')}</row><mergeCells><mergeCell ref="A1:B2"/></mergeCells>`,
      state: 'hidden',
    };
    for (const is64 of [false, true]) {
      const { records, notices } = await readXlsx(workbook(made, is64));
      expect(records).toEqual([{ line: 1, fields: ['number 1'] }]);
      expect(notices.map(({ text }) => text)).toEqual([
        'The sheet “One” is hidden in Excel.',
        expect.stringContaining('merged cells'),
      ]);
    }
  });

  test('headers that are empty or doubled, and rows that are longer', async () => {
    const rows = `<row>${inline('a')}${inline('A')}<c/>${cell('<v>1</v>', 't="b"')}</row><row>${'<c><v>1</v></c>'.repeat(5)}</row>`;
    const { columns, notices } = await readXlsx(workbook({ rows }), { hasHeader: true });
    expect(columns).toEqual(['a', 'A_2', 'column3', 'TRUE', 'column5']);
    expect(notices).toEqual([
      {
        line: 1,
        text: 'Columns that have no name of their own in the header row are called “A_2”, “column3”.',
      },
      {
        line: 2,
        text: 'A row is longer than the header row. Columns that have no name of their own in the header row are called “column5”.',
      },
    ]);
    expect((await readXlsx(workbook({ rows }))).notices).toEqual([]);
  });

  test('a cell beyond 2,000 columns makes its row a problem', async () => {
    const rows = `<row r="1">${cell('<v>1</v>', 'r="A1"')}</row><row r="2">${cell('<v>2</v>', 'r="XFD2"')}</row><row r="3">${cell('<v>3</v>')}</row>`;
    const { records, problems } = await readXlsx(workbook({ rows }));
    expect(records.map(({ line }) => line)).toEqual([1, 3]);
    expect(problems).toEqual([
      { line: 2, text: '2', reason: 'The row was left out: it has values beyond the 2000 columns a table can have.' },
    ]);
  });

  test.each([
    [45_351.5, 'yyyy-mm-dd hh:mm', '2024-02-29 12:00:00'],
    [45_351, 'd/m/yy', '2024-02-29'],
    [45_351.25, 'd/m/yy', '2024-02-29 06:00:00'],
    [0.999_988_425_925_926, 'h:mm AM/PM', '23:59:59'],
    [1.5, '[h]:mm', '36:00:00'],
    [1, 'mmm', '1900-01-01'],
    [59, 'yyyy', '1900-02-28'],
    [60, 'yyyy', '1900-02-29'],
    [61, 'yyyy', '1900-03-01'],
    [2_958_465, 'dddd', '9999-12-31'],
    [2_958_467, 'yyyy', null],
    [-1, 'yyyy', null],
    [5, '0.00 "days"', null],
    [5, '[Red]General', null],
    [5, '#,##0\\d', null],
    [45_351, '[$-407]dd. mmm yyyy;@', '2024-02-29'],
  ])('%d as %s is %s', async (serial, format, date) => {
    const { records } = await readXlsx(
      workbook({ rows: `<row><c s="0"><v>${serial}</v></c></row>`, formats: [format] }),
    );
    expect(records[0]!.fields).toEqual([date === null ? `number ${serial}` : `quoted ${date}`]);
  });

  test('white space around values is no part of them', async () => {
    const rows = `<row>${cell('<v>\n 1 </v>', 't="s"')}${cell('<v> 1\n</v>', 't="b"')}${cell('<v>\n 2.5 </v>')}${cell('<v> a </v>', 't="str"')}</row>`;
    const { records } = await readXlsx(workbook({ rows, strings: '<si><t>no</t></si><si><t>yes</t></si>' }));
    expect(records[0]!.fields).toEqual(['quoted yes', 'true', 'number 2.5', 'quoted  a ']);
  });

  test('a cell with a text of its own has that text, whatever its value says', async () => {
    const own = '<is><t>1.0</t></is>';
    const rows = `<row>${[`<v>1.0</v>${own}`, `${own}<v>1.</v>`, own, '<v>x</v>'].map((content) => cell(content, 't="inlineStr"')).join('')}</row>`;
    const { records } = await readXlsx(workbook({ rows }));
    expect(records[0]!.fields).toEqual(['quoted 1.0', 'quoted 1.0', 'quoted 1.0', 'quoted x']);
  });

  test('names of parts may have the separators of Windows', async () => {
    const entries = workbookEntries({ rows: `<row>${inline('a')}</row>` });
    const named = entries.map((entry) => ({ ...entry, name: entry.name.replaceAll('/', '\\') }));
    expect((await readXlsx(zip(named))).records[0]!.fields).toEqual(['quoted a']);
  });

  test('dates are counted from 1904 on where the workbook says so', async () => {
    const { records } = await readXlsx(
      workbook({ rows: '<row><c s="0"><v>0</v></c><c s="0"><v>43889</v></c></row>', formats: ['yyyy'], is1904: true }),
    );
    expect(records[0]!.fields).toEqual(['quoted 1904-01-01', 'quoted 2024-02-29']);
    expect(excelDate(45_351, dateKind(14, undefined)!, false)).toBe('2024-02-29');
    // Sums of times are often a little less than they should be.
    expect(excelDate(1 - 2 ** -50, 'time', false)).toBe('24:00:00');
  });
});

describe('damaged and hostile', () => {
  const rows = Array.from(
    { length: 3000 },
    (_, at) => `<row r="${at + 1}"><c><v>${at}</v></c>${inline(`some text ${at * 7919}`)}</row>`,
  ).join('');
  const entries = workbookEntries({ rows });
  const withSheet = (change: object): Uint8Array =>
    zip(entries.map((entry) => (entry.name.endsWith('one.xml') ? { ...entry, ...change } : entry)));

  test('a sheet that breaks off keeps the rows before', async () => {
    const broken = withSheet({ content: `<worksheet><sheetData>${rows.slice(0, rows.length / 2)}` });
    const { records, problems } = await readXlsx(broken);
    expect(records.length).toBeGreaterThan(1400);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.reason).toMatch(/^The sheet cannot be read beyond row 1,\d{3}\. .*\.$/);
  });

  test('sizes that lie: more than is said is not read, offsets outside are refused', async () => {
    const bomb = withSheet({ lies: { sizeBytes: 1000 } });
    expect((await readXlsx(bomb)).problems[0]?.reason).toContain('there is more in it than its table of contents says');
    for (const lies of [{ offset: 1 << 30 }, { compressedBytes: 1 << 30 }, { offset: 5 }])
      await expect(readXlsx(withSheet({ lies }))).rejects.toMatchObject({ code: 'invalid' });
  });

  test('a bomb of spaces keeps answering, and one of nothing but a text ends', async () => {
    const spaces = withSheet({ content: `<worksheet>${' '.repeat(40 << 20)}</worksheet>` });
    const reader = await xlsxFormat.read(bytesSource(spaces), plainOptions('xlsx'));
    let batches = 0;
    for (let batch = await reader.next(); batch !== null; batch = await reader.next()) batches++;
    expect(batches).toBeGreaterThan(1);
    expect(reader.takeProblems()[0]?.reason).toContain('longer than 16 million characters');
  });

  const LARGE = `<si><t>${'large '.repeat(200_000)}</t></si>`;
  const shared = (count: number): string => cell('<v>0</v>', 't="s"').repeat(count);

  test('rows that share a large text come about a megabyte at a time', async () => {
    const file = workbook({ strings: LARGE, rows: `<row>${shared(2)}</row>`.repeat(30) });
    const reader = await xlsxFormat.read(bytesSource(file), plainOptions('xlsx'));
    let records = 0;
    for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
      records += batch.records;
      expect(batch.records).toBeLessThanOrEqual(1);
    }
    expect(records).toBe(30);
  });

  test('a row whose texts do not fit is left out, whether cells share them or not', async () => {
    const rows = `<row>${inline('before')}</row><row>${shared(150)}</row><row>${inline('after')}</row>`;
    const { records, problems } = await readXlsx(workbook({ strings: LARGE, rows }));
    expect(records.map(({ line, fields }) => [line, ...fields])).toEqual([
      [1, 'quoted before'],
      [3, 'quoted after'],
    ]);
    expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'The row was left out: its text takes more than 64 MB.'],
    ]);
    expect(problems[0]!.text).toHaveLength(10_000);
  });

  test.runIf(LONG)('a row of its own large texts and texts that are shared are refused in time', async () => {
    const piece = `<t>${'large '.repeat(2_000_000)}</t>`;
    const long = await readXlsx(
      workbook({ rows: `<row>${cell(`<is>${piece.repeat(12)}</is>`, 't="inlineStr"')}</row>` }),
    );
    expect([long.records.length, long.problems.length]).toEqual([0, 1]);
    await expect(readXlsx(workbook({ rows: '', strings: `<si>${piece.repeat(12)}` }))).rejects.toThrow('128 MB');
  });

  test('names of parts differ by more than the case of their letters', async () => {
    const made = workbookEntries({ rows: `<row>${cell('<v>0</v>', 't="s"')}</row>`, strings: '<si><t>a</t></si>' });
    const upper = made.map((entry) => ({ ...entry, name: entry.name.toUpperCase() }));
    expect(fieldsOf(await readXlsx(zip(upper)))).toEqual([['quoted a']]);
    const odd = made.map((entry) => ({
      ...entry,
      content: String(entry.content)
        .replace('/xl/workbook.xml', '/XL/Workbook.xml')
        .replace('worksheets/one.xml', 'WorkSheets\\One.XML'),
    }));
    expect(fieldsOf(await readXlsx(zip(odd)))).toEqual([['quoted a']]);
    const spaced = made.map(({ name, content, ...rest }) => ({
      ...rest,
      name: name.replace('one.xml', 'my sheet.xml'),
      content: String(content).replace('one.xml', 'my%20sheet.xml'),
    }));
    expect(fieldsOf(await readXlsx(zip(spaced)))).toEqual([['quoted a']]);
  });

  test('rows in comments are none, and change no order', async () => {
    const rows = `<!-- <row r="9"> --><row r="1">${inline('a')}</row><row r="2">${inline('b')}</row>`;
    const { records, notices } = await readXlsx(workbook({ rows }));
    expect([records.map(({ line }) => line), notices]).toEqual([[1, 2], []]);
  });

  test('rows that are not in order are put in order, and a row that is there twice has the cells of both', async () => {
    const row = (number: number, ...cells: readonly string[]): string =>
      `<row r="${number}">${cells.map((text, at) => `<c r="${'ABC'[at]}${number}" t="str"><v>${text}</v></c>`).join('')}</row>`;
    const rows = `${row(3, 'c')}<row/>${row(1, 'name', 'note')}<row r="2"><c r="B2"><v>7</v></c></row>${row(2, 'b', 'twice')}`;
    const { records, notices } = await readXlsx(workbook({ rows }));
    expect(records.map(({ line, fields }) => [line, fields])).toEqual([
      [1, ['quoted name', 'quoted note']],
      [2, ['quoted b', 'number 7']],
      [3, ['quoted c']],
    ]);
    expect(notices).toEqual([
      { line: 2, text: 'A cell is in the workbook twice. Its first value is kept, here and in all similar rows.' },
    ]);
    const large = Array.from({ length: 90_000 }, (_, at) => row(100_000 - at, 'large')).join('');
    const told = await readXlsx(workbook({ rows: large }));
    expect([told.records.length, told.records[0]!.line]).toEqual([90_000, 100_000]);
    expect(told.notices[0]?.text).toBe(
      'The rows are not in order: row 99999 comes after row 100000. They are read in the order of the file.',
    );
  });

  test('nesting, entities of their own and paths that lead outside', async () => {
    const deep = await readXlsx(withSheet({ content: `<worksheet>${'<a>'.repeat(100_000)}` }));
    expect(deep.problems[0]?.reason).toContain('nested deeper than 256 levels');
    const laughs = withSheet({
      content:
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>',
    });
    expect((await readXlsx(laughs)).problems[0]?.reason).toContain('entity without a definition');
    const outside = zip(
      entries.map((entry) =>
        entry.name.endsWith('workbook.xml.rels')
          ? { ...entry, content: String(entry.content).replace('worksheets/one.xml', '../../../etc/passwd') }
          : entry,
      ),
    );
    await expect(readXlsx(outside)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('passwords, other formats and files that are cut off are told in words', async () => {
    await expect(readXlsx(withSheet({ lies: { flags: 1 } }))).rejects.toThrow('protected by a password');
    const ole = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(2000)]);
    await expect(readXlsx(ole)).rejects.toThrow('is an Excel 97–2003 workbook (.xls)');
    await expect(readXlsx(Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]))).rejects.toThrow(
      'protected by a password',
    );
    await expect(readXlsx(zip([{ name: 'content.xml', content: '' }]))).rejects.toThrow('OpenDocument');
    await expect(readXlsx(zip([{ name: 'xl/workbook.bin', content: '' }]))).rejects.toThrow('.xlsb');
    await expect(readXlsx(zip([{ name: 'a.txt', content: '' }]))).rejects.toThrow(
      'is a ZIP archive, but not a workbook',
    );
    await expect(readXlsx(zip(entries).subarray(0, 500))).rejects.toThrow('The end of the file is missing');
  });

  test('any few bytes changed: rows, problems or an error for people, and always an end', async () => {
    const whole = workbook({ rows: rows.slice(0, 4000), strings: '<si><t>a</t></si>', formats: ['yyyy'] });
    const stored = zip(workbookEntries({ rows: rows.slice(0, 2000) }).map((entry) => ({ ...entry, isStored: true })));
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      byte: fc.nat(255),
      kind: fc.constantFrom(0, 0, 0, 1, 2, 3),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(whole, stored),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (bytes, changes) => {
          const source = bytesSource(mutated(bytes, changes));
          const onlyForPeople = (error: unknown): void => {
            expect(error).toBeInstanceOf(AppError);
            expect((error as AppError).code).not.toBe('internal');
          };
          await Promise.resolve(xlsxFormat.parts!(source, plainOptions('xlsx'))).catch(onlyForPeople);
          await Promise.resolve(xlsxFormat.read(source, plainOptions('xlsx')))
            .then(readAll)
            .catch(onlyForPeople);
        },
      ),
      { ...SEED, numRuns: seedCount(400) },
    );
  });
});
