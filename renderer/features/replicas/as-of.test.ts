import { expect, it } from 'vitest';
import { momentAt, problemOf, readTime, writeTime, zoneOf } from './as-of.ts';

const at = (text: string): number => new Date(text).getTime();
const MOMENTS = ['2026-11-20T14:00:05', '2026-11-20T14:00:02', '2026-11-20T14:00:02', '2026-11-20T13:59:58'].map(
  (text, index) => ({ txid: String(4 - index), atMs: at(text) }),
);

it.each([
  ['2026-11-20 14:00:05', '2026-11-20T14:00:05'],
  ['2026-11-20T14:00', '2026-11-20T14:00:00'],
  [' 2026-1-2  7:05 ', '2026-01-02T07:05:00'],
  ['2026-11-20', '2026-11-20T23:59:59'],
])('reads %s in the time zone of this computer', (text, local) => {
  expect(readTime(text)).toBe(at(local));
});

it.each(['', 'now', '2026-02-30 12:00', '2026-13-01', '2026-11-20 24:00', '2026-11-20 14:60', '20.11.2026'])(
  'does not take “%s” for a time',
  (text) => {
    expect(readTime(text)).toBeNull();
    expect(problemOf(text, MOMENTS)).toMatch(/Enter a date/);
  },
);

it('writes what it reads', () => {
  for (const { atMs } of MOMENTS) expect(readTime(writeTime(atMs))).toBe(atMs);
});

it('means the last moment at that time', () => {
  const txidAt = (text: string) => momentAt(MOMENTS, readTime(text)!)?.txid;
  expect(txidAt('2026-11-20 14:00:04')).toBe('3');
  expect(txidAt('2026-11-20 14:00:02')).toBe('3');
  expect(txidAt('2026-11-20 14:00')).toBe('1');
  expect(txidAt('2030-01-01')).toBe('4');
  expect(txidAt('2026-11-20 13:59:57')).toBeUndefined();
  expect(problemOf('2026-11-20 13:59:57', MOMENTS)).toBe('The oldest restore point is 2026-11-20 13:59:58.');
  expect(problemOf('2026-11-20 14:00', MOMENTS)).toBeNull();
});

it('names the time zone with its offset at that time', () => {
  expect(zoneOf(MOMENTS[0]!.atMs)).toMatch(/UTC[+−]\d\d:\d\d$/);
});
