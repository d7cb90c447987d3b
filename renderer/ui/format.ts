// Numbers, sizes and times as people read them.

const counts = new Intl.NumberFormat('en-US');
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

export const formatCount = (count: number): string => counts.format(count);

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

/** “just now”, “5 minutes ago”, “yesterday”, “3 Mar 2026”. */
export function formatWhen(atMs: number, nowMs: number = Date.now()): string {
  const minutes = Math.floor((nowMs - atMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`;
  const days = calendarDays(atMs, nowMs);
  if (days === 0) return `${plural(Math.floor(minutes / 60), 'hour')} ago`;
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  return new Date(atMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Exact: “21 Nov 2026, 14:02:11”. */
export function formatMoment(atMs: number): string {
  const date = new Date(atMs);
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${day}, ${date.toLocaleTimeString('en-GB')}`;
}

/** “Today”, “Yesterday”, “Friday 20 Nov 2026”. */
export function formatDay(atMs: number, nowMs: number = Date.now()): string {
  const days = calendarDays(atMs, nowMs);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return new Date(atMs).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

function calendarDays(fromMs: number, toMs: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  return Math.round((midnight(toMs) - midnight(fromMs)) / 86_400_000);
}
