import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { dateOf, type DateForm } from '#shared/dates.ts';
import { isReal, type Value } from '#shared/protocol/values.ts';
import { dateText } from '../../../ui/format.ts';
import { dateValue } from './date-text.ts';

// Before 1893 its clocks were not whole minutes ahead of UTC.
process.env['TZ'] = 'Europe/Berlin';

const atMs = fc.integer({ min: Date.UTC(1600, 0, 1), max: Date.UTC(9998, 11, 31) });

test.each<DateForm>(['unix-s', 'unix-ms', 'julian', 'iso'])('%s: what SQLite reads is what was typed', (form) => {
  const db = new Sqlite(':memory:');
  const modifier = form === 'unix-s' || form === 'unix-ms' ? ", 'unixepoch', 'subsec'" : ", 'subsec'";
  const read = db.prepare(`SELECT datetime(${form === 'unix-ms' ? '? / 1000.0' : '?'}${modifier})`).pluck();
  fc.assert(
    fc.property(atMs, (each) => {
      const typed = dateText(each, 'utc');
      const value = dateValue(typed, form, 'utc', null) as Value;
      const back = String(read.get(isReal(value) ? value.real : value));
      // SQLite has milliseconds in Julian days and in fractions of a second, give or take one.
      expect(Math.abs(Date.parse(`${back}Z`) - each)).toBeLessThanOrEqual(1);
    }),
    { seed: 8, numRuns: seedCount(500) },
  );
  db.close();
});

test('a value that is shown and saved again is the same', () => {
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.integer({ min: -1e10, max: 1e11 - 1 }),
    fc.integer({ min: 1e11, max: 2e14 }),
    fc.constantFrom<Value>('2024-05-01', '2024-05-01 12:30:00', '2024-05-01T12:30:00Z', '2024-05-01T12:30:00+02:00', '2024-05-01 12:30:00.125', { real: 1e9 }, 2_460_432.25),
  ); // prettier-ignore
  fc.assert(
    fc.property(value, fc.constantFrom('utc' as const, 'local' as const), (each, zone) => {
      const date = dateOf(each)!;
      const isDay = typeof each === 'string' && each.length === 10;
      if (isDay) expect(dateValue(each, 'iso', 'utc', each)).toBe(each);
      else expect(dateValue(dateText(date.atMs, zone), date.form, zone, each)).toEqual(each);
    }),
    { seed: 9, numRuns: seedCount(1000) },
  );
});

test('what is no date is none', () => {
  for (const text of ['', 'x', '2024-13-01', '2024-02-30', '2024-05-01 24:00', '2024-05-01 12:61', '24-05-01'])
    expect(dateValue(text, 'iso', 'utc', null)).toMatch(/^Enter a date such as/);
  for (const value of [null, 'x', new Uint8Array(8), { textBytes: new Uint8Array(1) }, Infinity, 2n ** 62n])
    expect(dateOf(value)).toBeNull();
  expect(dateOf('2024-05-01T12:30:00+02:00')).toEqual({ form: 'iso', atMs: Date.UTC(2024, 4, 1, 10, 30) });
  expect(dateOf(1_700_000_000)).toMatchObject({ form: 'unix-s' });
  expect(dateOf(1_700_000_000_000)).toMatchObject({ form: 'unix-ms' });
  expect(dateOf(2_460_432.25)).toEqual({ form: 'julian', atMs: Date.UTC(2024, 3, 31, 18) });
});
