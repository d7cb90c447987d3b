// Exports come back unchanged through our own import, or the export says what does not: every storage class, in every format that can be
// read back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import { isRawText, isReal, storageClassOf } from '#shared/protocol/values.ts';
import type { Engine } from '../engines/engine.ts';
import { formatOf as importFormatOf } from '../import/formats.ts';
import { detectSource } from '../import/detect-source.ts';
import { bytesSource } from '../import/read-all.test-suite.ts';
import type { FileClient } from '../library/files.ts';
import { realText } from './byte-writer.ts';
import { databaseOf, ENGINES, exported, exportedFile, ofTable, wasm } from './export-fixture.test-suite.ts';
import { formatOf } from './formats/all.ts';
import {
  BLOB,
  CSV_TRIPS,
  exact,
  exactly,
  INTEGER,
  NOT_UTF8,
  orNull,
  REAL,
  stored,
  tableWith,
  TEXT,
  there,
  TYPED_TRIPS,
} from './round-trip-fixture.test-suite.ts';
import type { TableDefinition } from './round-trip-fixture.test-suite.ts';

const TYPED: TableDefinition = { columns: { n: 'INTEGER', i: 'INTEGER', r: 'REAL', t: 'TEXT', b: 'BLOB' } };
const typedRow = fc.tuple(fc.constant<Value>(1), orNull(INTEGER), orNull(REAL), orNull(TEXT), orNull(BLOB));
const FROM_HEX = { BLOB: 'unhex(value)' };

describe.each(ENGINES)('by the %s engine', (_name, engine) => {
  describe.each([...CSV_TRIPS, ...TYPED_TRIPS])('%s', (name, trip) => {
    test('gives back every value of its column’s storage class, BLOBs by unhex()', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(typedRow, { minLength: 1, maxLength: 25 }), async (rows) => {
          const connection = tableWith(engine, TYPED, rows);
          const { back } = await there(connection, TYPED, { ...trip, expressions: FROM_HEX });
          const isCut = (value: Value): boolean =>
            name === 'XLSX' && typeof value === 'string' && value.length > 32_767;
          const kept = stored(connection, 'original').map((row) =>
            row.map((value) => (isCut(value) ? String(value).slice(0, 32_767) : value)),
          );
          expect(exact(back)).toEqual(exact(kept));
        }),
        { seed: 1301, numRuns: seedCount(40) },
      );
    });
  });
});

const MIXED: TableDefinition = { columns: { n: 'INTEGER', a: '', b: '' } };
const STRICT_ANY: TableDefinition = { columns: { n: 'INTEGER', a: 'ANY', b: 'ANY' }, strict: true };
const anyValue = (engine: Engine): fc.Arbitrary<Value> =>
  fc.oneof(fc.constant(null), INTEGER, REAL, TEXT, BLOB, ...(engine === wasm ? [NOT_UTF8] : []));

/** Why a value does not come back, as the notes of an export begin to say it; null: it does. */
function lossOf(value: Value, format: string): string | null {
  if (value instanceof Uint8Array) return 'BLOB';
  if (isRawText(value)) return 'not valid UTF-8';
  if (format !== 'xlsx') return null;
  const number = isReal(value) ? value.real : value;
  if (typeof number === 'string') return number.length > 32_767 ? 'cut' : null;
  if (isReal(value)) return Number.isFinite(value.real) ? null : 'infinite';
  if (typeof number === 'number' && !Number.isInteger(number)) return Number.isFinite(number) ? null : 'infinite';
  return number !== null && (number > 999_999_999_999_999n || number < -999_999_999_999_999n) ? 'integer' : null;
}

/** The number at the beginning of the note about this. */
const counted = (notes: readonly string[], about: string): number =>
  Number(
    notes
      .find((note) => note.includes(about))
      ?.replace(/ .*/s, '')
      .replaceAll(',', '') ?? 0,
  );

describe.each(ENGINES)('by the %s engine, in columns that take anything', (_name, engine) => {
  const value = anyValue(engine);
  const rows = fc.array(
    fc.tuple(
      fc.integer().map((n): Value => n),
      value,
      value,
    ),
    { minLength: 1, maxLength: 25 },
  );

  test.each(TYPED_TRIPS)(
    '%s gives back what it does not say it cannot hold, and says no more',
    async (_format, trip) => {
      const { ofBlobs } = formatOf(trip.format).info;
      await fc.assert(
        fc.asyncProperty(rows, fc.constantFrom(MIXED, STRICT_ANY), async (given, definition) => {
          const connection = tableWith(engine, definition, given);
          const { back, notes } = await there(connection, definition, trip);
          const original = stored(connection, 'original');
          const lost = new Map<string, number>();
          original.forEach((row, at) =>
            row.forEach((each, column) => {
              const why = lossOf(each, trip.format);
              const isSame = exactly(back[at]![column]!) === exactly(each);
              expect([exactly(each), isSame]).toEqual([exactly(each), why === null]);
              if (why !== null) lost.set(why, (lost.get(why) ?? 0) + 1);
            }),
          );
          expect(back).toHaveLength(original.length);
          if (lost.delete('BLOB')) expect(ofBlobs).toContain('BLOBs become text');
          for (const [why, count] of lost) expect([why, counted(notes, why)]).toEqual([why, count]);
          expect(notes).toHaveLength(lost.size);
        }),
        { seed: 1302, numRuns: seedCount(60) },
      );
    },
  );

  test.each(CSV_TRIPS)('%s gives back the text of every value, and NULL, as it says', async (_format, trip) => {
    const { cannotHold, ofBlobs } = formatOf(trip.format).info;
    expect([...cannotHold, ofBlobs].join()).toMatch(/Types are not kept.*BLOBs become text/);
    const comma = trip.exporting?.decimal === ',';
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const connection = tableWith(engine, MIXED, given);
        const { back, notes } = await there(connection, MIXED, trip);
        const original = stored(connection, 'original');
        expect(exact(back.map((row) => row.slice(1)))).toEqual(
          exact(original.map((row) => row.slice(1).map((each) => textOf(each, comma)))),
        );
        const all = original.flat();
        expect(counted(notes, 'not valid UTF-8')).toBe(all.filter(isRawText).length);
        const nuls = all.filter((each) =>
          isRawText(each) ? each.textBytes.includes(0) : typeof each === 'string' && each.includes('\0'),
        );
        expect(counted(notes, 'NUL')).toBe(nuls.length);
      }),
      { seed: 1303, numRuns: seedCount(40) },
    );
  });

  test('SQL gives back everything, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(TYPED, MIXED, STRICT_ANY), async (given, definition) => {
        const width = Object.keys(definition.columns).length;
        const fitting = given.map((row) => Array.from({ length: width }, (_, at) => row[at % row.length]!));
        const connection = tableWith(engine, definition, fitting);
        for (const [source, format] of [
          [ofTable('original'), 'sql'],
          [{ kind: 'database' }, 'dump'],
        ] as const) {
          const { text, notes } = exported(connection, source, format);
          expect(notes).toEqual([]);
          for (const [, by] of ENGINES) {
            // The native engine reads U+FFFD for invalid UTF-8, also where the bytes are stored as they were.
            if (engine !== by && given.flat().some(isRawText)) continue;
            const back = databaseOf(by, text);
            expect(exact(stored(back, 'original'))).toEqual(exact(stored(connection, 'original')));
            back.close();
          }
        }
      }),
      { seed: 1304, numRuns: seedCount(25) },
    );
  });
});

function textOf(value: Value, comma: boolean): Value {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
  if (isRawText(value)) return Buffer.from(value.textBytes).toString('hex').toUpperCase();
  if (storageClassOf(value) !== 'real') return String(value);
  const text = realText(isReal(value) ? value.real : Number(value));
  return comma ? text.replace('.', ',') : text;
}

describe('rows of nothing but NULL, and tables of one column', () => {
  const ONE: TableDefinition = { columns: { only: 'TEXT' } };
  const TWO: TableDefinition = { columns: { a: 'TEXT', b: 'INTEGER' } };

  test.each([...CSV_TRIPS, ...TYPED_TRIPS])('%s keeps them, or says that it does not', async (_format, trip) => {
    for (const [definition, rows] of [
      [ONE, [['a'], [null], [''], [null], [null], ['z']]],
      [
        TWO,
        [
          [null, null],
          ['', null],
          [null, 1],
          [null, null],
        ],
      ],
    ] as const) {
      const connection = tableWith(wasm, definition, rows);
      const { back, notes } = await there(connection, definition, trip);
      const missing = rows.length - back.length;
      const said = counted(notes, 'only value is NULL') + counted(notes, 'nothing but NULL');
      expect([missing, missing === 0 ? back : said]).toEqual([missing, missing === 0 ? rows : missing]);
    }
  });
});

describe('names of columns', () => {
  test('of any kind come back but for space around them, in every format that is read again', async () => {
    const name = fc
      .string({
        unit: fc.constantFrom(
          'a',
          'B',
          ' ',
          ',',
          ';',
          '\t',
          '"',
          "'",
          '\n',
          '\r',
          '_x000D_',
          '.',
          '/',
          'é',
          '\u0001',
          '1',
          '-',
        ),
        minLength: 1,
        maxLength: 6,
      })
      .filter((each) => each.trim() === each);
    const names = fc.uniqueArray(name, { minLength: 2, maxLength: 5, selector: (each) => each.toLowerCase() });
    for (const [format, trip] of [...CSV_TRIPS.filter(([, { importing }]) => importing.hasHeader), ...TYPED_TRIPS])
      await fc.assert(
        fc.asyncProperty(names, async (given) => {
          const definition = { columns: Object.fromEntries(given.map((each) => [each, 'TEXT'])) };
          const connection = tableWith(wasm, definition, [Object.keys(definition.columns)]);
          const { bytes } = await exportedFile(connection, ofTable('original'), trip.format, trip.exporting);
          const reader = await importFormatOf(trip.importing.format).read(bytesSource(bytes), trip.importing);
          await reader.next();
          expect([format, reader.columns]).toEqual([format, Object.keys(definition.columns)]);
        }),
        { seed: 1305, numRuns: seedCount(30) },
      );
  });
});

test('our own CSV and TSV are recognized for what they are', async () => {
  const word = fc
    .string({ unit: fc.constantFrom(...Array.from('abcdefgh ,;"')), minLength: 1, maxLength: 10 })
    .filter((each) => each.trim() !== '');
  const row = fc.tuple(INTEGER, orNull(fc.integer().map((cents): Value => ({ real: cents / 100 }))), orNull(word));
  const definition = { columns: { id: 'INTEGER', price: 'REAL', name: 'TEXT' } };
  for (const [, { format, exporting, importing }] of CSV_TRIPS.filter(([, { importing }]) => importing.hasHeader))
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 5, maxLength: 30 }), async (rows) => {
        const { text } = exported(tableWith(wasm, definition, rows), ofTable('original'), format, exporting);
        const detected = await detectSource(NO_FILES, { kind: 'text', text, name: `rows.${format}` }, {});
        const { delimiter, hasHeader, encoding, quote, nullTokens } = detected.options;
        expect({ delimiter, hasHeader, encoding, nullTokens }).toEqual({
          delimiter: importing.delimiter,
          hasHeader: true,
          encoding: 'utf-8',
          nullTokens: [''],
        });
        if (text.includes('"')) expect(quote).toBe('"');
        expect(detected.columns).toEqual(['id', 'price', 'name']);
      }),
      { seed: 1306, numRuns: seedCount(40) },
    );
});

const NO_FILES = { call: () => Promise.reject(new Error('There are no files.')) } as unknown as FileClient;

test('dates that are written as dates of a workbook come back as they were', async () => {
  const day = fc.date({ min: new Date('1900-03-01'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
  const row = fc.tuple(fc.constant<Value>(1), orNull(day.map((at) => at.toISOString().slice(0, 10))), orNull(day.map((at) => at.toISOString().slice(0, 19).replace('T', ' ')))); // prettier-ignore
  const definition: TableDefinition = { columns: { n: 'INTEGER', day: 'TEXT', at: 'TEXT' } };
  const [, xlsx] = TYPED_TRIPS.find(([name]) => name === 'XLSX')!;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 25 }), async (rows) => {
      const connection = tableWith(wasm, definition, rows);
      const { back } = await there(connection, definition, { ...xlsx, exporting: { excelDates: true } });
      expect(exact(back)).toEqual(exact(stored(connection, 'original')));
    }),
    { seed: 1302, numRuns: seedCount(40) },
  );
});
