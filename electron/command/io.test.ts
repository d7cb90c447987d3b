import { expect, it } from 'vitest';
import { jsonLine } from './io.ts';

it('a summary has no commands to a terminal, and says the same', () => {
  const summary = { file: '\x1b[2J\x7f\u009b31m\u202etxt.exe\u2066', text: 'é“€”😀' };
  expect(jsonLine(summary)).toBe('{"file":"\\u001b[2J\\u007f\\u009b31m\\u202etxt.exe\\u2066","text":"é“€”😀"}\n');
  expect(JSON.parse(jsonLine(summary))).toEqual(summary);
});
