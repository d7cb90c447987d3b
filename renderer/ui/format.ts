// Numbers, sizes and times as people read them, in the formats of the interface, whatever the system's are. Data is never localized.

/** The locale of the words in dates and times. */
export const LOCALE = 'en-US';

/** Formats chosen in the settings of the same names. */
interface Formats {
  readonly numbers: string;
  readonly dates: 'en-US' | 'en-GB' | 'sv-SE';
  readonly clock: '24' | '12';
}

const fixed = (numbers: string, digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat(numbers, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

const formattersOf = ({ numbers, dates, clock }: Formats) => {
  const hours = { hourCycle: clock === '24' ? 'h23' : 'h12' } as const;
  return {
    counts: new Intl.NumberFormat(numbers),
    tenths: fixed(numbers, 1),
    hundredths: fixed(numbers, 2),
    decimals: new Intl.NumberFormat(numbers, { maximumFractionDigits: 6 }),
    measures: new Intl.NumberFormat(numbers, { maximumSignificantDigits: 6 }),
    ungrouped: new Intl.NumberFormat(numbers, { maximumSignificantDigits: 6, useGrouping: false }),
    dates: new Intl.DateTimeFormat(dates, { dateStyle: dates === 'sv-SE' ? 'short' : 'medium' }),
    exactTimes: new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium', ...hours }),
    times: new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', ...hours }),
    weekdays: new Intl.DateTimeFormat(LOCALE, { weekday: 'long' }),
  };
};

let formatters = formattersOf({ numbers: LOCALE, dates: LOCALE, clock: '24' });

/** Texts on screen change when they are rendered again. */
export function setFormats(formats: Formats): void {
  formatters = formattersOf(formats);
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

export const formatCount = (count: number): string => formatters.counts.format(count);

/** A measured or computed number, rounded to six digits. */
export const formatMeasure = (measure: number): string => formatters.measures.format(measure);

/** The same without separators: a year among years. */
export const formatUngrouped = (measure: number): string => formatters.ungrouped.format(measure);

/** Formats with one or two digits after the point, also if they are zeros: “1.20”. */
export const formatFixed = (value: number, digits: 1 | 2): string =>
  (digits === 1 ? formatters.tenths : formatters.hundredths).format(value);

/** Formats a share from 0 to 1: “12%”, “0.4%”. */
export function formatPercent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 9.95 ? formatters.tenths.format(value) : Math.round(value)}%`;
}

/** Computed from data, with at most six digits after the point. */
export const formatDecimal = (value: number): string => formatters.decimals.format(value);

/** “1 row”, “2 rows”. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Decimal units, as file managers use: “1.2 MB”. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value >= 99.95 ? Math.round(value) : formatters.tenths.format(value)} ${UNITS[power]}`;
}

/** “4 ms”, “1.2 s”, “2 min 05 s”. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${ms < 1 ? formatters.tenths.format(ms) : Math.round(ms)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${formatters.tenths.format(ms / 1000)} s`;
  return formatElapsed(ms);
}

/** Formats how long work has been running, in whole seconds: “7 s”, “2 min 05 s”. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** “just now”, “5 minutes ago”, “yesterday”, “Mar 3, 2026”. */
export function formatWhen(atMs: number, nowMs: number = Date.now()): string {
  const minutes = Math.floor((nowMs - atMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`;
  const passed = calendarDays(atMs, nowMs);
  if (passed === 0) return `${plural(Math.floor(minutes / 60), 'hour')} ago`;
  if (passed === 1) return 'yesterday';
  return passed < 7 ? `${passed} days ago` : formatters.dates.format(atMs);
}

/** Exact: “Nov 21, 2026, 14:02:11”. */
export const formatMoment = (atMs: number): string =>
  `${formatters.dates.format(atMs)}, ${formatters.exactTimes.format(atMs)}`;

/** “14:02”. */
export const formatTime = (atMs: number): string => formatters.times.format(atMs);

/** “Today”, “Yesterday”, “Friday, Nov 20, 2026”. */
export function formatDay(atMs: number, nowMs: number = Date.now()): string {
  const passed = calendarDays(atMs, nowMs);
  return passed === 0
    ? 'Today'
    : passed === 1
      ? 'Yesterday'
      : `${formatters.weekdays.format(atMs)}, ${formatters.dates.format(atMs)}`;
}

function calendarDays(fromMs: number, toMs: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(toMs) - midnight(fromMs)) / 86_400_000);
}

/** “2024-05-01 12:30:00”, with milliseconds only if there are any: the digits of a date, which no setting changes. */
export function dateText(atMs: number, zone: 'utc' | 'local'): string {
  const [day, time] = (zone === 'utc' ? new Date(atMs) : localAsUtc(atMs)).toISOString().slice(0, -1).split('T');
  return `${day} ${time!.replace(/\.000$/, '')}`;
}

/** Not by the offset, which is in whole minutes: before standard time, clocks went by the second. */
function localAsUtc(atMs: number): Date {
  const at = new Date(atMs);
  const shown = new Date(0);
  shown.setUTCFullYear(at.getFullYear(), at.getMonth(), at.getDate());
  shown.setUTCHours(at.getHours(), at.getMinutes(), at.getSeconds(), at.getMilliseconds());
  return shown;
}

/** “+01:00”: how far local time is ahead of UTC. */
export function offsetText(atMs: number): string {
  const minutes = -new Date(atMs).getTimezoneOffset();
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/** “Europe/Berlin” */
export const localZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'local time';

/** “Copy with headers”: only the menus of the application have title case. NULL and SQLite stay as they are. */
export const sentenceCase = (title: string): string =>
  title.replace(/(?<= )[A-Z](?=[a-z]*(?:[ …]|$))/g, (letter) => letter.toLowerCase());
