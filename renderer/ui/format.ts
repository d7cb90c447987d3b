// Numbers, sizes and times as people read them, in the one locale of the interface. Data is never localized.

/** The locale of every number, date and time in the interface, whatever the system's is. */
export const LOCALE = 'en-US';

const counts = new Intl.NumberFormat(LOCALE);
const dates = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
const times = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', hourCycle: 'h23' });
const days = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' });
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

export const formatCount = (count: number): string => counts.format(count);

const measures = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 6 });

/** A measured or computed number, rounded to six digits. */
export const formatMeasure = (measure: number): string => measures.format(measure);

/** “1 row”, “2 rows”. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Decimal units, as file managers use: “1.2 MB”. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** “4 ms”, “1.2 s”, “2 min 05 s”. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${ms < 1 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return formatElapsed(ms);
}

/** Of something that still runs, in whole seconds: “7 s”, “2 min 05 s”. */
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
  return passed < 7 ? `${passed} days ago` : dates.format(atMs);
}

/** Exact: “Nov 21, 2026, 14:02:11”. */
export const formatMoment = (atMs: number): string => moments.format(atMs);

/** “14:02”. */
export const formatTime = (atMs: number): string => times.format(atMs);

/** “Today”, “Yesterday”, “Friday, Nov 20, 2026”. */
export function formatDay(atMs: number, nowMs: number = Date.now()): string {
  const passed = calendarDays(atMs, nowMs);
  return passed === 0 ? 'Today' : passed === 1 ? 'Yesterday' : days.format(atMs);
}

function calendarDays(fromMs: number, toMs: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(toMs) - midnight(fromMs)) / 86_400_000);
}
