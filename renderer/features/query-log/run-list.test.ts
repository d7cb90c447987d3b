import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { LoggedRun } from '#shared/protocol/index.ts';
import { diffLines } from '../../ui/line-diff.tsx';
import { choice, withRun } from './run-list.ts';

const run = (id: number, begin = ''): LoggedRun => ({ id, begin }) as LoggedRun;
const ids = (runs: readonly LoggedRun[]): readonly number[] => runs.map(({ id }) => id);

describe('a run that began, ended, or was deleted', () => {
  const runs = [run(9), run(7), run(4)];

  it('takes its place in the order', () => {
    expect(ids(withRun(runs, 10, run(10), 4))).toEqual([10, 9, 7, 4]);
    expect(ids(withRun(runs, 8, run(8), 4))).toEqual([9, 8, 7, 4]);
    expect(withRun(runs, 7, run(7, 'new'), 4)[1]).toEqual(run(7, 'new'));
    expect(ids(withRun(runs, 7, null, 4))).toEqual([9, 4]);
    expect(withRun(runs, 8, null, 4)).toBe(runs);
  });

  it('is left for later when the list was not read as far as that', () => {
    expect(withRun(runs, 2, run(2), 4)).toBe(runs);
    expect(ids(withRun(runs, 2, run(2), null))).toEqual([9, 7, 4, 2]);
    expect(ids(withRun([], 2, run(2), null))).toEqual([2]);
  });
});

it('chooses one, some, or all between two', () => {
  const all = [9, 7, 5, 3];
  expect(choice(all, [9, 7], 3, 'only')).toEqual([3]);
  expect(choice(all, [9], 5, 'toggle')).toEqual([9, 5]);
  expect(choice(all, [9, 5], 9, 'toggle')).toEqual([5]);
  expect(choice(all, [7], 3, 'range')).toEqual([7, 5, 3]);
  expect(choice(all, [7, 5, 3], 9, 'range')).toEqual([7, 9]);
  expect(choice(all, [], 5, 'range')).toEqual([5]);
  expect(choice(all, [1], 5, 'range')).toEqual([5]);
});

describe('the lines of two texts', () => {
  it('are told apart as a person would', () => {
    const before = 'SELECT a,\n  b\nFROM t\nWHERE a = 1;';
    const after = 'SELECT a,\n  c\nFROM t\nWHERE a = 1\nLIMIT 5;';
    expect(diffLines(before, after).map(({ kind, text }) => `${kind[0]} ${text}`)).toEqual([
      's SELECT a,',
      'r   b',
      'a   c',
      's FROM t',
      'r WHERE a = 1;',
      'a WHERE a = 1',
      'a LIMIT 5;',
    ]);
  });

  it('give both texts back, with as few changes as possible', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (other: string): string =>
          lines
            .filter(({ kind }) => kind !== other)
            .map((line) => line.text)
            .join('\n');
        expect([side('added'), side('removed')]).toEqual([before, after]);
        const kept = lines.filter(({ kind }) => kind === 'same').length;
        expect(kept).toBe(commonLength(before.split('\n'), after.split('\n')));
      }),
      { seed: 7, numRuns: seedCount(300) },
    );
  });
});

/** Recursive, like its definition. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  const known = new Map<string, number>();
  const of = (i: number, j: number): number => {
    if (i === a.length || j === b.length) return 0;
    const key = `${i} ${j}`;
    const found = known.get(key) ?? (a[i] === b[j] ? of(i + 1, j + 1) + 1 : Math.max(of(i + 1, j), of(i, j + 1)));
    known.set(key, found);
    return found;
  };
  return of(0, 0);
}
