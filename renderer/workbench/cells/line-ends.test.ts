import { expect, test } from 'vitest';
import { asStored, asTyped, lineEndsOf } from './line-ends.ts';

test.each([
  ['one line', 'lf'],
  ['a\nb', 'lf'],
  ['a\r\nb\r\n', 'crlf'],
  ['a\r\nb\n', 'mixed'],
  ['a\rb', 'mixed'],
  ['\n\r', 'mixed'],
] as const)('%j has %s', (text, ends) => expect(lineEndsOf(text)).toBe(ends));

test('line ends come back as they were', () => expect(asStored(asTyped('a\r\nb'), 'crlf')).toBe('a\r\nb'));
