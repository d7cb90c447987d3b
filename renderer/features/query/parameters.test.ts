import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { givenBy, parameterNames, valuesOf, withoutValue } from './parameters.ts';

describe('what the text of a parameter means', () => {
  it.each([
    ['1', 1],
    ['-0', '-0'],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['99999999999999999999', { real: 1e20 }],
    ['007', '007'],
    ['+1', '+1'],
    ['2.50', 2.5],
    ['2.0', { real: 2 }],
    ['1e3', { real: 1000 }],
    ['1,5', '1,5'],
    ["x'00ff'", new Uint8Array([0, 255])],
    [' 1', ' 1'],
    ['NULL', 'NULL'],
  ])('automatically: %j', (text, value) => {
    expect(givenBy({ type: 'auto', text })).toEqual({ value });
  });

  it('takes what was chosen, and says what is wrong with it', () => {
    expect(givenBy({ type: 'text', text: '' })).toEqual({ value: '' });
    expect(givenBy({ type: 'text', text: '1' })).toEqual({ value: '1' });
    expect(givenBy({ type: 'null', text: 'left' })).toEqual({ value: null });
    expect(givenBy({ type: 'integer', text: ' 007 ' })).toEqual({ value: 7 });
    expect(givenBy({ type: 'real', text: '-Inf' })).toEqual({ value: { real: -Infinity } });
    expect(givenBy({ type: 'blob', text: '00fF' })).toEqual({ value: new Uint8Array([0, 255]) });
    expect(givenBy({ type: 'blob', text: '' })).toEqual({ value: new Uint8Array() });
    for (const [type, text] of [
      ['auto', ''],
      ['integer', '1.5'],
      ['integer', '9223372036854775808'],
      ['real', 'two'],
      ['blob', '0'],
    ] as const)
      expect(givenBy({ type, text })).toHaveProperty('problem');
  });

  test('an automatic number is written as it was typed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer().map(String), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
        (text) => {
          expect(givenBy({ type: 'auto', text })).toEqual({
            value: Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text),
          });
        },
      ),
      { seed: 20_291, numRuns: seedCount(100) },
    );
  });
});

test('names come once each, and only those without a value are asked for', () => {
  const names = parameterNames('SELECT :a, ?, :a; SELECT ?, $b, :__proto__');
  expect(names).toEqual([':a', '?2', '?1', '$b', ':__proto__']);
  const entries = { ':a': { type: 'null', text: '' }, '?1': { type: 'integer', text: 'x' } } as const;
  expect(withoutValue(names, entries)).toEqual(['?2', '?1', '$b', ':__proto__']);
  expect(valuesOf([':a'], entries)).toEqual({ ':a': null });
  expect(parameterNames('SELECT 1')).toEqual([]);
});
