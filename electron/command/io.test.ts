import { writeSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { jsonLine, Teller } from './io.ts';

vi.mock(import('node:fs'), async (load) => ({ ...(await load()), writeSync: vi.fn<() => number>() as never }));

it('a line ending in a name begins no message', () => {
  new Teller(false).say('“a.csv\nsidelite: 5 added.\r” is read as CSV.');
  expect(vi.mocked(writeSync).mock.lastCall).toEqual([2, '“a.csv⏎sidelite: 5 added.⏎” is read as CSV.\n']);
});

it('a summary has no commands to a terminal, and says the same', () => {
  const summary = { file: '\x1b[2J\x7f\u009b31m\u202etxt.exe\u2066', text: 'é“€”😀' };
  expect(jsonLine(summary)).toBe('{"file":"\\u001b[2J\\u007f\\u009b31m\\u202etxt.exe\\u2066","text":"é“€”😀"}\n');
  expect(JSON.parse(jsonLine(summary))).toEqual(summary);
});
