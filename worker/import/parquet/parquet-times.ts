// Days, times and timestamps of Parquet (its LogicalTypes.md) as ISO 8601 text, the way SQLite's own functions write it.

export type TimeUnit = 'MILLIS' | 'MICROS' | 'NANOS';

const DIGITS: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };
const DAY_SECONDS = 86_400;
/** Years of the Gregorian calendar repeat after 400. */
const CYCLE_DAYS = 146_097;
/** Days from 0000-03-01 to 1970-01-01: a year that begins in March has its leap day last. */
const DAYS_TO_1970 = 719_468;
/** From 0000-01-01 to 9999-12-31. */
const FIRST_DAY = -719_528;
const LAST_DAY = 2_932_896;
/** No type of Parquet reaches further; all arithmetic is exact until there. */
const MAX_DAY = 2 ** 40;
const TWO = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/** Whether the year has four digits and needs no sign. */
export const isUsualDay = (text: string): boolean => text.charCodeAt(0) >= 48;

/** With a sign beyond the years 0 to 9999, as ISO 8601 has it. Null where no type of Parquet has such a day. */
export function dayText(day: number): string | null {
  if (!(Math.abs(day) < MAX_DAY)) return null;
  const days = Math.floor(day) + DAYS_TO_1970;
  const cycle = Math.floor(days / CYCLE_DAYS);
  const inCycle = days - cycle * CYCLE_DAYS;
  const year = Math.floor(
    (inCycle - Math.floor(inCycle / 1460) + Math.floor(inCycle / 36_524) - Math.floor(inCycle / 146_096)) / 365,
  );
  const inYear = inCycle - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const date = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const full = cycle * 400 + year + (month <= 2 ? 1 : 0);
  const isUsual = day >= FIRST_DAY && day < LAST_DAY + 1;
  const year4 = isUsual
    ? `${TWO[Math.floor(full / 100)]}${TWO[full % 100]}`
    : `${full < 0 ? '-' : '+'}${String(Math.abs(full)).padStart(4, '0')}`;
  return `${year4}-${TWO[month]}-${TWO[date]}`;
}

/** Keeps all digits of the unit, so that texts sort as times do. The end of a day is 24:00:00, as PostgreSQL and DuckDB have it. */
export function timeText(units: bigint, unit: TimeUnit): string | null {
  const inDay = Number(units);
  return inDay >= 0 && inDay <= unitsOfDay(unit) ? clockText(inDay, unit) : null;
}

/** Null as for {@link dayText}. @param units since 1970-01-01 00:00. @param isUtc ends with `Z` */
export function timestampText(units: bigint, unit: TimeUnit, isUtc: boolean): string | null {
  const perDay = unitsOfDay(unit);
  let day: number;
  let rest: number;
  if (units >= -SAFE && units <= SAFE) {
    const exact = Number(units);
    day = Math.floor(exact / perDay);
    rest = exact - day * perDay;
  } else {
    const whole = units / BigInt(perDay);
    rest = Number(units - whole * BigInt(perDay));
    day = Number(whole);
    if (rest < 0) {
      rest += perDay;
      day--;
    }
  }
  const text = dayText(day);
  return text === null ? null : `${text} ${clockText(rest, unit)}${isUtc ? 'Z' : ''}`;
}

const SAFE = 2n ** 53n;
const unitsOfDay = (unit: TimeUnit): number => DAY_SECONDS * 10 ** DIGITS[unit];

function clockText(units: number, unit: TimeUnit): string {
  const perSecond = 10 ** DIGITS[unit];
  const seconds = Math.floor(units / perSecond);
  const minutes = Math.floor(seconds / 60);
  const fraction = String(units - seconds * perSecond).padStart(DIGITS[unit], '0');
  return `${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}.${fraction}`;
}

/** Three numbers of 32 bits: months, days and milliseconds. */
export function intervalText(bytes: Uint8Array): string | null {
  if (bytes.length !== 12) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ms = view.getUint32(8, true);
  const seconds = `${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;
  return `P${view.getUint32(0, true)}M${view.getUint32(4, true)}DT${seconds}S`;
}
