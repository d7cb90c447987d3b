import { expect, test } from 'vitest';
import { cellFormat, setCellFormat } from './cell-format.ts';

test('the format is another one only if something in it is, so that a change of the theme moves no column', () => {
  setCellFormat({ nullText: 'NULL', groupsDigits: true, dates: 'utc', blobs: 'hex', font: '13 Inter' });
  const first = cellFormat;
  setCellFormat({ ...first });
  expect(cellFormat).toBe(first);
  setCellFormat({ ...first, font: '14 Inter' });
  expect(cellFormat).not.toBe(first);
});
