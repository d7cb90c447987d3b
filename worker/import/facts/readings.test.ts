// Tests which readings of a column are offered, and what both engines make of its values under them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { readingSql } from '#shared/import/readings.ts';
import type { ColumnFacts, Reading } from '#shared/protocol/import.ts';
import type { Connection } from '../../engines/engine.ts';
import { createNativeEngine } from '../../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../../engines/wasm/wasm-engine.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD } from '../../records/record-batch.ts';
import { MARKS } from './classes.ts';
import { FactCounter } from './fact-counter.ts';

function factsOf(texts: readonly string[], decimalComma = false): ColumnFacts {
  const writer = new BatchWriter();
  for (const [at, text] of texts.entries()) {
    writer.begin(at + 1);
    writer.text(FIELD.text, text);
    writer.end();
  }
  const counter = new FactCounter({ format: 'csv', decimalComma, nullTokens: ['', 'NULL'] });
  counter.add(writer.take());
  return counter.facts(['c'])[0]!;
}

const DATES = { kind: 'dates', yearDigits: 4, clock: 'none' } as const;

describe('readings that are offered', () => {
  const numbers = (thousands: string | null, point: ',' | '.', isWhole = false): Reading => ({
    kind: 'numbers',
    thousands,
    point,
    isWhole,
  });
  const dates = (
    first: 'day' | 'month' | 'year',
    separator: '/' | '-' | '.',
    clock: 'none' | 24 | 12 = 'none',
    yearDigits: 2 | 4 = 4,
  ): Reading => ({ kind: 'dates', first, separator, yearDigits, clock });
  const cases: readonly (readonly [readonly string[], boolean, string, readonly Reading[]])[] = [
    [
      ['1,234.50', '12', '1,000,000'],
      false,
      '1 integer, 2 numbers with thousands separators: TEXT, as they are written',
      [numbers(',', '.')],
    ],
    [['1.234,56', '0,5', '12'], true, '1 integer, 1 real, 1 number with thousands separators: TEXT, as they are written', [numbers('.', ',')]],
    [['1,234', '-2,500', 'NULL'], false, '2 numbers like 1,234 (thousands or decimals): TEXT, as they are written', [numbers(',', '.', true), numbers(null, ',')]],
    [['1,234', '1.5'], false, '1 real, 1 number like 1,234 (thousands or decimals): TEXT, as they are written', [numbers(',', '.')]],
    [['1.234', '12'], true, '1 integer, 1 number like 1.234 (thousands or decimals): TEXT, as they are written', [numbers('.', ',', true), numbers(null, '.')]],
    [['1.234', '2.500'], false, '2 reals: REAL, 1 of them rewritten, as 1.50 becomes 1.5; 1.234 could also be 1234', [numbers('.', ',', true)]],
    [['1.234', '2.5'], false, '2 reals: REAL', []],
    [['0.125', '0.375'], false, '2 reals: REAL', []],
    [['1.234.567', '1.234'], false, '1 real, 1 number with thousands separators: TEXT, as they are written', [numbers('.', ',', true)]],
    [['1.234.567', '1.5'], false, '1 real, 1 number with thousands separators: TEXT, as they are written', []],
    [["1'234.50", "-9'999"], false, '2 numbers with thousands separators: TEXT, as they are written', [numbers("'", '.')]],
    [['1\u00a0234,5', '7'], true, '1 integer, 1 number with thousands separators: TEXT, as they are written', [numbers('\u00a0', ',')]],
    [['1 234', '1,234'], false, '2 numbers with thousands separators: TEXT, as they are written', []],
    [['1,234', 'x'], false, '1 text, 1 number like 1,234 (thousands or decimals): TEXT, as they are written', []],
    [['1,234', '007'], false, '1 with leading zeros, 1 number like 1,234 (thousands or decimals): TEXT, so 007 stays 007', []],
    [['1,23', '1,2345', '01,234', '1,234,56', '+1,234', '1,234.', '1234,567'], false, '7 texts: TEXT', []],
    [['123,456,789,012,345,678'], false, '1 text: TEXT', []],
    [['31/12/2026', '1/2/2026'], false, '2 dates (DD/MM/YYYY, the only order that fits all): TEXT, as they are written', [dates('day', '/')]],
    [['12/31/2026'], false, '1 date (MM/DD/YYYY): TEXT, as they are written', [dates('month', '/')]],
    [['1/2/2026', '11/12/2026'], false, '2 dates (DD/MM/YYYY or MM/DD/YYYY): TEXT, as they are written', [dates('day', '/'), dates('month', '/')]],
    [['31/12/2026', '12/31/2026'], false, '2 dates (DD/MM/YYYY, MM/DD/YYYY): TEXT, as they are written', []],
    [['01.02.2026', '1.2.2026'], false, '2 dates (DD.MM.YYYY): TEXT, as they are written', [dates('day', '.')]],
    [['1-31-2026', 'x'], false, '1 text, 1 date: TEXT', [dates('month', '-')]],
    [['2026/01/31'], false, '1 date (YYYY/MM/DD): TEXT, as they are written', [dates('year', '/')]],
    [['2026-01-31', '2026-01-31 10:00'], false, '2 dates (YYYY-MM-DD, YYYY-MM-DD HH:MM): TEXT, as they are written', []],
    [['1/2', '32/1/2026', '1/2/2026/3', '1.2.3', '1.2.26', '1-2-26', '1/2/026', '1/2/20266', '31.12.2026 24:05'], false, '9 texts: TEXT', []],
    [['12.31.2026'], false, '1 date (MM.DD.YYYY): TEXT, as they are written', [dates('month', '.')]],
    [['12.31.2026', '01.02.2026'], false, '2 dates (MM.DD.YYYY, the only order that fits all): TEXT, as they are written', [dates('month', '.')]],
    [['12.31.2026', '31.12.2026'], false, '2 dates (DD.MM.YYYY, MM.DD.YYYY): TEXT, as they are written', []],
    [['31/12/26', '1/2/69'], false, '2 dates (DD/MM/YY, the only order that fits all): TEXT, as they are written', [dates('day', '/', 'none', 2)]],
    [['1/2/26'], false, '1 date (DD/MM/YY or MM/DD/YY): TEXT, as they are written', [dates('day', '/', 'none', 2), dates('month', '/', 'none', 2)]],
    [['01.02.26'], false, '1 date (DD.MM.YY): TEXT, as they are written', [dates('day', '.', 'none', 2)]],
    [['12-31-99 23:59'], false, '1 date (MM-DD-YY HH:MM): TEXT, as they are written', [dates('month', '-', 24, 2)]],
    [['1/2/26', '1/2/2026'], false, '2 dates (DD/MM/YYYY or MM/DD/YYYY, DD/MM/YY or MM/DD/YY): TEXT, as they are written', []],
    [['31/12/2026 14:05', '1/2/2026'], false, '2 dates (DD/MM/YYYY HH:MM, DD/MM/YYYY or MM/DD/YYYY): TEXT, as they are written', [dates('day', '/', 24)]],
    [['12/31/2026 2:05 PM', '1/2/2026, 12:00:01\u202fam'], false, '2 dates (MM/DD/YYYY HH:MM AM, the only order that fits all): TEXT, as they are written', [dates('month', '/', 12)]],
    [['12/31/2026 2:05 PM', '12/31/2026 14:05'], false, '2 dates (MM/DD/YYYY HH:MM, MM/DD/YYYY HH:MM AM): TEXT, as they are written', []],
    [['12/31/2026 13:05 PM', '12/31/2026 0:05 AM', '12/31/2026 2:5', '12/31/2026 2:05:', '12/31/2026 2:05  PM', '12/31/2026T14:05', '12/31/2026 14:05Z'], false, '7 texts: TEXT', []],
    [['2026/12/31 14:05:09.25', '2026/01/02'], false, '2 dates (YYYY/MM/DD, YYYY/MM/DD HH:MM): TEXT, as they are written', [dates('year', '/', 24)]],
  ]; // prettier-ignore
  for (const [texts, decimalComma, reason, readings] of cases)
    it(`${texts.join(' | ')}${decimalComma ? ' with decimal comma' : ''}`, () =>
      expect(factsOf(texts, decimalComma)).toMatchObject({ reason, readings }));
});

describe('what a reading makes of a value', () => {
  const connections: Connection[] = [];
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sidelite-readings-'));
    const options = { durability: 'balanced', create: true } as const;
    connections.push((await createWasmEngine()).engine.open(IN_MEMORY, options));
    connections.push((await createNativeEngine()).open(join(folder, 'readings.sqlite'), options));
  });
  afterAll(() => {
    for (const connection of connections) connection.close();
    rmSync(folder, { recursive: true });
  });

  const read = (text: string, reading: Reading): unknown => {
    const sql = `SELECT ${readingSql(reading)} FROM (SELECT ? AS value)`;
    const [wasm, native] = connections.map((connection) => connection.one(sql, [text])![0]);
    expect(wasm).toEqual(native);
    return typeof wasm === 'object' && wasm !== null && 'real' in wasm ? wasm.real : wasm;
  };

  const points = fc.constantFrom<',' | '.'>(',', '.');
  const reading = fc
    .tuple(fc.constantFrom(...MARKS, null), points)
    .filter(([mark, point]) => mark !== point)
    .map(([thousands, point]): Reading & { kind: 'numbers' } => ({
      kind: 'numbers',
      thousands,
      point,
      isWhole: false,
    }));

  it('a number is the number, with or without its separators', () => {
    const number = fc.tuple(
      fc.boolean(),
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.option(fc.integer({ min: 0, max: 99_999 })),
    );
    fc.assert(
      fc.property(reading, number, fc.boolean(), (how, [isNegative, whole, decimals], isGrouped) => {
        const mark = isGrouped ? (how.thousands ?? '') : '';
        const digits = String(whole).replace(/\B(?=(\d{3})+$)/g, mark);
        const fraction = decimals === null ? '' : String(decimals).padStart(5, '0');
        const text = `${isNegative ? '-' : ''}${digits}${fraction === '' ? '' : how.point + fraction}`;
        const number = Number(`${isNegative ? '-' : ''}${whole}.${fraction || 0}`);
        expect(read(text, how)).toBe(number + 0);
      }),
      { seed: 20_266, numRuns: seedCount(1_000) },
    );
  });

  it('a text that is no number in this way stays as it is written', () => {
    const text = fc.string({
      unit: fc.constantFrom('1', '2', '0', ',', '.', ' ', "'", '-', 'a'),
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(reading, text, (how, written) => {
        const mark = how.thousands === null ? '' : `\\${how.thousands}`;
        const whole = mark === '' ? String.raw`\d+` : String.raw`(?:[1-9]\d{0,2}(?:${mark}\d{3})+|\d+)`;
        const isNumber = new RegExp(String.raw`^-?${whole}(?:\${how.point}\d+)?$`).test(written);
        const stored = read(written, how);
        if (!isNumber && typeof stored !== 'number') expect(stored).toBe(written);
        // SQLite also takes spaces around a number and digits on one side of the point alone for a number.
        else if (!isNumber) expect(written.trim()).toMatch(/^-?(?:\d+[.,]?|\d*[.,]\d+)$/);
      }),
      { seed: 20_266, numRuns: seedCount(3_000) },
    );
    expect(read('1,2,3', { kind: 'numbers', thousands: ',', point: '.', isWhole: false })).toBe('1,2,3');
    expect(read('1.234,5.678', { kind: 'numbers', thousands: '.', point: ',', isWhole: false })).toBe('1.234,5.678');
    expect(read('01.02.2026', { kind: 'numbers', thousands: '.', point: ',', isWhole: false })).toBe('01.02.2026');
  });

  it('a date is written as ISO 8601, and what is none stays as it is', () => {
    const day = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    const separators = fc.constantFrom<'/' | '-' | '.'>('/', '-', '.');
    fc.assert(
      fc.property(
        day,
        separators,
        fc.constantFrom<'day' | 'month'>('day', 'month'),
        fc.boolean(),
        (at, separator, first, isPadded) => {
          const iso = at.toISOString().slice(0, 10);
          const [year, month, date] = iso.split('-') as [string, string, string];
          const parts = (first === 'day' ? [date, month] : [month, date]).map((part) =>
            isPadded ? part : part.replace(/^0/, ''),
          );
          const text = [...parts, year].join(separator);
          expect(read(text, { ...DATES, first, separator })).toBe(iso);
          expect(read(`${text}0`, { ...DATES, first, separator })).toBe(`${text}0`);
        },
      ),
      { seed: 20_266, numRuns: seedCount(500) },
    );
    for (const text of [
      '31/2/2026',
      '12/31/2026',
      '1/2/3/2026',
      '1/2/26',
      '1//2/2026',
      '',
      'x',
      '001/2/2026',
      ' 1/2/2026',
    ])
      expect(read(text, { ...DATES, first: 'day', separator: '/' })).toBe(text);
    expect(read('2026/02/28', { ...DATES, first: 'year', separator: '/' })).toBe('2026-02-28');
    expect(read('2026/02/29', { ...DATES, first: 'year', separator: '/' })).toBe('2026/02/29');
  });

  /** Everything that makes a date and a time, and how it is written. */
  const written = fc.record({
    at: fc.date({ min: new Date('1970-01-01'), max: new Date('2069-12-31T23:59:59.999Z'), noInvalidDate: true }),
    first: fc.constantFrom<'day' | 'month' | 'year'>('day', 'month', 'year'),
    separator: fc.constantFrom<'/' | '-' | '.'>('/', '-', '.'),
    yearDigits: fc.constantFrom<2 | 4>(2, 4),
    clock: fc.constantFrom<'none' | 24 | 12>('none', 24, 12),
    hasTime: fc.boolean(),
    precision: fc.constantFrom(5, 8, 10, 12),
    isPadded: fc.boolean(),
    gap: fc.constantFrom(' ', ', '),
    half: fc.constantFrom(' AM', 'am', '\u202fAm'),
  });
  type Written = typeof written extends fc.Arbitrary<infer T> ? T : never;
  const bare = (text: string): string => text.replace(/^0/, '');

  /** The text, its reading, and what it should be read as. */
  function textOf(w: Written): { readonly text: string; readonly reading: Reading; readonly stored: string } {
    const [date, time] = w.at.toISOString().slice(0, -1).split('T') as [string, string];
    const [year, month, day] = date.split('-') as [string, string, string];
    // The shape that is read has the year in front with four digits, and slashes alone.
    const isYear = w.first === 'year';
    const shape = isYear ? ({ separator: '/', yearDigits: 4 } as const) : w;
    const two = (part: string): string => (w.isPadded || isYear || (shape.yearDigits === 2 && shape.separator !== '/') ? part : bare(part));
    const shown = year.slice(-shape.yearDigits);
    const parts = isYear ? [shown, month, day] : [...(w.first === 'day' ? [day, month] : [month, day]).map(two), shown];
    const { kind } = DATES;
    const clock = isYear && w.clock === 12 ? 24 : w.clock;
    const reading = { kind, first: w.first, separator: shape.separator, yearDigits: shape.yearDigits, clock };
    const text = parts.join(shape.separator);
    if (clock === 'none' || !w.hasTime) return { text, reading, stored: date };
    const exact = time.slice(0, w.precision);
    const [hours, rest] = [Number(time.slice(0, 2)), exact.slice(2)];
    const hour = clock === 12 ? String(hours % 12 || 12).padStart(2, '0') : exact.slice(0, 2);
    const half = clock === 12 ? (hours < 12 ? w.half : w.half.replace(/a/i, (a) => (a === 'a' ? 'p' : 'P'))) : '';
    const gap = isYear ? ' ' : w.gap;
    return { text: `${text}${gap}${w.isPadded ? hour : bare(hour)}${rest}${half}`, reading, stored: `${date} ${exact}` };
  } // prettier-ignore

  it('a date and its time are written as ISO 8601, as both engines and JavaScript have them', () => {
    fc.assert(
      fc.property(written, (one) => {
        const { text, reading, stored } = textOf(one);
        expect([text, read(text, reading)]).toEqual([text, stored]);
      }),
      { seed: 20_266, numRuns: seedCount(2_000) },
    );
  });

  it('is offered for what it reads, and reads nothing else', () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.constantFrom('', '0', ' ', ':', 'x', '/', '9'), (one, place, put) => {
        const { text, stored } = textOf(one);
        // Where a date with points may begin with the day, it does.
        fc.pre(one.separator !== '.' || one.first !== 'month' || one.at.getUTCDate() > 12);
        const offered = factsOf([text]).readings.filter(({ kind }) => kind === 'dates');
        expect(offered.map((reading) => `${text}: ${String(read(text, reading))}`)).toContain(`${text}: ${stored}`);
        // With one character put in or taken away it is another date, or stays as it is.
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + put + text.slice(put === '' ? at + 1 : at);
        for (const reading of offered) {
          const result = String(read(changed, reading));
          if (result !== changed)
          expect(result).toMatch(/^\d{4}-(0[1-9]|1[012])-(0[1-9]|[12]\d|3[01])( ([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?)?$/);
        }
      }),
      { seed: 20_266, numRuns: seedCount(1_500) },
    ); // prettier-ignore
  });

  it('no step of it is computed more than once', () => {
    const reading = { ...DATES, first: 'day', separator: '/', clock: 12 } as const;
    const sql = `SELECT ${readingSql(reading)} FROM (SELECT ? AS value)`;
    for (const connection of connections) {
      const functions = connection.all(`EXPLAIN ${sql}`, ['1/2/2026 2:05 PM']).filter((row) => row[1] === 'Function');
      expect(functions.length).toBeLessThan(2 * sql.split(/\b(?:substr|instr|replace|length|rtrim|upper|format|date|char)\(|GLOB/).length);
    } // prettier-ignore
  });

  it('two digits of a year are those from 1970 to 2069', () => {
    const reading = { ...DATES, first: 'day', separator: '/', yearDigits: 2 } as const;
    expect(['1/2/69', '1/2/70', '1/2/00', '29/2/00', '29/2/01'].map((text) => read(text, reading))).toEqual([
      '2069-02-01',
      '1970-02-01',
      '2000-02-01',
      '2000-02-29',
      '29/2/01',
    ]);
  });
});
