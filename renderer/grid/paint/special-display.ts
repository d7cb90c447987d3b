// Numbers with grouped digits, numbers that are dates, and the first bytes of blobs: texts for cells; the values themselves do not change.
import { dateText, offsetText } from '../../ui/format.ts';

/** Groups digits from 1,000 on. Digits after the point, exponents, infinities and texts of other shapes stay as they are. */
export function groupedDigits(text: string): string {
  const parts = /^(-?)(\d{4,})(\.\d+)?$/.exec(text);
  return parts ? `${parts[1]}${inThrees(parts[2]!)}${parts[3] ?? ''}` : text;
}

function inThrees(digits: string): string {
  const first = digits.length % 3 || 3;
  let grouped = digits.slice(0, first);
  for (let at = first; at < digits.length; at += 3) grouped += `,${digits.slice(at, at + 3)}`;
  return grouped;
}

/** 1900 to 2300 in Julian days; Unix seconds from 1973 on and Unix milliseconds from 1971 on do not overlap with it or with each other. */
const JULIAN = { from: 2_415_020, to: 2_561_118, unixEpoch: 2_440_587.5 };
const SECONDS = { from: 1e8, to: 1e10 };
const MILLISECONDS = { from: 3e10, to: 1e13 };

/** Null for a number that is no date, as far as its size tells. */
export function momentOf(number: number): number | null {
  const size = Math.abs(number);
  if (size >= JULIAN.from && size < JULIAN.to && number > 0)
    return Math.round((number - JULIAN.unixEpoch) * 86_400_000);
  if (size >= SECONDS.from && size < SECONDS.to) return number * 1000;
  return size >= MILLISECONDS.from && size < MILLISECONDS.to ? number : null;
}

/** “2026-03-09 14:02:11 UTC”, or with the offset of local time. */
export const momentText = (atMs: number, zone: 'utc' | 'local'): string =>
  `${dateText(Math.round(atMs), zone)} ${zone === 'utc' ? 'UTC' : offsetText(atMs)}`;

const SHOWN_BYTES = 12;

/** “53 51 4C 69 …”. */
export function hexBegin(bytes: Uint8Array, sizeBytes: number): string {
  const shown = [...bytes.subarray(0, SHOWN_BYTES)].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
  return shown.join(' ') + (sizeBytes > shown.length ? ' …' : '');
}

/** Whether a column is declared to hold dates: `DATE`, `DATETIME`, `TIMESTAMP`, in any case. Times of day are durations as often as not. */
export const isDateType = (declaredType: string): boolean => /\b(date|datetime|timestamp)\b/i.test(declaredType);
