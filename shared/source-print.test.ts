import { expect, test } from 'vitest';
import { samePrint } from './source-print.ts';
import type { SourcePrint } from './source-print.ts';

const PRINT: SourcePrint = {
  sizeBytes: 4096,
  modifiedAtMs: 1,
  fileId: '1:2',
  walSizeBytes: 0,
  walModifiedAtMs: 0,
  content: null,
};

test.each<keyof SourcePrint>(['sizeBytes', 'modifiedAtMs', 'walSizeBytes', 'walModifiedAtMs'])(
  'a large file with another %s has changed',
  (part) => expect(samePrint(PRINT, { ...PRINT, [part]: 7 })).toBe(false),
);

test('another file in its place has changed, the same one has not', () => {
  expect(samePrint(PRINT, { ...PRINT, fileId: '1:3' })).toBe(false);
  expect(samePrint(PRINT, { ...PRINT })).toBe(true);
});

test('content decides where both know it', () => {
  const known = { ...PRINT, content: 'a' };
  expect(samePrint(known, { ...known, modifiedAtMs: 2, fileId: '1:3' })).toBe(true);
  expect(samePrint(known, { ...known, content: 'b' })).toBe(false);
  expect(samePrint(known, { ...PRINT, modifiedAtMs: 2 })).toBe(false);
});
