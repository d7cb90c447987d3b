import { expect, it } from 'vitest';
import { readCostText } from './read-cost-text.ts';

it('says what is read of tables that are not small', () => {
  expect(readCostText({ rows: 1000, isLimit: true })).toBe('');
  expect(readCostText({ rows: 5000, isLimit: true })).toBe('The server reads up to 5,000 rows.');
  expect(readCostText({ rows: 1_204_000, isLimit: false })).toBe('The server reads about 1,204,000 rows.');
  expect(readCostText({ rows: null, isLimit: false })).toBe('The server reads all rows.');
  expect(readCostText({ rows: 5000, isLimit: true }, 'Shop')).toBe('“Shop” reads up to 5,000 rows.');
});
