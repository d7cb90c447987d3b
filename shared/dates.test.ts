import { expect, test } from 'vitest';
import { whyImpossible } from './dates.ts';

test.each([
  ['2021-13-45', '“2021-13-45” is not a date. There is no month 13.'],
  ['2021-04-31', '“2021-04-31” is not a date. There is no day 31 in that month.'],
  ['2021-02-29 10:00', '“2021-02-29 10:00” is not a date. There is no day 29 in that month.'],
  ['1900-02-29', '“1900-02-29” is not a date. There is no day 29 in that month.'],
  ['2021-02-28T24:61', '“2021-02-28T24:61” is not a date. There is no such time of day.'],
  ['2024-02-29', null],
  ['2000-02-29', null],
  [' 2021-12-31 23:59:59.5+02:00 ', null],
  ['31/12/2021', null],
  ['soon', null],
  ['1735689600', null],
  ['', null],
])('%s: %s', (text, why) => expect(whyImpossible(text)).toBe(why));
