// Days and times between two dates, as SQLite's date functions read them.
import type { SampleTime } from '../protocol/sample-rows.ts';
import { combined } from './values.ts';
import type { Values } from './values.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Null for anything but a day of the calendar, `YYYY-MM-DD`. */
export function dayNumber(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || dayText(ms / DAY_MS) !== text ? null : ms / DAY_MS;
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Uses Howard Hinnant’s `civil_from_days` algorithm, which is several times as fast as a Date. */
function dayText(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const part = Math.floor((5 * ofYear + 2) / 153);
  const month = part < 10 ? part + 3 : part - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(ofYear - Math.floor((153 * part + 2) / 5) + 1)}`;
}

const timeText = (second: number): string =>
  `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;

/** @param from the number of a day; `to`: the last one */
export function momentValues(as: SampleTime, from: number, to: number): Values {
  const days = to - from + 1;
  switch (as) {
    case 'date':
      return combined([days], ([day]) => dayText(from + day!));
    case 'time':
      return combined([DAY_SECONDS], ([second]) => timeText(second!));
    case 'datetime':
      return combined([DAY_SECONDS, days], ([second, day]) => `${dayText(from + day!)} ${timeText(second!)}`);
    case 'unix':
      return combined([days * DAY_SECONDS], ([second]) => from * DAY_SECONDS + second!);
    case 'unix-ms':
      return combined([days * DAY_MS], ([ms]) => from * DAY_MS + ms!);
  }
}
