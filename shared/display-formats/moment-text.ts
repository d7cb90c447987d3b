// Moments as text in a zone and back, exactly: to the nanosecond, and to the second for the offsets of old local times.
import { whyImpossible } from '../dates.ts';
import { floorDivide, fractionText } from './exact-number.ts';
import type { ZoneName } from './format.ts';

/** Nanoseconds since 1970-01-01 00:00 UTC. */
export type Nanoseconds = bigint;

export const SECOND = 1_000_000_000n;
export const MILLISECOND = 1_000_000n;
/** Years 1 to 9999. */
const FIRST = -62_135_596_800n * SECOND;
const LAST = 253_402_300_800n * SECOND - 1n;
/** Zones have had one offset, by the sun, until later than this. */
const FIRST_ZONED_MS = Date.UTC(1800, 0, 1);
const DAY_SECONDS = 86_400;

const TEXT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d(?::\d\d)?)?$/i;

/** Whether the zone is known here: lists of zones differ between systems. */
export function isZone(zone: ZoneName): boolean {
  return zone === 'utc' || formatterOf(zone) !== null;
}

/** The name under which people know the zone. */
export const zoneLabel = (zone: ZoneName): string =>
  zone === 'utc' ? 'UTC' : zone === 'local' ? `local time, ${localZone()}` : zone;

export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** “2026-03-09 14:02:11.5 +01:00”, with as many digits as there are; null outside the years 1 to 9999. */
export function momentText(at: Nanoseconds, zone: ZoneName): string | null {
  if (at < FIRST || at > LAST) return null;
  const offset = offsetSeconds(floorDivide(at, SECOND), zone);
  const text = offset === null ? null : wallText(at + BigInt(offset) * SECOND);
  return text === null ? null : `${text} ${offsetText(offset!, zone)}`;
}

/** “2026-03-09 14:02:11.5”, without a zone. */
export function wallText(wall: Nanoseconds): string | null {
  if (wall < FIRST || wall > LAST) return null;
  const seconds = floorDivide(wall, SECOND);
  const [day, time] = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).split('T');
  return `${day} ${time}${fractionText(wall - seconds * SECOND, 9)}`;
}

type ParsedMoment = { readonly at: Nanoseconds } | { readonly problem: string };

/** @param zone null for times without a zone */
export function momentFrom(text: string, zone: ZoneName | null): ParsedMoment {
  const found = TEXT.exec(text.trim());
  if (!found) return { problem: 'Enter a date such as 2024-05-01 or 2024-05-01 12:30:00.' };
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = found;
  const why = whyImpossible(`${year}-${month}-${day} ${hour}:${minute}:${second}`);
  if (why !== null) return { problem: second === '60' ? 'Leap seconds cannot be stored in this form.' : why };
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const wall = BigInt(date.getTime() / 1000);
  const rest = BigInt(fraction.padEnd(9, '0'));
  if (zone === null && offset !== undefined) return { problem: 'These dates have no time zone. Leave out the offset.' };
  const seconds = zone === null ? wall : offset === undefined ? fromWall(wall, zone) : fromOffset(wall, offset, zone);
  if (typeof seconds === 'string') return { problem: seconds };
  const at = seconds * SECOND + rest;
  const isShown = (zone === null ? wallText(at) : momentText(at, zone)) !== null;
  return isShown ? { at } : { problem: 'Only times of the years 1 to 9999, in UTC too, can be entered here.' };
}

/** Seconds since 1970 in UTC, or a sentence why the clocks never showed this time, or showed it twice. */
function fromWall(wall: bigint, zone: ZoneName): bigint | string {
  const near = [-DAY_SECONDS - 7200, 0, DAY_SECONDS + 7200].map(
    (away) => offsetSeconds(wall + BigInt(away), zone) ?? 0,
  );
  const fitting = [...new Set(near)].filter((offset) => offsetSeconds(wall - BigInt(offset), zone) === offset);
  if (fitting.length === 1) return wall - BigInt(fitting[0]!);
  const time = wallText(wall * SECOND) ?? 'This time';
  if (fitting.length === 0)
    return `${time} does not exist in ${zoneLabel(zone)}: the clocks were put forward. Enter another time.`;
  const offsets = fitting.sort((a, b) => b - a).map((offset) => offsetText(offset, zone));
  return `${time} comes twice in ${zoneLabel(zone)}: the clocks were put back. Add ${offsets.join(' or ')}.`;
}

/** “Z” may always be entered. Another offset must be the zone’s own: a date changed without its offset would be an hour off in summer. */
function fromOffset(wall: bigint, offset: string, zone: ZoneName): bigint | string {
  if (/^(z|utc)$/i.test(offset)) return wall;
  const [hours, minutes, seconds] = [
    offset.slice(1, 3),
    offset.slice(3).replace(/^:/, '').slice(0, 2),
    offset.slice(7),
  ];
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds || '0') > 59)
    return `There is no offset ${offset}. Change the offset, or leave it out.`;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds || '0');
  const given = offset.startsWith('-') ? -size : size;
  const utc = wall - BigInt(given);
  const own = offsetSeconds(utc, zone);
  if (zone === 'utc' || own === given || own === null) return utc;
  return `${zoneLabel(zone)} is at ${offsetText(own, zone)} then, not at ${offset}. Change the offset, or leave it out.`;
}

function offsetText(seconds: number, zone: ZoneName): string {
  if (zone === 'utc') return 'UTC';
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])];
  return (seconds < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Seconds ahead of UTC; null if the zone is not known here. @param at seconds since 1970 in UTC */
function offsetSeconds(at: bigint, zone: ZoneName): number | null {
  if (zone === 'utc') return 0;
  const formatter = formatterOf(zone);
  if (!formatter) return null;
  const utcMs = Math.max(Number(at) * 1000, FIRST_ZONED_MS);
  const parts = new Map(formatter.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day] = [parts.get('year')!, parts.get('month')!, parts.get('day')!];
  const wallMs = Date.UTC(year, month - 1, day, parts.get('hour')!, parts.get('minute')!, parts.get('second')!);
  return (wallMs - utcMs) / 1000;
}

const formatters = new Map<ZoneName, Intl.DateTimeFormat | null>();

/** Asking for it takes longer than all else. People travel, but not within a second. */
const LOCAL_KNOWN_MS = 1000;
let local: { readonly zone: string; readonly askedAt: number } | null = null;

function knownLocalZone(): string {
  const now = Date.now();
  if (local === null || Math.abs(now - local.askedAt) > LOCAL_KNOWN_MS) local = { zone: localZone(), askedAt: now };
  return local.zone;
}

function formatterOf(zone: ZoneName): Intl.DateTimeFormat | null {
  const name = zone === 'local' ? knownLocalZone() : zone;
  let known = formatters.get(name);
  if (known === undefined) formatters.set(name, (known = newFormatter(name)));
  return known;
}

function newFormatter(timeZone: string): Intl.DateTimeFormat | null {
  const two = '2-digit';
  const clock = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: two, day: two, ...clock });
  } catch {
    return null;
  }
}
