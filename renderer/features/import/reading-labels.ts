// Readings of a column in words: short ones, which fit into its card, and an example of what each does.
import type { Reading } from '#shared/protocol/index.ts';

/** “Day first: 31/12/2026”, “1,234.5 is 1234.5”. Each must be legible in a card of the usual width. */
export function labelOf(reading: Reading): string {
  if (reading.kind === 'numbers') return exampleOf(reading);
  const { first, separator, yearDigits, clock } = reading;
  const order = { day: 'Day first', month: 'Month first', year: 'Year first' }[first];
  if (yearDigits === 2) return `${order}, 1970–2069`;
  return clock === 'none' ? `${order}: ${dateIn(first, separator, '2026')}` : `${order}, with time`;
}

/** “31/12/2026 2:05 PM is 2026-12-31 14:05” */
export function exampleOf(reading: Reading): string {
  if (reading.kind === 'numbers') {
    const { thousands, point, isWhole } = reading;
    if (thousands === null) return `1${point}234 is 1.234`;
    return isWhole ? `1${thousands}234 is 1234` : `1${thousands}234${point}5 is 1234.5`;
  }
  const { first, separator, yearDigits, clock } = reading;
  const [time, stored] = { none: ['', ''], 24: [' 14:05', ' 14:05'], 12: [' 2:05 PM', ' 14:05'] }[clock] as [
    string,
    string,
  ];
  const example = `${dateIn(first, separator, yearDigits === 2 ? '26' : '2026')}${time} is 2026-12-31${stored}`;
  return yearDigits === 2 ? `${example}; years are those from 1970 to 2069` : example;
}

function dateIn(first: 'day' | 'month' | 'year', separator: string, year: string): string {
  const parts = { day: ['31', '12', year], month: ['12', '31', year], year: [year, '12', '31'] }[first];
  return parts.join(separator);
}
