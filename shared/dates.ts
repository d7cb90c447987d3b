// Dates and times as SQLite stores them (sqlite.org/lang_datefunc.html): Unix seconds and milliseconds, Julian days, ISO 8601.
import { isRawText, isReal } from './protocol/values.ts';
import type { Value } from './protocol/values.ts';

export type DateForm = 'unix-s' | 'unix-ms' | 'julian' | 'iso';
export type Zone = 'utc' | 'local';

interface DateValue {
  readonly form: DateForm;
  /** Milliseconds since 1970 in UTC. */
  readonly atMs: number;
}

/** 1970-01-01 00:00 UTC. */
export const UNIX_EPOCH_JULIAN = 2_440_587.5;
export const DAY_MS = 86_400_000;
/** Years 0 to 9999, as SQLite's functions have them. */
const MIN_MS = Date.UTC(0, 0, 1) - 1900 * 365.2425 * DAY_MS - 2 * DAY_MS;
const MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Numbers from here on are taken for milliseconds: as seconds they would be in the year 5138. */
const FROM_HERE_MILLISECONDS = 1e11;
const JULIAN_FROM = 1_721_059;
const JULIAN_TO = 5_373_485;
export const ISO = /^([+-]?\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;
const DATE_NAMES = /date|time|stamp|created|updated|modified|deleted|expires|(?:^|_)at$/i;

/** Whether the names of a column suggest that its numbers are dates. */
export const soundsLikeDate = (column: string, declaredType: string): boolean =>
  DATE_NAMES.test(column) || /date|time/i.test(declaredType);

/** Date that a value stands for, by its form; null if it cannot be one. Text without a zone is UTC, as for SQLite. */
export function dateOf(value: Value): DateValue | null {
  if (value === null || isRawText(value) || value instanceof Uint8Array) return null;
  if (typeof value === 'string') {
    const atMs = isoToMs(value.trim(), 'utc');
    return atMs === null ? null : { form: 'iso', atMs };
  }
  const number = isReal(value) ? value.real : Number(value);
  if (!Number.isFinite(number)) return null;
  const isJulian = (isReal(value) || !Number.isInteger(number)) && number >= JULIAN_FROM && number < JULIAN_TO;
  const form = isJulian ? 'julian' : Math.abs(number) >= FROM_HERE_MILLISECONDS ? 'unix-ms' : 'unix-s';
  return dateAs(form, number);
}

/** A number read in a form that was chosen. */
export function dateAs(form: Exclude<DateForm, 'iso'>, number: number): DateValue | null {
  const atMs = form === 'unix-s' ? number * 1000 : form === 'unix-ms' ? number : (number - UNIX_EPOCH_JULIAN) * DAY_MS;
  const rounded = Math.round(atMs);
  return rounded >= MIN_MS && rounded <= MAX_MS ? { form, atMs: rounded } : null;
}

/** Milliseconds since 1970 in UTC of a text in `zone`, unless the text has a zone itself; null if it is no date. */
export function isoToMs(text: string, zone: Zone): number | null {
  const found = ISO.exec(text);
  if (!found) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = found;
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const milliseconds = Math.round(Number(`0.${fraction || '0'}`) * 1000);
  const date = new Date(0);
  date.setUTCFullYear(parts[0], parts[1] - 1, parts[2]);
  date.setUTCHours(parts[3], parts[4], parts[5], milliseconds);
  const isThere =
    date.getUTCMonth() === parts[1] - 1 && date.getUTCDate() === parts[2] && parts[4] < 60 && parts[5] < 60;
  if (!isThere || parts[3] > 23) return null;
  if (offset !== undefined) return date.getTime() - offsetMinutes(offset) * 60_000;
  if (zone === 'utc') return date.getTime();
  const local = new Date(0);
  local.setFullYear(parts[0], parts[1] - 1, parts[2]);
  local.setHours(parts[3], parts[4], parts[5], milliseconds);
  return local.getTime();
}

/** Why a text that is written as a date cannot be one, in a sentence; null if it can be, or is no date. */
export function whyImpossible(text: string): string | null {
  const found = ISO.exec(text.trim());
  if (!found || isoToMs(text.trim(), 'utc') !== null) return null;
  const [, year, month, day] = found;
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  const why = !isMonth
    ? `There is no month ${month}`
    : Number(day) < 1 || Number(day) > days
      ? `There is no day ${day} in that month`
      : 'There is no such time of day';
  return `“${text.trim()}” is not a date. ${why}.`;
}

/** Minutes ahead of UTC that “Z” or “+02:00” stands for. */
export function offsetMinutes(offset: string): number {
  if (/z/i.test(offset)) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return offset.startsWith('-') ? -minutes : minutes;
}
