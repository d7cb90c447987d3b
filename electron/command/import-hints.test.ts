import { expect, it } from 'vitest';
import { encodingHint, moreHint } from './import-tables.ts';
import { parse, type Options } from './parse.ts';

function given(...words: string[]): Options {
  const parsed = parse(['import', 'a.csv', '--into', 'a.db', ...words]);
  if (parsed.kind !== 'command') throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

it('an encoding that is a guess is said with the option that chooses another', () => {
  expect(encodingHint(given(), 'windows-1252', false).join()).toContain('--encoding');
  expect(encodingHint(given(), 'ascii', true).join()).toContain('--encoding');
  expect(encodingHint(given(), 'ascii', false)).toEqual([]);
  expect(encodingHint(given(), 'utf-16le', true)).toEqual([]);
  expect(encodingHint(given('--encoding', 'gbk'), 'gbk', true)).toEqual([]);
});

it('what is not said is counted, with how to get it', () => {
  expect(moreHint('a.sql', 5, 5, 5)).toEqual([]);
  expect(moreHint('a.sql', 6, 5, 6)).toEqual(['a.sql: 1 more; --json lists all of them.']);
  expect(moreHint('a.sql', 3000, 5, 1000)).toEqual(['a.sql: 2,995 more; --json lists the first 1,000.']);
});
