// Tests which readings of a column are offered, and what both engines make of its values under them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  const counter = new FactCounter({ decimalComma, nullTokens: ['', 'NULL'] });
  counter.add(writer.take());
  return counter.facts(['c'])[0]!;
}

describe('readings that are offered', () => {
  const numbers = (thousands: string | null, point: ',' | '.', isWhole = false): Reading => ({
    kind: 'numbers',
    thousands,
    point,
    isWhole,
  });
  const dates = (first: 'day' | 'month' | 'year', separator: '/' | '-' | '.'): Reading => ({
    kind: 'dates',
    first,
    separator,
  });
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
    [['1/2/26', '1/2', '32/1/2026', '1/2/2026/3', '1.2.3'], false, '5 texts: TEXT', []],
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
      { seed: 20_266, numRuns: 1_000 },
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
      { seed: 20_266, numRuns: 3_000 },
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
          expect(read(text, { kind: 'dates', first, separator })).toBe(iso);
          expect(read(`${text}0`, { kind: 'dates', first, separator })).toBe(`${text}0`);
        },
      ),
      { seed: 20_266, numRuns: 500 },
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
      expect(read(text, { kind: 'dates', first: 'day', separator: '/' })).toBe(text);
    expect(read('2026/02/28', { kind: 'dates', first: 'year', separator: '/' })).toBe('2026-02-28');
    expect(read('2026/02/29', { kind: 'dates', first: 'year', separator: '/' })).toBe('2026/02/29');
  });
});
