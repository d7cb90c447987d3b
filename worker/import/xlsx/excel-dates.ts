// Dates of Excel: numbers of days, which are dates by the format of their cell alone (ECMA-376 part 1, 18.17.4 and 18.8.30).

/** `date`: day alone. `time`: time of day. `duration`: hours that continue beyond 24. `both`: day and time. */
export type DateKind = 'date' | 'time' | 'duration' | 'both';

/** Formats without a code in the file; those of East Asian Excel are 27 to 36 and 50 to 58. */
const BUILT_IN: Readonly<Record<number, DateKind>> = {
  ...Object.fromEntries([14, 15, 16, 17].map((id) => [id, 'date'])),
  ...Object.fromEntries([18, 19, 20, 21].map((id) => [id, 'time'])),
  22: 'both',
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'date'])),
  ...Object.fromEntries([32, 33, 34, 35, 45, 47].map((id) => [id, 'time'])),
  46: 'duration',
};

/** Null: no date. @param code - the number format in the file, where it has one for the number. */
export function dateKind(id: number, code: string | undefined): DateKind | null {
  if (code === undefined) return BUILT_IN[id] ?? null;
  // Excel takes no longer one.
  if (code.length > 255) return null;
  if (/\[(?:h+|m+|s+)\]/i.test(code)) return 'duration';
  // Text that is quoted, escaped, a fill, a width, or in brackets (colors, conditions, languages) is not part of a date. The first section
  // is for positive numbers.
  const plain = code
    .replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '')
    .split(';')[0]!
    .toLowerCase();
  if (/general|[#?0]/.test(plain.replace(/[.,]0+/g, ''))) return null;
  const hasTime = /[hs]|am\/pm|a\/p/.test(plain);
  const hasDay = /[ydegb]/.test(plain.replace(/am\/pm|a\/p/g, '')) || (!hasTime && plain.includes('m'));
  return hasDay ? (hasTime ? 'both' : 'date') : hasTime ? 'time' : null;
}

const DAY_MS = 86_400_000;
/** Day 0 of the calendar that begins with 1904. */
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** Day 0 of the other calendar, as counted from March 1900 on: it has a February 29, 1900, which never existed. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const FALSE_LEAP_DAY = 60;
/** December 31, 9999. */
const LAST_DAY = 2_958_465;

/** ISO 8601 as SQLite's own functions write it; null for a number that is not a date of Excel, which stays a number. */
export function excelDate(serial: number, kind: DateKind, is1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > LAST_DAY + 1) return null;
  const ms = Math.round(serial * DAY_MS);
  const day = Math.floor(ms / DAY_MS);
  const time = ms % DAY_MS;
  if (kind === 'duration') return clock(ms);
  if (kind === 'time' && day === 0) return clock(time);
  // Nothing that is there is left out, whatever the format shows.
  const withTime = kind !== 'date' || time !== 0 ? ` ${clock(time)}` : '';
  if (!is1904 && day === FALSE_LEAP_DAY) return `1900-02-29${withTime}`;
  if (!is1904 && day === 0) return null;
  const before = !is1904 && day < FALSE_LEAP_DAY ? DAY_MS : 0;
  const date = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + before + day * DAY_MS);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999
    ? null
    : `${date.toISOString().slice(0, 10)}${withTime}`;
}

function clock(ms: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = ms % 1000;
  const seconds = Math.floor(ms / 1000);
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`;
}
