// The time typed into the replica dialog, in the time zone of this computer, and the moment of the replica it refers to.
import { dateText, offsetText } from '../../ui/format.ts';
import type { ReplicaMoment } from '#shared/replicas.ts';

const TYPED = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?\s*$/;

/** Null unless it is a date, with or without a time; a date alone means its end, because people want the last moment of that day. */
export function readTime(text: string): number | null {
  const [, year, month, day, ...time] = TYPED.exec(text) ?? [];
  if (year === undefined) return null;
  const [hours = 23, minutes = 59, seconds = time[0] === undefined ? 59 : 0] = time.map((part) =>
    part === undefined ? undefined : Number(part),
  );
  const at = new Date(Number(year), Number(month) - 1, Number(day), hours, minutes, seconds);
  const isReal = at.getMonth() === Number(month) - 1 && hours < 24 && minutes < 60 && seconds < 60;
  return isReal ? at.getTime() : null;
}

/** “2026-11-20 14:00:05”, in the format for typing. */
export const writeTime = (atMs: number): string => dateText(atMs, 'local').slice(0, 19);

/** The last one at that time; null if the replica begins later. @param moments newest first, in whole seconds */
export const momentAt = (moments: readonly ReplicaMoment[], atMs: number): ReplicaMoment | null =>
  moments.find((moment) => moment.atMs <= atMs) ?? null;

/** What is wrong with the time; null if it is valid. */
export function problemOf(text: string, moments: readonly ReplicaMoment[]): string | null {
  const atMs = readTime(text);
  if (atMs === null) return 'Enter a date and time, such as 2026-11-20 14:00.';
  if (momentAt(moments, atMs)) return null;
  const first = moments.at(-1);
  return first ? `The oldest restore point is ${writeTime(first.atMs)}.` : null;
}

/** “Europe/Berlin, UTC+01:00” */
export function zoneOf(atMs: number): string {
  const utc = `UTC${offsetText(atMs).replace('-', '−')}`;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'UTC' ? utc : `${timeZone}, ${utc}`;
}
