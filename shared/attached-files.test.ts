import { expect, test } from 'vitest';
import { problemOfAttachedName, suggestedName } from './attached-files.ts';

test.each([
  ['prices.db', [], 'prices'],
  ['Old Prices 2024.sqlite3', [], 'Old_Prices_2024'],
  ['2024-sales.db', [], '_2024_sales'],
  ['prices.db', ['Prices'], 'prices2'],
  ['main.db', ['main2'], 'main3'],
  ['Größe.db', [], 'Größe'],
  ['….db', [], 'other'],
  [`${'x'.repeat(200)}.db`, [], 'x'.repeat(62)],
  [`x${'𝔞'.repeat(40)}.db`, [], `x${'𝔞'.repeat(30)}`],
  ['Order.db', [], '_Order'],
])('%s beside %j is called %s', (fileName, taken, name) => {
  expect(suggestedName(fileName, taken)).toBe(name);
});

test.each(['prices', 'Größe', '_1', 'select'])('%s can be a name', (name) => {
  expect(problemOfAttachedName(name, ['other'])).toBeNull();
});

test.each(['', '1a', 'a b', 'a"b', 'a.b', 'main', 'TEMP', 'Other', 'x'.repeat(65)])('“%s” cannot be one', (name) => {
  expect(problemOfAttachedName(name, ['other'])).toMatch(/^“.*” .*\.$/);
});
