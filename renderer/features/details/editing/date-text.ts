// Dates and times as SQLite stores them (sqlite.org/lang_datefunc.html): Unix seconds and milliseconds, Julian days, ISO 8601; as text to edit, in a zone.
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';

export type DateForm = 'unix-s' | 'unix-ms' | 'julian' | 'iso';
export type Zone = 'utc' | 'local';

export const DATE_FORMS: readonly (readonly [DateForm, string])[] = [
  ['unix-s', 'Unix seconds'],
  ['unix-ms', 'Unix milliseconds'],
  ['julian', 'Julian day'],
  ['iso', 'ISO 8601 text'],
];

export interface DateValue {
  readonly form: DateForm;
  /** Milliseconds since 1970 in UTC. */
  readonly atMs: number;
}

/** 1970-01-01 00:00 UTC. */
const UNIX_EPOCH_JULIAN = 2_440_587.5;
const DAY_MS = 86_400_000;
/** Years 0 to 9999, as SQLite's functions have them. */
const MIN_MS = Date.UTC(0, 0, 1) - 1900 * 365.2425 * DAY_MS - 2 * DAY_MS;
const MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Numbers from here on are taken for milliseconds: as seconds they would be in the year 5138. */
const FROM_HERE_MILLISECONDS = 1e11;
const JULIAN_FROM = 1_721_059;
const JULIAN_TO = 5_373_485;
const ISO = /^([+-]?\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;
const DATE_NAMES = /date|time|stamp|created|updated|modified|deleted|expires|(?:^|_)at$/i;

/** Whether the names of a column suggest that its numbers are dates. */
export const soundsLikeDate = (column: string, declaredType: string): boolean =>
  DATE_NAMES.test(column) || /date|time/i.test(declaredType);

/** What date a value is, by its form; null if it cannot be one. Text without a zone is UTC, as for SQLite. */
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

/** “2024-05-01 12:30:00”, with milliseconds only where there are some. */
export function dateText(atMs: number, zone: Zone): string {
  const date = new Date(zone === 'utc' ? atMs : atMs - new Date(atMs).getTimezoneOffset() * 60_000);
  const [day, time] = date.toISOString().split('T') as [string, string];
  return `${day} ${time.slice(0, time.endsWith('.000Z') ? 8 : 12)}`;
}

/** The value a typed date has in a form, or a sentence why it is none. */
export function dateValue(text: string, form: DateForm, zone: Zone, before: Value): Value | string {
  const typed = text.trim();
  const atMs = isoToMs(typed, zone);
  if (atMs === null) return 'A date is written as 2024-05-01, or 2024-05-01 12:30:00.';
  switch (form) {
    case 'unix-s':
      return atMs % 1000 === 0 && !isReal(before ?? 0) ? atMs / 1000 : realOf(atMs / 1000);
    case 'unix-ms':
      return isReal(before ?? 0) ? { real: atMs } : atMs;
    case 'julian':
      return realOf(atMs / DAY_MS + UNIX_EPOCH_JULIAN);
    case 'iso':
      return isoText(typed, atMs, zone, before);
  }
}

const realOf = (number: number): Value => (Number.isInteger(number) ? { real: number } : number);

/** In the manner of the text before: with `T`, with a zone, without a time. */
function isoText(typed: string, atMs: number, zone: Zone, before: Value): string {
  const [, , , , hour, , , , offset] = ISO.exec(typeof before === 'string' ? before.trim() : '') ?? [];
  const isDay = /^\S{8,11}$/.test(typed) && zone === 'utc' && (hour === undefined || typeof before !== 'string');
  if (isDay) return typed;
  const [minutes, suffix] = offset === undefined ? [0, ''] : [offsetMinutes(offset), offset];
  const text = dateText(atMs + minutes * 60_000, 'utc');
  const separator = typeof before === 'string' && /^\S+T/i.test(before.trim()) ? 'T' : ' ';
  return text.replace(' ', separator) + suffix;
}

function isoToMs(text: string, zone: Zone): number | null {
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

function offsetMinutes(offset: string): number {
  if (/z/i.test(offset)) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return offset.startsWith('-') ? -minutes : minutes;
}

/** The text of the same moment in another zone; a text that is no date stays as it is. */
export function inZone(text: string, from: Zone, to: Zone): string {
  const atMs = isoToMs(text.trim(), from);
  return atMs === null ? text : dateText(atMs, to);
}

/** “Europe/Berlin” */
export const localZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'local time';
