import { expect, test, vi } from 'vitest';
import { replaceInAnyCase } from './replace-in-any-case.ts';

test.each([9_999, 10_000, 10_001, 25_000])(
  'a text with %d places is replaced in pieces, and can be stopped',
  (count) => {
    const tick = vi.fn();
    expect(replaceInAnyCase(`x${'aB.'.repeat(count)}y`, 'Ab', 'é', tick)).toBe(`x${'é.'.repeat(count)}y`);
    expect(tick).toHaveBeenCalledTimes(Math.floor(count / 10_000));
    const stop = (): never => {
      throw new Error('Stopped.');
    };
    if (count >= 10_000) expect(() => replaceInAnyCase('a'.repeat(count), 'a', 'b', stop)).toThrow('Stopped.');
  },
);
