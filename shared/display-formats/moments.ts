// Numbers that stand for moments: how many units since which beginning.
import type { Value } from '../protocol/values.ts';
import { decimalOf, floorDivide, integerOf, integerValue, realFromDecimal, realOf, realValue } from './exact-number.ts';
import { problem } from './format.ts';
import type { DisplayFormat, Parsed } from './format.ts';
import { MILLISECOND, SECOND, momentFrom, momentText, wallText } from './moment-text.ts';
import type { Nanoseconds } from './moment-text.ts';

interface Clock {
  readonly id: string;
  readonly name: string;
  /** Moment that 0 stands for. */
  readonly epoch: Nanoseconds;
  /** Nanoseconds: a power of ten. */
  readonly unit: bigint;
  /** The numbers never are less than 0. */
  readonly isUnsigned?: boolean;
}

const secondsTo = (iso: string): Nanoseconds => BigInt(Date.parse(iso)) * MILLISECOND;
const SINCE_1601 = secondsTo('1601-01-01T00:00:00Z');
const SINCE_2001 = secondsTo('2001-01-01T00:00:00Z');
const SINCE_1 = secondsTo('0001-01-01T00:00:00Z');

const CLOCKS: readonly Clock[] = [
  { id: 'unix-s', name: 'Unix seconds', epoch: 0n, unit: SECOND },
  { id: 'unix-ms', name: 'Unix milliseconds', epoch: 0n, unit: MILLISECOND },
  { id: 'unix-us', name: 'Unix microseconds (Firefox)', epoch: 0n, unit: 1000n },
  { id: 'unix-ns', name: 'Unix nanoseconds', epoch: 0n, unit: 1n },
  { id: 'webkit', name: 'WebKit microseconds since 1601 (Chrome)', epoch: SINCE_1601, unit: 1000n },
  { id: 'mac-s', name: 'Mac seconds since 2001 (Core Data)', epoch: SINCE_2001, unit: SECOND },
  { id: 'mac-ns', name: 'Mac nanoseconds since 2001 (iMessage)', epoch: SINCE_2001, unit: 1n },
  { id: 'filetime', name: 'Windows FILETIME since 1601', epoch: SINCE_1601, unit: 100n, isUnsigned: true },
  { id: 'ticks', name: '.NET ticks since year 1', epoch: SINCE_1, unit: 100n, isUnsigned: true },
];

/** Null if the value is no number. REALs are read as they are written, and what is less than a nanosecond is left out. */
function momentOf(value: Value, { epoch, unit, isUnsigned }: Clock): Nanoseconds | null {
  const count = decimalOf(value);
  if (!count || (isUnsigned && count.digits < 0n)) return null;
  return epoch + floorDivide(count.digits * unit, 10n ** BigInt(count.scale));
}

function clockValue(at: Nanoseconds, { name, epoch, unit }: Clock, stored: Value): Parsed {
  const since = at - epoch;
  if (realOf(stored) !== null) {
    const value = realFromDecimal({ digits: since, scale: String(unit).length - 1 });
    return value === null ? problem('A REAL cannot keep all digits of this time. Enter fewer.') : { value };
  }
  if (since % unit !== 0n) return problem(`${name} cannot keep this part of a second. Enter fewer digits.`);
  const value = integerValue(since / unit);
  return value === null ? problem(`This time is beyond what ${name} can keep in 64 bits.`) : { value };
}

const clockFormat = (clock: Clock): DisplayFormat => ({
  id: clock.id,
  name: clock.name,
  group: 'date',
  classes: ['integer', 'real'],
  hasZone: true,
  takesNull: true,
  show(value, zone) {
    const at = momentOf(value, clock);
    return at === null ? null : momentText(at, zone);
  },
  parse(text, zone, stored) {
    const moment = momentFrom(text, zone);
    if ('problem' in moment) return moment;
    if (clock.isUnsigned && moment.at < clock.epoch) return problem(`${clock.name} cannot keep earlier times.`);
    return clockValue(moment.at, clock, stored);
  },
});

const DAY_MS = 86_400_000;

interface Days {
  /** Milliseconds since 1970 of a number of days; null if it stands for no day. */
  msOf(days: number): number | null;
  daysOf(ms: number): number | null;
}

/** A number of days keeps milliseconds, as SQLite’s own functions do: other digits are noise. */
const UNIX_EPOCH_JULIAN_MS = 210_866_760_000_000;
const JULIAN: Days = {
  msOf: (days) => (days < 0 ? null : Math.floor(days * DAY_MS + 0.5) - UNIX_EPOCH_JULIAN_MS),
  daysOf: (ms) => (ms + UNIX_EPOCH_JULIAN_MS) / DAY_MS,
};

/**
 * Day 1 is 1900-01-01. Excel counts a February 29, 1900, which never was, as day 60.
 * (learn.microsoft.com/office/troubleshoot/excel/wrongly-assumes-1900-is-leap-year)
 */
const BEFORE_LEAP_MS = Date.UTC(1899, 11, 31);
const AFTER_LEAP_MS = Date.UTC(1899, 11, 30);
const EXCEL: Days = {
  msOf(days) {
    if (days < 1 || (days >= 60 && days < 61) || days >= 2_958_466) return null;
    return Math.round(days * DAY_MS) + (days < 60 ? BEFORE_LEAP_MS : AFTER_LEAP_MS);
  },
  daysOf(ms) {
    const early = (ms - BEFORE_LEAP_MS) / DAY_MS;
    const days = early < 60 ? early : (ms - AFTER_LEAP_MS) / DAY_MS;
    return days < 1 ? null : days;
  },
};

function daysFormat(id: string, name: string, days: Days, hasZone: boolean): DisplayFormat {
  return {
    id,
    name,
    group: 'date',
    classes: ['integer', 'real'],
    hasZone,
    takesNull: true,
    show(value, zone) {
      const number = realOf(value) ?? (integerOf(value) === null ? null : Number(integerOf(value)));
      const ms = number === null ? null : days.msOf(number);
      if (ms === null || !Number.isSafeInteger(ms)) return null;
      return hasZone ? momentText(BigInt(ms) * MILLISECOND, zone) : wallText(BigInt(ms) * MILLISECOND);
    },
    parse(text, zone, stored) {
      const moment = momentFrom(text, hasZone ? zone : null);
      if ('problem' in moment) return moment;
      if (moment.at % MILLISECOND !== 0n) return problem(`${name} keeps only milliseconds. Enter fewer digits.`);
      const number = days.daysOf(Number(moment.at / MILLISECOND));
      if (number === null) return problem(`${name} cannot keep earlier dates.`);
      return { value: integerOf(stored) !== null && Number.isInteger(number) ? number : realValue(number) };
    },
  };
}

export const MOMENT_FORMATS: readonly DisplayFormat[] = [
  ...CLOCKS.map(clockFormat),
  daysFormat('julian', 'Julian day', JULIAN, true),
  daysFormat('excel', 'Excel serial date', EXCEL, false),
];
