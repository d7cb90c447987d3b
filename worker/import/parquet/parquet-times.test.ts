import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayText, timestampText, timeText } from './parquet-times.ts';

const SEED = { seed: 20_261_129 };

test('a day is written as Date writes it, from the first of year 0 to the last of 9999', () => {
  const asDate = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
  for (let day = -719_528; day <= 2_932_896; day += 73)
    if (dayText(day) !== asDate(day)) expect(dayText(day)).toBe(asDate(day));
  fc.assert(
    fc.property(fc.integer({ min: -719_528, max: 2_932_896 }), (day) => {
      expect(dayText(day)).toBe(asDate(day));
    }),
    SEED,
  );
  expect([-719_529, -719_528, 2_932_896, 2_932_897].map(dayText)).toEqual([
    '-0001-12-31',
    '0000-01-01',
    '9999-12-31',
    '+10000-01-01',
  ]);
  // Caesar died in 44 BC, which is the year -43.
  expect([-735_160, 3_789_392, 2 ** 31 - 2, NaN, Infinity].map(dayText)).toEqual([
    '-0043-03-15',
    '+12345-01-02',
    '+5881580-07-10',
    null,
    null,
  ]);
});

test('a timestamp is its day and the time in it, exactly, whatever its size', () => {
  const digits = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;
  const units = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
    fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  );
  fc.assert(
    fc.property(units, fc.constantFrom('MILLIS', 'MICROS', 'NANOS'), (value, unit) => {
      const perDay = 86_400n * 10n ** BigInt(digits[unit]);
      const rest = ((value % perDay) + perDay) % perDay;
      const day = dayText(Number((value - rest) / perDay));
      expect(timestampText(value, unit, true)).toBe(day === null ? null : `${day} ${timeText(rest, unit)}Z`);
    }),
    SEED,
  );
  // INT96 says more than 64 bits can.
  expect(timestampText(2n ** 80n, 'MILLIS', false)).toBeNull();
  expect(timeText(86_399_999_999_999n, 'NANOS')).toBe('23:59:59.999999999');
  expect(timeText(86_400_000n, 'MILLIS')).toBe('24:00:00.000');
  expect([timeText(86_400_001n, 'MILLIS'), timeText(-1n, 'MICROS')]).toEqual([null, null]);
});
