import { afterEach, expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDay,
  formatDecimal,
  formatDuration,
  formatElapsed,
  formatFixed,
  formatMoment,
  formatPercent,
  formatTime,
  formatWhen,
  plural,
  setFormats,
} from './format.ts';

const INITIAL = { numbers: 'en-US', dates: 'en-US', clock: '24' } as const;
afterEach(() => setFormats(INITIAL));

test('numbers, dates, and times are in the chosen formats', () => {
  const at = new Date(2026, 2, 9, 14, 2, 11).getTime();
  const later = at + 40 * 86_400_000;
  expect([formatMoment(at), formatTime(at)]).toEqual(['Mar 9, 2026, 14:02:11', '14:02']);
  expect([formatDay(at, later), formatWhen(at, later)]).toEqual(['Monday, Mar 9, 2026', 'Mar 9, 2026']);
  setFormats({ numbers: 'de-DE', dates: 'sv-SE', clock: '12' });
  // ICU puts a narrow space before PM in some versions.
  expect(formatMoment(at).replaceAll(/\s/g, ' ')).toBe('2026-03-09, 2:02:11 PM');
  expect([formatCount(1234567), formatDecimal(1234.5), formatBytes(1_250_000)]).toEqual([
    '1.234.567',
    '1.234,5',
    '1,3 MB',
  ]);
  setFormats({ ...INITIAL, numbers: 'de-CH', dates: 'en-GB' });
  // The apostrophe is a straight one in some versions.
  expect(formatCount(1234567)).toMatch(/^1['’]234['’]567$/);
  expect(formatWhen(at, later)).toBe('9 Mar 2026');
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [123_456, '123 KB'],
  [3_000_000_000, '3.0 GB'],
  [5e15, '5000 TB'],
])('%d bytes read %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0.04, '0.0 ms'],
  [4.2, '4 ms'],
  [950, '950 ms'],
  [1234, '1.2 s'],
  [125_000, '2 min 05 s'],
])('%d ms read %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

test('running time counts whole seconds', () => {
  expect(formatElapsed(7999)).toBe('7 s');
  expect(formatElapsed(61_000)).toBe('1 min 01 s');
});

test('one row, 2,000 rows', () => {
  expect(plural(1, 'row')).toBe('1 row');
  expect(plural(2000, 'row')).toBe('2,000 rows');
  expect(plural(2, 'entry', 'entries')).toBe('2 entries');
});

test('times are told by the calendar', () => {
  const now = new Date(2026, 4, 9, 14, 30).getTime();
  expect(formatWhen(now - 20_000, now)).toBe('just now');
  expect(formatWhen(now - 5 * 60_000, now)).toBe('5 minutes ago');
  expect(formatWhen(new Date(2026, 4, 9, 1, 0).getTime(), now)).toBe('13 hours ago');
  expect(formatWhen(new Date(2026, 4, 8, 23, 0).getTime(), now)).toBe('yesterday');
  expect(formatWhen(new Date(2026, 4, 5, 9, 0).getTime(), now)).toBe('4 days ago');
  expect(formatWhen(new Date(2025, 10, 3).getTime(), now)).toBe('Nov 3, 2025');
});

test('digits after the point and percentages follow the format of numbers', () => {
  expect([formatFixed(1.2, 2), formatFixed(12.34, 1), formatPercent(0.004), formatPercent(0.5)]).toEqual([
    '1.20',
    '12.3',
    '0.4%',
    '50%',
  ]);
  setFormats({ numbers: 'de-DE', dates: 'en-US', clock: '24' });
  expect([formatFixed(1.2, 2), formatPercent(0.004)]).toEqual(['1,20', '0,4%']);
  setFormats({ numbers: 'en-US', dates: 'en-US', clock: '24' });
});
