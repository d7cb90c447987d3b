import { expect, test } from 'vitest';
import { momentText } from './tsql-values.ts';

test.each([
  // Published with their meaning: 2009-12-12, 1993-12-16, 2006-11-17, 2010-10-13 09:03:39.783.
  ['Date', '38320B00', '2009-12-12'],
  ['Date', '681B0B00', '1993-12-16'],
  ['DateTime', '0000987C00000000', '2006-11-17 00:00:00.000'],
  ['DateTime', '00009E0E0095524F', '2010-10-13 09:03:39.783'],
  ['SmallDateTime', '9B960000', '2009-01-19 00:00:00.000'],
  ['Date', '000000', '0001-01-01'],
  ['Date', 'DAB937', '9999-12-31'],
  ['DateTime', 'FFFF2E4600000000', '1753-01-01 00:00:00.000'],
  ['DateTime2', '0700D85EAC3A9B3E0B', '2018-08-18 07:00:00.0000000'],
  ['"datetime2" (7)', '07FFBF692AC9DAB937', '9999-12-31 23:59:59.9999999'],
  ['DateTime2 (0)', '007F5101000000', '0001-01-01 23:59:59'],
  ['DateTime2 (3)', '03FF5B260538320B', '2009-12-12 23:59:59.999'],
  ['Time (7)', '0701000000', null],
  ['Time (7)', '070100000000', '00:00:00.0000001'],
  ['DateTimeOffset', '0700D85EAC3A9B3E0B7800', '2018-08-18 09:00:00.0000000+02:00'],
  ['DateTimeOffset', '0700D85EAC3A9B3E0BB7FD', '2018-08-17 21:15:00.0000000-09:45'],
  ['DateTime2', '0800D85EAC3A9B3E0B', null],
  ['DateTime2', '0700D85EAC3A9B3E', null],
  ['DateTime2', '07FFFFFFFFFF9B3E0B', null],
  ['DateTime2', '', null],
  ['Date', 'FFFFFF', null],
  ['Date', '38320B01', null],
  ['DateTimeOffset', '0700D85EAC3A9B3E0BFF7F', null],
  ['timestamp', '00', null],
])('%s of 0x%s', (type, hex, text) => {
  expect(momentText(hex, type)).toBe(text);
});
