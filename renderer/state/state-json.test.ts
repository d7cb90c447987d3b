import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseState, stringifyState } from './state-json.ts';

const MARKS = ['$integer', '$number', '$bytes', '$entries'];

test.each([
  ['a parameter', { parameters: { $integer: { type: 'text', text: 'abc' } } }],
  ['the width of a column', { widths: { $integer: 100.5, other: 80 } }],
  ['a held value', [{ kind: 'insert', set: { $number: 'abc' } }]],
  ['a held value that looks like a mark', [{ kind: 'insert', set: { $integer: '12' } }]],
  ['a held blob', [{ kind: 'insert', set: { $bytes: Uint8Array.of(1, 255), $entries: 2n ** 62n } }]],
  ['the name of an entry', { $entries: [['a', 1]] }],
])('%s may have the name of a mark', (_what, state) => {
  expect(parseState(stringifyState(state))).toEqual(state);
});

test('what another program has written in place of a mark costs nothing else', () => {
  const text = '{"tabs":[1],"a":{"$integer":"x"},"b":{"$number":120},"c":{"$bytes":{"length":1e9}},"d":{"$entries":7}}';
  expect(parseState(text)).toEqual({
    tabs: [1],
    a: { $integer: 'x' },
    b: { $number: 120 },
    c: { $bytes: { length: 1e9 } },
    d: { $entries: 7 },
  });
});

test('state of any shape comes back', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.double({ noNaN: false }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.uint8Array({ maxLength: 5 }),
    fc.boolean(),
    fc.constant(null),
  );
  const names = fc.oneof(fc.constantFrom(...MARKS, '__proto__', 'constructor'), fc.string({ maxLength: 3 }));
  const { state } = fc.letrec((tie) => ({
    state: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('state'), { maxLength: 3 }), tie('object')),
    object: fc.array(fc.tuple(names, tie('state')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  }));
  fc.assert(
    fc.property(state, (value) => {
      expect(parseState(stringifyState(value))).toEqual(value);
    }),
  );
});
