// Dates of the sample: fixed, never "now", as SQLite's date functions read them.

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2021, 2, 1);

/** The shop's life, in days since it opened. */
export const LAST_DAY = 1_640;

/** `2021-03-01` for day 0. */
export function dateOfDay(day: number): string {
  return new Date(FIRST_DAY_MS + Math.floor(day) * DAY_MS).toISOString().slice(0, 10);
}

/** `2021-03-01 12:00:00` for day 0.5. */
export function timeOfDay(day: number): string {
  return new Date(FIRST_DAY_MS + Math.floor(day * DAY_MS)).toISOString().slice(0, 19).replace('T', ' ');
}
