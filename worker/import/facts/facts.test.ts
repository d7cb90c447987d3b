import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { ColumnFacts } from '#shared/protocol/import.ts';
import type { Connection } from '../../engines/engine.ts';
import { createNativeEngine } from '../../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../../engines/wasm/wasm-engine.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD, type FieldKind } from '../../records/record-batch.ts';
import { FactCounter } from './fact-counter.ts';
import type { FactOptions } from './suggest-type.ts';

const PLAIN: FactOptions = { format: 'csv', decimalComma: false, nullTokens: ['', 'NULL'] };

const JSON_OPTIONS: FactOptions = { ...PLAIN, format: 'json' };

const number = (text: string) => [FIELD.number, text] as const;
const string = (text: string) => [FIELD.quoted, text] as const;

/** One column. A kind, or a text without quotes. */
function factsOf(fields: readonly (string | readonly [FieldKind, string])[], options = PLAIN): ColumnFacts {
  const writer = new BatchWriter();
  for (const [at, field] of fields.entries()) {
    writer.begin(at + 1);
    if (field === '') writer.bare(FIELD.empty);
    else if (typeof field === 'string') writer.text(FIELD.text, field);
    else writer.text(field[0], field[1]);
    writer.end();
  }
  const counter = new FactCounter(options);
  counter.add(writer.take());
  return counter.facts(['c'])[0]!;
}

it('counts a number of any length', () => {
  const facts = factsOf([number(`0.${'123456789'.repeat(50_000)}`), number('0.1234567890123456')], JSON_OPTIONS);
  expect([facts.reals, facts.inexactReals]).toEqual([1, 1]);
});

describe('what a column holds', () => {
  const counted = (facts: ColumnFacts): Record<string, unknown> => {
    const {
      name: _name,
      suggested: _suggested,
      reason: _reason,
      content: _content,
      readings: _readings,
      longest: _longest,
      ...counts
    } = facts;
    return Object.fromEntries(
      Object.entries(counts).filter(([, count]) =>
        typeof count === 'number' ? count > 0 : Object.keys(count).length > 0,
      ),
    );
  };
  const one: Readonly<Record<string, Record<string, unknown>>> = {
    '': { empty: 1 },
    NULL: { nulls: 1 },
    '0': { integers: 1 },
    '-12': { integers: 1 },
    '9007199254740992': { integers: 1 },
    '9007199254740993': { integers: 1, beyond53: 1 },
    '-9223372036854775808': { integers: 1, beyond53: 1 },
    '9223372036854775807': { integers: 1, beyond53: 1 },
    '9223372036854775808': { beyond64: 1 },
    '12345678901234567890123': { beyond64: 1 },
    '007': { leadingZeros: 1 },
    '-0': { leadingZeros: 1 },
    '00.5': { leadingZeros: 1 },
    '+5': { plusSigns: 1 },
    '+5.5': { plusSigns: 1 },
    '0x1F': { hex: 1 },
    '1x1': { texts: 1 },
    '0x': { texts: 1 },
    '1.5': { reals: 1 },
    '1.0': { reals: 1 },
    '0.0': { reals: 1 },
    '-0.0': { inexactReals: 1 },
    '1.50': { inexactReals: 1 },
    '.5': { inexactReals: 1 },
    '5.': { inexactReals: 1 },
    '1e5': { inexactReals: 1 },
    '1.5E-3': { inexactReals: 1 },
    '0.00001': { inexactReals: 1 },
    '12345678.9012345': { inexactReals: 1 },
    '1e': { texts: 1 },
    '.': { texts: 1 },
    '-': { texts: 1 },
    ' 5': { texts: 1 },
    '5 ': { texts: 1 },
    '1,5': { texts: 1 },
    '1_000': { texts: 1 },
    Infinity: { texts: 1 },
    true: { booleans: 1 },
    No: { booleans: 1 },
    tree: { texts: 1 },
    '2024-02-29': { dates: { 'YYYY-MM-DD': 1 } },
    '2024-13-01': { texts: 1 },
    '2024-02-29 12:30': { dates: { 'YYYY-MM-DD HH:MM': 1 } },
    '2024-02-29T12:30:59.123Z': { dates: { 'YYYY-MM-DDTHH:MM': 1 } },
    '2024-02-29T12:30:59+01:00': { dates: { 'YYYY-MM-DDTHH:MM': 1 } },
    '2024/02/29': { dates: { 'YYYY/MM/DD': 1 } },
    '31.12.2024': { dates: { 'DD.MM.YYYY': 1 } },
    '31/12/2024': { dates: { 'DD/MM/YYYY': 1 } },
    '12/31/2024': { dates: { 'MM/DD/YYYY': 1 } },
    '12/11/2024': { dates: { 'DD/MM/YYYY or MM/DD/YYYY': 1 } },
    '31-12-2024': { dates: { 'DD-MM-YYYY': 1 } },
    '1/2/2024': { dates: { 'DD/MM/YYYY or MM/DD/YYYY': 1 } },
    '1-31-2024': { dates: { 'MM-DD-YYYY': 1 } },
    '1,234': { thousands: { ',': 1 } },
    '1.234': { reals: 1 },
    '1.230': { inexactReals: 1 },
    '1.234.567,8': { thousands: { '.': 1 } },
    '9:05': { dates: { 'HH:MM': 1 } },
    '25:61': { texts: 1 },
    '192.168.0.1': { texts: 1 },
  };
  for (const [text, counts] of Object.entries(one))
    it(`“${text}” counts as ${JSON.stringify(counts)}`, () => expect(counted(factsOf([text]))).toEqual(counts));

  it('counts kinds of fields, what is missing, and the longest text', () => {
    const writer = new BatchWriter();
    const row = (...kinds: FieldKind[]): void => {
      writer.begin(1);
      for (const kind of kinds) writer.text(kind, kind === FIELD.json ? '[1]' : kind >= FIELD.text ? 'NULL' : '');
      writer.end();
    };
    row(FIELD.quotedEmpty, FIELD.json);
    row(FIELD.quoted);
    row(FIELD.absent, FIELD.blob);
    const counter = new FactCounter(PLAIN);
    counter.add(writer.take());
    counter.add(writer.take());
    const [first, second, third] = counter.facts(['a', 'b', 'c']);
    expect(first).toMatchObject({ quotedEmpty: 2, texts: 2, absent: 2, nulls: 0, longest: 4 });
    expect(second).toMatchObject({ json: 2, blobs: 2, absent: 2 });
    expect(third).toMatchObject({ absent: 6, suggested: 'TEXT', reason: 'only NULL: TEXT' });
  });
});

describe('the suggested type', () => {
  const cases: readonly (readonly [
    readonly (string | readonly [FieldKind, string])[],
    string,
    string,
    FactOptions?,
  ])[] = [
    [['1', '2', ''], 'INTEGER', '2 integers: INTEGER'],
    [['1', '007', '08'], 'TEXT', '1 integer, 2 with leading zeros: TEXT, so 007 stays 007'],
    [['1', '9007199254740993'], 'INTEGER', '2 integers, 1 beyond 2^53 (exact here, not in a spreadsheet): INTEGER'],
    [['1', '9223372036854775808'], 'TEXT', '1 integer, 1 beyond 64 bits: TEXT, so that no digit is lost'],
    [['1.5', '2.5'], 'REAL', '2 reals: REAL'],
    [['1.5', '2'], 'NUMERIC', '1 integer, 1 real: NUMERIC, so 1 stays 1 and 1.5 stays 1.5'],
    [['1.0', '2.0'], 'REAL', '2 reals: REAL'],
    [['1.0', '2'], 'NUMERIC', '1 integer, 1 real: NUMERIC, 1 spelled anew, as 1.0 becomes 1'],
    [['1.5', '1.50', '.5e-3'], 'REAL', '3 reals: REAL, 2 of them rewritten, as 1.50 becomes 1.5'],
    [['52.5200065999999', '1'], 'NUMERIC', '1 integer, 1 real: NUMERIC, 1 spelled anew, as 1.0 becomes 1'],
    [['1.5', '0.1234567890123456'], 'TEXT', '1 real, 1 with more than 15 digits: TEXT, so that no digit is lost'],
    [['1.5', '1.5e300'], 'TEXT', '1 real, 1 with more than 15 digits: TEXT, so that no digit is lost'],
    [['0.1234567890123456'], 'TEXT', '1 with more than 15 digits: TEXT, so that no digit is lost'],
    [['2E10'], 'TEXT', '1 like 2E10: TEXT, so 2E10 stays 2E10'],
    [[number('0.30000000000000004'), number('1e+300'), number('2E10'), number('100.0')], 'REAL', '4 reals: REAL'],
    [
      [number('0.3000000000000000444'), number('1.5e400')],
      'TEXT',
      '2 with more than 15 digits: TEXT, so that no digit is lost',
    ],
    [['12', '2E10'], 'TEXT', '1 integer, 1 like 2E10: TEXT, so 2E10 stays 2E10'],
    [
      ['1,5', '1,50', '3'],
      'REAL',
      '1 integer, 2 reals: REAL, so 1,5 is stored as 1.5',
      { format: 'csv', decimalComma: true, nullTokens: [''] },
    ],
    [
      ['1,5', '1,2345678901234567'],
      'TEXT',
      '1 real, 1 with more than 15 digits: TEXT, so that no digit is lost',
      { format: 'csv', decimalComma: true, nullTokens: [''] },
    ],
    [['1.5', '1,5'], 'TEXT', '1 real, 1 other text: TEXT', { format: 'csv', decimalComma: true, nullTokens: [''] }],
    [['true', 'false'], 'TEXT', '2 true or false: TEXT'],
    [['0', '1'], 'INTEGER', '2 integers: INTEGER'],
    [
      [
        [FIELD.true, ''],
        [FIELD.false, ''],
      ],
      'INTEGER',
      '2 true or false: INTEGER, as 1 and 0',
    ],
    [['2024-01-31'], 'TEXT', '1 date (YYYY-MM-DD): TEXT, as they are written'],
    [['1', 'x'], 'TEXT', '1 integer, 1 other text: TEXT'],
    [['1', [FIELD.quotedEmpty, '']], 'TEXT', '1 integer, 1 empty text in quotes (""): TEXT'],
    [
      ['1', [FIELD.quotedEmpty, '']],
      'INTEGER',
      '1 integer: INTEGER',
      { format: 'csv', decimalComma: false, nullTokens: ['""'] },
    ],
    [['1', ''], 'TEXT', '1 integer, 1 empty text: TEXT', { format: 'csv', decimalComma: false, nullTokens: [] }],
    // In CSV quotes say nothing about types; other formats know theirs.
    [[string('1'), string('2')], 'INTEGER', '2 integers: INTEGER'],
    [[string('1'), string('2')], 'TEXT', '2 integers, in text: TEXT, as they are written', JSON_OPTIONS],
    [[string('1.10'), string('2')], 'TEXT', '1 integer, 1 real, in text: TEXT, as they are written', JSON_OPTIONS],
    [[number('1'), string('2')], 'TEXT', '2 integers, 1 of them in text: TEXT, as they are written', JSON_OPTIONS],
    [[string('1.10'), string('x')], 'TEXT', '1 real, 1 other text, in text: TEXT, as they are written', JSON_OPTIONS],
    [
      [number('1.10'), number('2')],
      'NUMERIC',
      '1 integer, 1 real: NUMERIC, 1 spelled anew, as 1.0 becomes 1',
      JSON_OPTIONS,
    ],
    [[[FIELD.blob, 'x']], 'BLOB', '1 blob: BLOB'],
    [['NULL'], 'TEXT', 'only NULL: TEXT'],
    [[], 'TEXT', 'no rows: TEXT'],
  ];
  for (const [fields, type, reason, options] of cases)
    it(reason, () => expect(factsOf(fields, options)).toMatchObject({ suggested: type, reason }));
});

describe('import by the suggestion gives every number back, and every other field as it is written', () => {
  const connections: Connection[] = [];
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sidelite-facts-'));
    const options = { durability: 'balanced', create: true } as const;
    connections.push((await createWasmEngine()).engine.open(IN_MEMORY, options));
    connections.push((await createNativeEngine()).open(join(folder, 'facts.sqlite'), options));
    for (const connection of connections)
      connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, r REAL, n NUMERIC, x TEXT, b BLOB)');
  });
  afterAll(() => {
    for (const connection of connections) connection.close();
    rmSync(folder, { recursive: true });
  });

  /** SQLite has no -0. */
  const asStored = (text: string): number => Number(text) + 0;
  const COLUMN = { INTEGER: 'a', REAL: 'r', NUMERIC: 'n', TEXT: 'x', BLOB: 'b' } as const;
  const digits = (most: number) =>
    fc.string({ unit: fc.constantFrom('0', '1', '2', '5', '9'), minLength: 1, maxLength: most });
  const families = [
    fc.maxSafeInteger().map(String),
    fc.bigInt({ min: -(2n ** 63n) - 3n, max: 2n ** 63n + 3n }).map(String),
    fc.integer({ min: -3, max: 3 }).map((more) => String(2n ** 63n + BigInt(more))),
    digits(22),
    fc
      .tuple(fc.constantFrom('', '-', '+'), digits(9), digits(9))
      .map(([sign, whole, rest]) => `${sign}${whole}.${rest}`),
    fc.integer({ min: -99_999, max: 99_999 }).map((cents) => String(cents / 100)),
    fc.integer({ min: 0, max: 10_000_000 }).map((small) => (small / 10_000_000_000).toFixed(10).replace(/0+$/, '')),
    fc.integer({ min: -50, max: 50 }).map((whole) => `${whole}.0`),
    fc.double({ noNaN: true }).map(String),
    fc.float({ noNaN: true }).map(String),
    fc.constantFrom(
      '0x10',
      '-0',
      '-0.0',
      '.5',
      '5.',
      '1e3',
      '1E400',
      'x',
      ' 5',
      '5 ',
      '\t5',
      'inf',
      'true',
      '2024-01-01',
      '1_0',
    ),
  ];
  // A few families at a time: with all of them in one column every one is text.
  const column = fc
    .subarray(families, { minLength: 1, maxLength: 2 })
    .chain((some) => fc.array(fc.oneof(...some), { minLength: 1, maxLength: 5 }));

  it('on both engines', () => {
    const seen: Record<string, number> = {};
    fc.assert(
      fc.property(column, (texts) => {
        const { suggested } = factsOf(texts);
        seen[suggested] = (seen[suggested] ?? 0) + 1;
        for (const connection of connections) {
          connection.run('BEGIN');
          for (const text of texts) connection.run(`INSERT INTO t(${COLUMN[suggested]}) VALUES (?)`, [text]);
          const back = connection
            .all(`SELECT CAST(${COLUMN[suggested]} AS TEXT) FROM t ORDER BY id`)
            .map(([text]) => text);
          connection.run('ROLLBACK');
          if (suggested === 'REAL' || suggested === 'NUMERIC') expect(back.map(Number)).toEqual(texts.map(asStored));
          else expect(back).toEqual(texts);
        }
      }),
      { seed: 20266, numRuns: seedCount(1_500) },
    );
    for (const type of ['INTEGER', 'REAL', 'NUMERIC', 'TEXT'])
      expect(seen[type]).toBeGreaterThan(seedCount(1_500) / 75);
  });
});
