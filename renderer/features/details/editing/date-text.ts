// Dates and times as text to edit, in a zone, and as the values that SQLite stores.
import { DAY_MS, ISO, isoToMs, offsetMinutes, UNIX_EPOCH_JULIAN, type DateForm, type Zone } from '#shared/dates.ts';
import { isReal, type Value } from '#shared/protocol/values.ts';
import { dateText } from '../../../ui/format.ts';

export const DATE_FORMS: readonly (readonly [DateForm, string])[] = [
  ['unix-s', 'Unix seconds'],
  ['unix-ms', 'Unix milliseconds'],
  ['julian', 'Julian day'],
  ['iso', 'ISO 8601 text'],
];

/** The value of a typed date in a form, or a sentence why it is not a date. */
export function dateValue(text: string, form: DateForm, zone: Zone, before: Value): Value | string {
  const typed = text.trim();
  const atMs = isoToMs(typed, zone);
  if (atMs === null) return 'Enter a date such as 2024-05-01 or 2024-05-01 12:30:00.';
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

/** Keeps the style of the previous text: with `T`, with a zone, without a time. */
function isoText(typed: string, atMs: number, zone: Zone, before: Value): string {
  const [, , , , hour, , , , offset] = ISO.exec(typeof before === 'string' ? before.trim() : '') ?? [];
  const isDay = /^\S{8,11}$/.test(typed) && zone === 'utc' && (hour === undefined || typeof before !== 'string');
  if (isDay) return typed;
  const [minutes, suffix] = offset === undefined ? [0, ''] : [offsetMinutes(offset), offset];
  const text = dateText(atMs + minutes * 60_000, 'utc');
  const separator = typeof before === 'string' && /^\S+T/i.test(before.trim()) ? 'T' : ' ';
  return text.replace(' ', separator) + suffix;
}

/** The text of the same moment in another zone; a text that is no date stays as it is. */
export function inZone(text: string, from: Zone, to: Zone): string {
  const atMs = isoToMs(text.trim(), from);
  return atMs === null ? text : dateText(atMs, to);
}
