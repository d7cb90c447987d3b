// Parquet as records: a file of pyarrow, many of hyparquet-writer (by the author of the decoder), damaged and hostile ones.
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { fieldTexts } from '../../records/field-texts.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { parquetFormat } from '../formats/parquet.ts';
import { plainOptions } from '../plain-options.ts';
import { bytesSource, mutated, readAll, type ReadFile } from '../read-all.test-suite.ts';
import { pyarrowFile } from './pyarrow-file.test-suite.ts';
import { pyarrowMaps } from './pyarrow-maps.test-suite.ts';

const SEED = { seed: 20_261_122 };
/** What is read at the end of the file to find its description. */
const METADATA_BYTES = 600_000;

const readParquet = async (bytes: Uint8Array): Promise<ReadFile> =>
  await readAll(await parquetFormat.read(bytesSource(bytes), plainOptions('parquet')));

describe('written by pyarrow', () => {
  test('every type comes back exactly', async () => {
    const { columns, records, problems } = await readParquet(pyarrowFile());
    expect(problems).toEqual([]);
    const rows = records.map(({ fields }) => Object.fromEntries(fields.map((field, at) => [columns[at], field])));
    expect(rows[0]).toEqual({
      i64: 'number 9007199254740993',
      u64: 'number 18446744073709551615',
      u32: 'number 4294967295',
      dec9: 'number -0.01',
      dec38: 'number 12345678901234567890123456.789012345678',
      ms: 'quoted 1969-12-31 23:59:59.999',
      us_utc: 'quoted 2024-02-29 01:02:03.456789Z',
      ns: 'quoted 1970-01-01 00:00:00.000000001',
      day: 'quoted 0001-01-01',
      time: 'quoted 23:59:59.999999',
      f: 'number 1.0',
      f32: 'number 0.5',
      text: 'quoted grüße',
      bytes: 'blob 00ff',
      flag: 'true',
      dict: 'quoted x',
      list: 'json [1,null,1152921504606846976]',
      struct: 'json {"a":1.50,"b":["x","y\\""]}',
      map: 'json {"k":"2024-01-01 00:00:00.000"}',
    });
    expect(rows[1]).toMatchObject({
      i64: 'number -9223372036854775808',
      dec38: 'number -0.000000000001',
      ns: 'quoted 1969-12-31 23:59:59.999999999',
      day: 'quoted 9999-12-31',
      f: 'text NaN',
      f32: 'text Infinity',
      text: 'quoted ',
      bytes: 'blob ',
      list: 'json []',
      struct: 'json {"a":null,"b":null}',
      map: 'json {}',
    });
    expect(rows[2]).toMatchObject({
      i64: 'null',
      dec38: 'null',
      f: 'number -0.0',
      text: 'null',
      dict: 'quoted y',
      list: 'null',
    });
  });
});

test('maps keep all entries, in their order', async () => {
  const { records, problems } = await readParquet(pyarrowMaps());
  expect(problems).toEqual([]);
  expect(records.map(({ fields }) => fields)).toEqual([
    [
      'json {"k":"a","1":"b","k":null}',
      'json {"2":1.5,"1":2.5}',
      'json [{"x":1},{"x":2,"x":3}]',
      'json {"m":{"d":1},"9":1}',
    ],
    ['null', 'json {}', 'json [null]', 'json {"m":null,"9":2}'],
    ['json {}', 'null', 'null', 'null'],
  ]);
});

test('names of columns that are not those of the file, and bytes within lists, are said', async () => {
  const bytes = [Uint8Array.of(0, 255)];
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'a', data: [1, 2] },
      { name: 'A', data: [[new Uint8Array(0)], bytes] },
    ],
    schema: [
      { name: 'root', num_children: 2 },
      { name: 'a', type: 'INT32', repetition_type: 'REQUIRED' },
      { name: 'A', converted_type: 'LIST', num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    ],
  });
  const { columns, records, notices } = await readParquet(new Uint8Array(file));
  expect(columns).toEqual(['a', 'A_2']);
  expect(records.map(({ fields }) => fields[1])).toEqual(['json [""]', 'json ["00ff"]']);
  expect(notices).toEqual([
    { line: 1, text: 'Columns that have no name of their own in the file are called “A_2”.' },
    {
      line: 1,
      text: '“A_2” holds bytes within its values, which are written as hexadecimal digits, here and in all rows like it.',
    },
  ]);
  const flat = parquetWriteBuffer({ columnData: ['x', 'X'].map((name) => ({ name, data: [1], type: 'INT32' })) });
  expect((await readParquet(new Uint8Array(flat))).notices).toMatchObject([{ text: expect.stringContaining('“X_2”') }]);
});

test('moments that ISO 8601 does not write in four digits are text, and said once for each column', async () => {
  const { readings, notices } = await readMoments();
  expect(readings).toEqual({
    day: ['infinity', '-infinity', '-infinity', '+12345-01-02', '-0043-03-15', '2024-02-29'],
    ms: ['infinity', '-infinity', '-infinity', '+12345-01-02 03:04:05.000', '1969-12-31 23:59:59.999', '0000-01-01 00:00:00.000'],
    us: ['infinity', '-infinity', '-infinity', '+12345-01-02 03:04:05.000000', '1970-01-01 00:00:00.000000', '-0001-12-31 23:59:59.999999'],
    ns: ['2262-04-11 23:47:16.854775807', '1677-09-21 00:12:43.145224193', '1677-09-21 00:12:43.145224192', '2001-01-01 00:00:00.000000000', '1970-01-01 00:00:00.000000000', '1970-01-01 00:00:00.000000001'],
    time: ['24:00:00.000000', '00:00:00.000000', '86400000001', '-1', '12:00:00.000000', '12:00:00.000001'],
  }); // prettier-ignore
  const of = (name: string, what: RegExp, line: number): unknown => ({
    line,
    text: expect.stringMatching(
      new RegExp(`^“${name}” holds ${what.source}.*, here and in all rows like it\\.$`),
    ) as unknown,
  });
  expect(notices).toEqual([
    ...['day', 'ms', 'us'].map((name) => of(name, /infinite dates or times, which are kept as text \(infinity\)/, 1)),
    of('ns', /the last or first moment that its type has/, 1),
    of('time', /values that are not of its type, which are kept as they are stored \(86400000001\)/, 3),
    ...['day', 'ms', 'us'].map((name) => of(name, /dates beyond the years 0 to 9999.*\(\+12345-01-02/, 4)),
  ]);
});

test('texts that are not valid UTF-8 keep their bytes, which is said once for each column; a mark at the start of a text stays', async () => {
  const list = (values: readonly string[]) => ({ name: 'list', data: [values, ['\u{FEFF}b'], ['Z!']] });
  const file = new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: 'text', data: ['a', 'Z!', '\u{FEFF}b'], encoding: 'PLAIN' }, { ...list(['a', 'Z!']) }],
      schema: [
        { name: 'root', num_children: 2 },
        { name: 'text', type: 'BYTE_ARRAY', converted_type: 'ENUM', repetition_type: 'OPTIONAL' },
        { name: 'list', converted_type: 'LIST', num_children: 1, repetition_type: 'OPTIONAL' },
        { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
        { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      ],
      codec: 'UNCOMPRESSED',
      statistics: false,
    }),
  );
  for (let at = 0; at < file.length; at++) if (file[at] === 0x5a && file[at + 1] === 0x21) file[at] = 0xff;
  const { records, notices } = await readParquet(file);
  expect(records.map(({ fields }) => fields)).toEqual([
    ['quoted a', 'json ["a","ff21"]'],
    ['blob ff21', 'json ["\u{FEFF}b"]'],
    ['quoted \u{FEFF}b', 'json ["ff21"]'],
  ]);
  expect(notices.map(({ line, text }) => [line, text])).toEqual([
    [1, '“list” holds texts that are not valid UTF-8, whose bytes are written as hexadecimal digits, here and in all rows like it.'],
    [2, '“text” holds texts that are not valid UTF-8, whose bytes are kept as BLOBs, here and in all rows like it.'],
  ]); // prettier-ignore
});

/** Integers as DuckDB and PostgreSQL write them. */
async function readMoments(): Promise<{ readings: unknown; notices: readonly unknown[] }> {
  const [most, least] = [2n ** 63n - 1n, -(2n ** 63n)];
  const last = [most, least + 1n, least];
  const columns = [
    ['day', 'INT32', { converted_type: 'DATE' }, [2 ** 31 - 1, -(2 ** 31) + 1, -(2 ** 31), 3_789_392, -735_160, 19_782]],
    ['ms', 'INT64', { converted_type: 'TIMESTAMP_MILLIS' }, [...last, 327_403_479_845_000n, -1n, -62_167_219_200_000n]],
    ['us', 'INT64', { converted_type: 'TIMESTAMP_MICROS' }, [...last, 327_403_479_845_000_000n, 0n, -62_167_219_200_000_001n]],
    ['ns', 'INT64', { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' } }, [...last, 978_307_200_000_000_000n, 0n, 1n]],
    ['time', 'INT64', { converted_type: 'TIME_MICROS' }, [86_400_000_000n, 0n, 86_400_000_001n, -1n, 43_200_000_000n, 43_200_000_001n]],
  ] as const; // prettier-ignore
  const file = parquetWriteBuffer({
    columnData: columns.map(([name, , , data]) => ({ name, data: [...data] })),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(([name, type, meaning]) => ({ name, type, repetition_type: 'REQUIRED' as const, ...meaning })),
    ],
  });
  const { columns: names, records, notices } = await readParquet(new Uint8Array(file));
  const readings = names.map((name, at) => [name, records.map(({ fields }) => fields[at]!.replace(/^\w+ /, ''))]);
  return { readings: Object.fromEntries(readings), notices };
}

describe('written by hyparquet-writer', () => {
  const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 4 });
  const row = fc.record({
    id: nullable(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    text: nullable(fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())),
    real: nullable(fc.double()),
    flag: nullable(fc.boolean()),
    small: nullable(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  });
  const shown = (kind: string, value: unknown): string => (value === null ? 'null' : `${kind} ${String(value)}`);
  const realText = (value: number | null): string => {
    if (value === null) return 'null';
    if (!Number.isFinite(value)) return `text ${value}`;
    if (Object.is(value, -0)) return 'number -0.0';
    return /[.e]/.test(String(value)) ? `number ${value}` : `number ${value}.0`;
  };

  test('any rows come back exactly, over row groups, pages and slices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        async (rows, rowGroupSize, isSnappy) => {
          const column = <K extends keyof (typeof rows)[number]>(name: K): (typeof rows)[number][K][] =>
            rows.map((one) => one[name]);
          const file = parquetWriteBuffer({
            columnData: [
              { name: 'id', data: column('id'), type: 'INT64', nullable: true },
              { name: 'text', data: column('text'), type: 'STRING', nullable: true },
              { name: 'real', data: column('real'), type: 'DOUBLE', nullable: true },
              { name: 'flag', data: column('flag'), type: 'BOOLEAN', nullable: true },
              { name: 'small', data: column('small'), type: 'INT32', nullable: true },
            ],
            codec: isSnappy ? 'SNAPPY' : 'UNCOMPRESSED',
            rowGroupSize,
            pageSize: 64,
          });
          const { records, problems } = await readParquet(new Uint8Array(file));
          expect(problems).toEqual([]);
          expect(records.map(({ fields }) => fields)).toEqual(
            rows.map(({ id, text, real, flag, small }) => [
              shown('number', id),
              shown('quoted', text),
              realText(real),
              String(flag),
              shown('number', small),
            ]),
          );
        },
      ),
      { ...SEED, numRuns: seedCount(150) },
    );
  });

  test('a row group larger than a slice is read once, with an index of its pages and without', async () => {
    const ids = Array.from({ length: 70_000 }, (_, at) => at);
    const words = ids.map((id) => (id % 7 === 0 ? null : `word ${id % 1000}`));
    for (const offsetIndex of [true, false]) {
      const file = new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'id', data: ids, type: 'INT32', nullable: false, offsetIndex },
            { name: 'word', data: words, type: 'STRING', nullable: true, offsetIndex },
          ],
          rowGroupSize: ids.length,
          pageSize: 50_000,
        }),
      );
      const source = bytesSource(file);
      let bytesRead = 0;
      const counted: ByteSource = {
        ...source,
        read: (offset, length) => {
          bytesRead += length;
          return source.read(offset, length);
        },
      };
      const reader = await parquetFormat.read(counted, plainOptions('parquet'));
      let batches = 0;
      let next = 0;
      for (let batch = await reader.next(); batch !== null; batch = await reader.next(), batches++) {
        const first = next;
        next += batch.records;
        // To compare all of them takes longer than to read them.
        for (const row of [
          first,
          first + 1,
          ...ids.filter((id) => id % 997 === 0 && id > first && id < next),
          next - 1,
        ])
          expect(fieldTexts(batch, row - first)).toEqual([String(row), words[row] ?? '']);
      }
      expect([next, batches]).toEqual([ids.length, 3]);
      expect(bytesRead).toBeLessThan(file.length + METADATA_BYTES);
    }
  });
});

describe('damaged and hostile', () => {
  test('a file that is cut off, that is encrypted, and that is none', async () => {
    const file = pyarrowFile();
    await expect(readParquet(file.subarray(0, 3000))).rejects.toThrow('The end of the file is missing');
    await expect(readParquet(Buffer.from('PAR1'))).rejects.toMatchObject({ code: 'invalid' });
    await expect(readParquet(Buffer.concat([file.subarray(0, -4), Buffer.from('PARE')]))).rejects.toThrow('encrypted');
  });

  test('a row group that is damaged costs itself', async () => {
    const data = Array.from({ length: 4000 }, (_, at) => `text ${at} ${'x'.repeat(20)}`);
    const file = new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: 't', data, type: 'STRING' }], rowGroupSize: 2000 }),
    );
    // The header of its first page.
    file.fill(0xff, 4, 40);
    const { records, problems } = await readParquet(file);
    expect([records.length, records[0]?.line]).toEqual([2000, 2001]);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.line).toBe(1);
    expect(problems[0]!.reason).toMatch(/^Rows 1 to 2,000 were left out\. The Parquet file cannot be read: /);
  });

  test('a page that is damaged costs the ranges of rows it belongs to', async () => {
    const data = Array.from({ length: 80_000 }, (_, at) => `text ${(at * 7919) % 1_000_003}`);
    const file = new Uint8Array(
      parquetWriteBuffer({
        columnData: [{ name: 't', data, type: 'STRING', encoding: 'PLAIN' }],
        rowGroupSize: data.length,
        pageSize: 100_000,
        codec: 'SNAPPY',
      }),
    );
    const middle = file.length >> 1;
    file.fill(0xff, middle, middle + 500);
    const { records, problems } = await readParquet(file);
    const lost = new Set(problems.map(({ line }) => line));
    expect([...lost]).toEqual([32_769]);
    expect(records.map(({ line }) => line)).toEqual(
      data.map((_, at) => at + 1).filter((line) => line <= 32_768 || line > 65_536),
    );
    for (const { line, fields } of records.filter((_, at) => at % 997 === 0))
      expect(fields).toEqual([`quoted ${data[line - 1]}`]);
  });

  test('a run and a page that claim more values than there are cost no memory', async () => {
    const rows = 1 << 20;
    const data = Array.from({ length: rows }, () => 'same');
    const file = new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: 't', data, type: 'STRING' }], rowGroupSize: rows, pageSize: 1 << 30 }),
    );
    // The number of rows, doubled by zigzag in the headers and by its flag in the run, as a number of 4 bytes; then the largest of 4 bytes.
    const said: string[] = [];
    for (let at = 0; at + 4 <= file.length; at++) {
      if (file[at] !== 0x80 || file[at + 1] !== 0x80 || file[at + 2] !== 0x80 || file[at + 3] !== 0x01) continue;
      const hostile = Uint8Array.from(file);
      hostile.set([0xfe, 0xff, 0xff, 0x7f], at);
      const read = parquetFormat.read(bytesSource(hostile), plainOptions('parquet'));
      const problems = (async () => {
        const reader = await read;
        await reader.next();
        return reader.takeProblems().map(({ reason }) => reason);
      })();
      said.push(...(await problems.catch((error: unknown) => [(error as AppError).message])));
    }
    expect(said.join('\n')).toMatch(/a run claims 134217727 values in a page of 1048576/);
    expect(said.join('\n')).toMatch(/a page claims 134217727 values/);
  });

  test('any few bytes changed: rows, problems or an error for people, and always an end', async () => {
    const file = pyarrowFile();
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      byte: fc.nat(255),
      kind: fc.constantFrom(0, 0, 0, 1, 2, 3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        await readParquet(mutated(file, changes)).catch((error: unknown) => {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).code).not.toBe('internal');
        });
      }),
      { ...SEED, numRuns: seedCount(250) },
    );
  });
});
