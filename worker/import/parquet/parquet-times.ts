// Days, times and timestamps of Parquet (its LogicalTypes.md) as ISO 8601 text, the way SQLite's own functions write it.

export type TimeUnit = 'MILLIS' | 'MICROS' | 'NANOS';

const DIGITS: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };
const DAY_SECONDS = 86_400n;

/** Null beyond the years 0 to 9999, which ISO 8601 does not write in four digits. */
export function dayText(day: number): string | null {
  const date = new Date(day * 86_400_000);
  if (Number.isNaN(date.getTime())) return null;
  const year = date.getUTCFullYear();
  return year < 0 || year > 9999 ? null : date.toISOString().slice(0, 10);
}

/** Keeps all digits of the unit, so that texts sort as times do. */
export function timeText(units: bigint, unit: TimeUnit): string | null {
  const perSecond = 10n ** BigInt(DIGITS[unit]);
  const seconds = units / perSecond;
  if (units < 0n || seconds >= DAY_SECONDS) return null;
  const two = (value: bigint): string => String(value).padStart(2, '0');
  const fraction = String(units % perSecond).padStart(DIGITS[unit], '0');
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}.${fraction}`;
}

/** Null beyond the years 0 to 9999. @param units since 1970-01-01 00:00. @param isUtc ends with `Z` */
export function timestampText(units: bigint, unit: TimeUnit, isUtc: boolean): string | null {
  const perDay = DAY_SECONDS * 10n ** BigInt(DIGITS[unit]);
  const rest = ((units % perDay) + perDay) % perDay;
  const day = dayText(Number((units - rest) / perDay));
  return day === null ? null : `${day} ${timeText(rest, unit)}${isUtc ? 'Z' : ''}`;
}

/** Three numbers of 32 bits: months, days and milliseconds. */
export function intervalText(bytes: Uint8Array): string | null {
  if (bytes.length !== 12) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ms = view.getUint32(8, true);
  const seconds = `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;
  return `P${view.getUint32(0, true)}M${view.getUint32(4, true)}DT${seconds}S`;
}
