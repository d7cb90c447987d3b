import { expect, it } from 'vitest';
import { readEndToEndOptions } from './e2e-options.ts';

it('takes its own options and passes the others on in their order', () => {
  expect(readEndToEndOptions(['edit.spec', '--stress', '--repeat', '20', '-g', 'paste'])).toEqual({
    stress: true,
    playwrightArgs: ['edit.spec', '--repeat-each', '20', '-g', 'paste'],
  });
  expect(readEndToEndOptions([])).toEqual({ stress: false, playwrightArgs: [] });
});

it('`--smoke` chooses the stories with its tag, in Electron only', () => {
  expect(readEndToEndOptions(['--smoke']).playwrightArgs).toEqual(['--project=electron', '--grep', '@smoke']);
});

it('refuses to repeat something other than a number of times', () => {
  for (const count of [['0'], ['x'], ['1.5'], []])
    expect(() => readEndToEndOptions(['--repeat', ...count])).toThrow('--repeat takes a number');
});
