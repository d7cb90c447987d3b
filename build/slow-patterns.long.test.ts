import { expect, test } from 'vitest';
import { patternsHere, slowText } from './slow-patterns.ts';

/** Patterns that only ever meet a text of bounded length, and why it is. */
const BOUNDED: Readonly<Record<string, string>> = {
  '[\\w$\\u0080-\\uffff]*$': 'CodeMirror passes the 250 characters before the cursor',
  '([\\w$\\u0080-\\uffff]+|"(?:[^"]|"")+"|`[^`]+`|\\[[^\\]]+\\])\\s*\\.\\s*(["`[]?)([\\w$\\u0080-\\uffff]*)$':
    'the same',
  '(?:CHAR\\w*|TEXT|CLOB)\\s*\\(\\s*(\\d+)\\s*\\)': 'the first 200 characters of a type',
  '"[^"]*"|\\\\.|_.|\\*.|\\[[^\\]]*\\]': 'Excel has no longer number format than 255 characters',
  "^(?:[^\\s().[\\]]+\\.)*([^\\s().[\\]:']+(?: [a-z_]+)*) ?(?:\\(([^()]*)\\))?((?: [a-z_]\\w*)*)((?: ?\\[ ?\\])*)$":
    'a type in a dump has at most 16 words',
};

test('every regular expression of the product takes time proportional to the text, or meets short texts only', () => {
  const patterns = patternsHere();
  expect(patterns.length).toBeGreaterThan(500);
  const different = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  const slow = [...different.values()].flatMap((pattern) => {
    const text = slowText(pattern);
    return text === null ? [] : [{ ...pattern, text }];
  });
  expect(slow.filter(({ source }) => BOUNDED[source] === undefined)).toEqual([]);
  // An exception that nothing needs any longer is removed.
  expect(Object.keys(BOUNDED).filter((source) => !slow.some((each) => each.source === source))).toEqual([]);
}, 600_000);
