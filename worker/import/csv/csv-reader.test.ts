import { describe, expect, it } from 'vitest';
import { fieldTexts, firstField } from '../../records/field-texts.ts';
import { FIELD, type ByteSource, type RecordReader } from '../../records/record-batch.ts';
import { READING_LIMITS } from '../reading-limits.ts';
import { openCsv, type CsvReaderSizes } from './csv-reader.ts';
import { DIFFICULT, EMPTY_QUOTED, type DifficultCsv, type ExpectedField } from './difficult.test-suite.ts';

const PLAIN = { delimiter: ',', quote: '"', comment: '', skipLines: 0, encoding: 'utf-8', hasHeader: true };

function sourceOf(content: string | Uint8Array<ArrayBuffer>): ByteSource {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    fileName: 'test.csv',
    sizeBytes: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
  };
}

async function readAll(reader: RecordReader) {
  const records: ExpectedField[][] = [];
  const lines: number[] = [];
  const problems: unknown[] = [];
  const notices: unknown[] = [];
  for (;;) {
    const batch = await reader.next();
    problems.push(...reader.takeProblems());
    notices.push(...reader.takeNotices!());
    if (!batch) return { columns: reader.columns, records, lines, problems, notices };
    for (let at = 0; at < batch.records; at++) {
      const first = firstField(batch, at);
      lines.push(batch.lines[at]!);
      records.push(
        fieldTexts(batch, at).map((text, n) => {
          const kind = batch.kinds[first + n];
          return kind === FIELD.absent ? null : kind === FIELD.quotedEmpty ? EMPTY_QUOTED : text;
        }),
      );
    }
  }
}

const expected = ({ columns, records, lines, problems = [], notices = [] }: DifficultCsv) => ({
  columns,
  records,
  lines: lines ?? records.map((_, at) => at + 2),
  problems: problems.map(([line, reason]) => ({
    line,
    reason: expect.stringMatching(reason) as unknown,
    text: expect.any(String) as unknown,
  })),
  notices: notices.map(([line, text]) => ({ line, text: expect.stringMatching(text) as unknown })),
});

describe('difficult files', () => {
  const sizes: readonly CsvReaderSizes[] = [
    {},
    ...[1, 2, 3, 4, 5, 6, 7].map((chunkBytes) => ({ chunkBytes, peekBytes: 1 })),
  ];
  for (const file of DIFFICULT) {
    it(file.name, async () => {
      for (const size of sizes) {
        // A header with too few names is recognized by the records after it.
        const peekBytes = /too short|first record/.test(file.name) ? 100 : 1;
        // Megabytes by the byte take long and show nothing more.
        const chunkBytes = file.text.length > 100_000 && size.chunkBytes ? size.chunkBytes * 1_000 : size.chunkBytes;
        const reader = await openCsv(
          sourceOf(file.text),
          { ...PLAIN, ...file.options },
          size.chunkBytes ? { chunkBytes: chunkBytes!, peekBytes } : {},
        );
        expect(await readAll(reader), `chunks of ${size.chunkBytes}`).toEqual(expected(file));
      }
    });
  }
});

describe('limits', () => {
  it('after an unclosed quote batches are as small as ever', async () => {
    const text = `a,b\n1,"2\n${'3,4\n'.repeat(3 << 20)}`;
    const reader = await openCsv(sourceOf(text), PLAIN);
    const sizes: number[] = [];
    for (let batch = await reader.next(); batch; batch = await reader.next()) sizes.push(batch.records);
    expect(sizes.reduce((sum, records) => sum + records, 0)).toBe(3 << 20);
    expect(Math.max(...sizes)).toBe(1 << 20);
    expect(reader.takeProblems()).toHaveLength(1);
  });

  it('an unclosed quote stops at the limit of a record, and the reading goes on in the next line', async () => {
    const text = `a,b\n1,"2\n${'3,4\n'.repeat(100_000)}`;
    const limits = { ...READING_LIMITS, recordBytes: 10_000 };
    const { records, lines, problems } = await readAll(
      await openCsv(sourceOf(text), PLAIN, { limits, chunkBytes: 1_000, peekBytes: 1 }),
    );
    expect(records).toHaveLength(100_000);
    expect(lines[0]).toBe(3);
    expect(problems).toEqual([
      {
        line: 2,
        reason: 'A quote is opened in cell 2 of line 2, and it is not closed within 10,000 bytes.',
        text: '1,"2',
      },
    ]);
  });

  it('a record that is too long is passed over', async () => {
    const text = `a,b\n1,2\n${'x'.repeat(300_000)}\n5,6\n`;
    const limits = { ...READING_LIMITS, recordBytes: 100_000 };
    const { records, lines, problems } = await readAll(
      await openCsv(sourceOf(text), PLAIN, { limits, chunkBytes: 1_000, peekBytes: 1 }),
    );
    expect(records).toEqual([
      ['1', '2'],
      ['5', '6'],
    ]);
    expect(lines).toEqual([2, 4]);
    expect(problems).toEqual([{ line: 3, reason: 'The row is longer than 100,000 bytes.', text: 'x'.repeat(10_000) }]);
  });

  it('an encoding that is not known is refused', async () => {
    await expect(openCsv(sourceOf('a'), { ...PLAIN, encoding: 'klingon' })).rejects.toThrow(
      'The encoding “klingon” is not known. Choose another one.',
    );
  });
});

describe('bytes that are no character in the encoding', () => {
  const notes = (line: number, encoding: string): unknown => [
    { line, text: expect.stringMatching(`^This is the first line with “\ufffd” .* in ${encoding}\\.`) as unknown },
  ];

  it.each([1, 7, 1 << 20])('are told with the first line that has them, in pieces of %s bytes', async (chunkBytes) => {
    const read = async (bytes: Uint8Array<ArrayBuffer>, encoding: string) =>
      readAll(await openCsv(sourceOf(bytes), { ...PLAIN, encoding }, { chunkBytes, peekBytes: 1 }));
    const cut = Uint8Array.from([...Buffer.from('\ufeffa,b\n1,ä\n2,ö', 'utf16le'), 0x0a]);
    expect(await read(cut, 'utf-16le')).toMatchObject({
      records: [['1', 'ä'], ['2', 'ö\ufffd']],
      notices: notes(3, 'utf-16le'),
    }); // prettier-ignore
    const japanese = (...more: number[]) =>
      Uint8Array.from([...Buffer.from('a,b\n1,x\n2,'), 0x93, 0xfa, ...more, 0x0a, 0x33, 0x2c, ...more, 0x0a]);
    expect(await read(japanese(0x96, 0x7b), 'shift_jis')).toMatchObject({ notices: [] });
    expect(await read(japanese(0xff), 'shift_jis')).toMatchObject({ notices: notes(3, 'shift_jis') });
  });
});

describe('a file whose beginning is ASCII', () => {
  const OPEN = { ...PLAIN, encoding: 'ascii' };
  const lines = (last: string): string => `name,n\n${'plain,1\n'.repeat(100)}${last},2\n${last} too,3\n`;
  const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const notes = (line: number): unknown => [
    { line, text: expect.stringMatching(/^This is the first line .* read as Windows-1252\./) as unknown },
  ];

  it.each([1, 2, 3, 7, 64, 1 << 20])(
    'is read in the encoding that follows, in pieces of %s bytes',
    async (chunkBytes) => {
      const text = lines('Käse déjà vu für Fräulein Müßig, Köln'.replace(',', ' in'));
      const read = async (bytes: Uint8Array<ArrayBuffer>) =>
        readAll(await openCsv(sourceOf(bytes), OPEN, { chunkBytes, peekBytes: 1 }));
      const asUtf8 = await read(new TextEncoder().encode(text));
      expect(asUtf8.records.slice(100)).toEqual([
        ['Käse déjà vu für Fräulein Müßig in Köln', '2'],
        ['Käse déjà vu für Fräulein Müßig in Köln too', '3'],
      ]);
      expect(asUtf8.notices).toEqual([]);
      const asLatin1 = await read(latin1(text));
      expect(asLatin1.records).toEqual(asUtf8.records);
      expect(asLatin1.lines).toEqual(asUtf8.lines);
      expect(asLatin1.notices).toEqual(notes(102));
      expect(await read(latin1(lines('x')))).toMatchObject({ notices: [], problems: [] });
    },
  );

  it('may end with the one character that is not', async () => {
    const { records, notices } = await readAll(await openCsv(sourceOf(latin1('a,b\n1,2\nStraße,é')), OPEN));
    expect(records).toEqual([['1', '2'], ['Straße', 'é']]); // prettier-ignore
    expect(notices).toEqual(notes(3));
  });

  it('is not read in another encoding that was chosen', async () => {
    const { notices } = await readAll(await openCsv(sourceOf(latin1(lines('é'))), PLAIN));
    expect(notices).toMatchObject([{ text: expect.stringContaining('BLOBs') as unknown }]);
  });
});
