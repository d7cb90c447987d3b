import { expect, test } from 'vitest';
import { DATE_FORMATS, readDate } from './date-columns.ts';
import { excelDate } from '../import/xlsx/workbook.ts';

const encoder = new TextEncoder();
const read = (text: string) => {
  const bytes = encoder.encode(`##${text}##`);
  return readDate(bytes, 2, bytes.length - 4);
};

/** A prime number of days, so that each day of a year has its turn; the long tests take all. */
const STEP = process.env.SIDELITE_LONG === '1' ? 1 : 61;

test('days from March 1900 to the end of 9999 have the number that the import reads as this day', () => {
  const last = Date.UTC(9999, 11, 31);
  for (let time = Date.UTC(1900, 2, 1); time <= last; time += STEP * 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10);
    const found = read(day);
    if (typeof found === 'string' || excelDate(found.serial, 'date', false) !== day) expect([day, found]).toBeNull();
  }
});

test('seconds of a day come back, in the way it was written', () => {
  for (let second = 0; second < 86_400; second += STEP) {
    const text = new Date(Date.UTC(2024, 1, 29) + second * 1000).toISOString().slice(0, 19);
    const found = read(text);
    if (typeof found === 'string' || excelDate(found.serial, 'both', false) !== text.replace('T', ' '))
      expect([text, found]).toBeNull();
  }
  const forms = ['2024-02-29', '2024-02-29 12:30', '2024-02-29 12:30:00', '2024-02-29T12:30', '2024-02-29T12:30:00'];
  expect(forms.map((text) => (read(text) as { format: number }).format)).toEqual([...DATE_FORMATS.keys()]);
});

test.each([
  ['early', '1900-02-28', '1899-12-31 10:00', '0001-01-01'],
  ['impossible', '1900-02-29', '2023-02-29', '2023-04-31', '2023-13-01', '2023-00-10', '2023-01-00', '2023-01-01 24:00', '2023-01-01T10:60:00', '2023-01-01 10:00:60'],
  ['fraction', '2023-01-01 10:00:00.5', '2023-01-01T10:00:00.000Z'],
  ['zone', '2023-01-01T10:00Z', '2023-01-01 10:00:00+02:00', '2023-01-01 10:00:00-02:00'],
  ['other', '', '2023', '2023-1-01', '2023-01-01 ', ' 2023-01-01', '2023/01/01', '2023-01-01x10:00', '2023-01-01 10', '2023-01-01 10:00:0', '+023-01-01', '２０２３-01-01', '2023-01-01 10:00:00 and more', '12023-01-01'],
] as const)('%s: no date of a spreadsheet', (why, ...texts) => {
  expect(texts.map((text) => [text, read(text)])).toEqual(texts.map((text) => [text, why]));
}); // prettier-ignore
