import { expect, it, vi } from 'vitest';
import { findErrorOffset } from './error-offset.ts';

it('looks for the place of an error in no text of millions of tokens', () => {
  const messageOf = vi.fn((sql: string) => (sql.includes('b b') ? 'near "b": syntax error' : null));
  expect(findErrorOffset('SELECT a b b', 'near "b": syntax error', messageOf)).toBe(11);
  messageOf.mockClear();
  expect(findErrorOffset(`SELECT a ${'b '.repeat(1_000_000)}`, 'near "b": syntax error', messageOf)).toBe(-1);
  expect(findErrorOffset(`SELECT a ${'b '.repeat(1_000_000)}`, 'no such column: b', messageOf)).toBe(-1);
  expect(messageOf).not.toHaveBeenCalled();
});
