import { expect, it } from 'vitest';
import { trimmed, trimmedEnd } from './trimmed.ts';

it.each([
  ['__a_b__', '_', 'a_b', '__a_b'],
  ['', '_', '', ''],
  ['____', '_', '', ''],
  ['. a .', '. ', 'a', '. a'],
  ['a', '', 'a', 'a'],
])('“%s” without “%s” at both ends, and at its end', (text, set, both, end) => {
  expect([trimmed(text, set), trimmedEnd(text, set)]).toEqual([both, end]);
});
