// For tests: tables with values of every kind, and their way out and in again by our own export and import.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ExportOptions } from '#shared/protocol/export.ts';
import type { ImportColumn, ImportOptions, ImportPlan } from '#shared/protocol/import.ts';
import type { Value } from '#shared/protocol/values.ts';
import { isRawText, isReal, storageClassOf } from '#shared/protocol/values.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { formatOf as importFormatOf } from '../import/formats.ts';
import { plainOptions } from '../import/plain-options.ts';
import { ProblemLog } from '../import/problem-log.ts';
import { bytesSource } from '../import/read-all.test-suite.ts';
import { importRecords } from '../import/run.ts';
import { quoteName } from '../sql/quote.ts';
import { databaseOf, exportedFile, ofTable } from './export-fixture.test-suite.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';

type Row = readonly Value[];
export interface TableDefinition {
  /** Declared types, by name. */
  readonly columns: Readonly<Record<string, string>>;
  readonly strict?: boolean;
}

const createSql = (name: string, { columns, strict = false }: TableDefinition): string =>
  `CREATE TABLE ${name} (${Object.entries(columns)
    .map(([column, type]) => `${quoteName(column)} ${type}`)
    .join(', ')})${strict ? ' STRICT' : ''}`;

export function tableWith(engine: Engine, definition: TableDefinition, rows: readonly Row[]): Connection {
  const connection = databaseOf(engine, createSql('original', definition));
  const parameters = Object.keys(definition.columns).map(() => '?');
  for (const row of rows) connection.all(`INSERT INTO original VALUES (${parameters.join(', ')})`, row);
  return connection;
}

export const stored = (connection: Connection, table: string): readonly Row[] =>
  connection.all(`SELECT * FROM ${table} ORDER BY rowid`);

export interface Trip {
  readonly format: string;
  readonly exporting?: Partial<ExportOptions>;
  readonly importing: ImportOptions;
  /** Expression applied to each field, by the type of its column. */
  readonly expressions?: Readonly<Record<string, string>>;
}

/** Imports into a table of the same definition, by the plan a user would choose. */
export async function there(connection: Connection, definition: TableDefinition, trip: Trip) {
  const { bytes, notes } = await exportedFile(connection, ofTable('original'), trip.format, trip.exporting);
  connection.run(createSql('back', definition));
  const reader = await importFormatOf(trip.importing.format).read(bytesSource(bytes), trip.importing);
  const columns = Object.entries(definition.columns).map(([name, type], from): ImportColumn => ({
    name,
    from,
    type,
    notNull: false,
    primaryKey: false,
    defaultSql: '',
    expression: trip.expressions?.[type] ?? '',
  }));
  const target = { kind: 'table', table: 'back', mode: 'append', key: [], existing: 'skip' } as const;
  const plan: ImportPlan = {
    source: { kind: 'text', text: '', name: '' },
    options: trip.importing,
    target,
    columns,
    maxProblems: 1,
  };
  const problems = new ProblemLog();
  let pause: Promise<unknown> = Promise.resolve();
  const turn = { ...undisturbedTurn(connection), pauseUntil: (settled: Promise<unknown>) => void (pause = settled) };
  const run = importRecords(turn, { plan, reader, sizeBytes: bytes.length, problems, report: () => undefined });
  let step = run.next();
  for (; !step.done; step = run.next()) await pause;
  expect(problems.kept).toEqual([]);
  const back = stored(connection, 'back');
  connection.run('DROP TABLE back');
  return { back, notes };
}

/** Text that is equal only for the same value of the same storage class. */
export function exactly(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `blob ${Buffer.from(value).toString('hex')}`;
  if (isRawText(value)) return `text bytes ${Buffer.from(value.textBytes).toString('hex')}`;
  if (typeof value === 'string') return `text ${JSON.stringify(value)}`;
  const number = isReal(value) ? value.real : value;
  return `${storageClassOf(value)} ${Object.is(number, -0) ? '-0' : String(number)}`;
}

export const exact = (rows: readonly Row[]): readonly (readonly string[])[] => rows.map((row) => row.map(exactly));

export const INTEGER = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.integer().map(BigInt),
    fc.constantFrom(
      -(2n ** 63n),
      2n ** 63n - 1n,
      2n ** 53n,
      2n ** 53n + 1n,
      -(2n ** 53n) - 1n,
      999_999_999_999_999n,
      10n ** 15n,
    ),
  )
  .map((value): Value => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const DOUBLE = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
  fc.constantFrom(
    -0,
    0,
    Infinity,
    -Infinity,
    5e-324,
    2.225073858507201e-308,
    1.7976931348623157e308,
    0.1 + 0.2,
    1e15,
    123456789012345680,
    2 ** 63,
  ),
);
export const REAL = DOUBLE.map((real): Value => ({ real }));
export const TEXT: fc.Arbitrary<Value> = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...Array.from('ab \'"\n\r\t\0\u001f\u007f\\;,|#/&<>_'),
      'é',
      '😀',
      '\ufeff',
      '\u2028',
      '\u0085',
      '\uffff',
      '_x000D_',
    ),
    maxLength: 12,
  }),
  fc.constantFrom(
    '',
    'NULL',
    'null',
    'N/A',
    '007',
    '-0',
    '+1',
    '1e5',
    '1.50',
    '0x10',
    'true',
    '2024-01-31',
    '=1+1',
    ' 1',
    '1 ',
    '12345678901234567890',
    '"',
    '""',
    "'",
    '\r',
    '\n',
    '\r\n',
    '\ufeffa',
    '# no comment',
    '{',
    '[1]',
    '9e999',
    'Inf',
    '-',
    '.',
    'x'.repeat(70_000),
  ),
);
export const BLOB: fc.Arbitrary<Value> = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom(
    new Uint8Array(),
    new Uint8Array([0]),
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  ),
);
/** Lone surrogates as UTF-8 would write them, cut characters, and bytes that begin none. */
export const NOT_UTF8: fc.Arbitrary<Value> = fc
  .constantFrom([0xff], [0x61, 0xed, 0xa0, 0x80], [0xc3], [0xf0, 0x9f, 0x98], [0xc0, 0x80], [0, 0xfe, 0x62])
  .map((bytes) => ({ textBytes: Uint8Array.from(bytes) }));
export const orNull = (value: fc.Arbitrary<Value>): fc.Arbitrary<Value> => fc.option(value, { freq: 6 });

const CSV = plainOptions('csv', { hasHeader: true, nullTokens: [''] });
export const CSV_TRIPS: readonly (readonly [string, Trip])[] = [
  ['CSV', { format: 'csv', importing: CSV }],
  [
    'CSV of spreadsheets',
    {
      format: 'csv',
      exporting: { delimiter: ';', decimal: ',', lineEnding: 'crlf', bom: true },
      importing: { ...CSV, delimiter: ';', decimalComma: true },
    },
  ],
  [
    'CSV with NULL as a word',
    {
      format: 'csv',
      exporting: { nullText: 'NULL', header: false },
      importing: { ...CSV, hasHeader: false, nullTokens: ['NULL'] },
    },
  ],
  ['TSV', { format: 'tsv', importing: { ...CSV, delimiter: '\t' } }],
];
/** Formats that distinguish a number from a text. */
export const TYPED_TRIPS: readonly (readonly [string, Trip])[] = [
  ['JSON', { format: 'json', importing: plainOptions('json') }],
  ['NDJSON', { format: 'ndjson', importing: plainOptions('ndjson') }],
  ['XLSX', { format: 'xlsx', importing: plainOptions('xlsx', { hasHeader: true }) }],
];
