// Tests how readings of a column are called.
import { expect, test } from 'vitest';
import type { Reading } from '#shared/protocol/index.ts';
import { exampleOf, labelOf } from './reading-labels.ts';

const date = { kind: 'dates', first: 'day', separator: '/', yearDigits: 4, clock: 'none' } as const;
const number = { kind: 'numbers', thousands: '.', point: ',', isWhole: false } as const;

test.each<readonly [Reading, string, string]>([
  [date, 'Day first: 31/12/2026', '31/12/2026 is 2026-12-31'],
  [{ ...date, first: 'month', separator: '.' }, 'Month first: 12.31.2026', '12.31.2026 is 2026-12-31'],
  [{ ...date, first: 'year' }, 'Year first: 2026/12/31', '2026/12/31 is 2026-12-31'],
  [{ ...date, clock: 24 }, 'Day first, with time', '31/12/2026 14:05 is 2026-12-31 14:05'],
  [{ ...date, first: 'month', clock: 12 }, 'Month first, with time', '12/31/2026 2:05 PM is 2026-12-31 14:05'],
  [
    { ...date, yearDigits: 2, clock: 24 },
    'Day first, 1970–2069',
    '31/12/26 14:05 is 2026-12-31 14:05; years are those from 1970 to 2069',
  ],
  [number, '1.234,5 is 1234.5', '1.234,5 is 1234.5'],
  [{ ...number, isWhole: true }, '1.234 is 1234', '1.234 is 1234'],
  [{ ...number, thousands: null }, '1,234 is 1.234', '1,234 is 1.234'],
])('%o is called %s: %s', (reading, label, example) => {
  expect(labelOf(reading)).toBe(label);
  expect(exampleOf(reading)).toBe(example);
});
