import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { jsonChildren, jsonRoot, MAX_CHILDREN, type JsonNode } from './json-children.ts';
import { compactJson, indentJson, jsonError, placeIn } from './json-text.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('what is accepted is what JSON.parse accepts', () => {
  const pieces = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ':',
    ',',
    '"a"',
    '"\\n"',
    '"\\x"',
    '1',
    '-0.5e3',
    '01',
    'true',
    'nul',
    ' ',
    '\n',
    '"',
    '.',
    '\u00a0',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
      const text = parts.join('');
      expect(jsonError(text) === null).toBe(isJson(text));
    }),
    { seed: 5, numRuns: seedCount(5000) },
  );
});

test('formatting changes white space alone', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(indentJson(text))).toEqual(JSON.parse(text));
      expect(compactJson(indentJson(text))).toBe(compactJson(text));
    }),
    { seed: 6, numRuns: seedCount(500) },
  );
  expect(compactJson('{"a": 10000000000000000001, "b" : "x y"}')).toBe('{"a":10000000000000000001,"b":"x y"}');
});

test('an error says where it is', () => {
  expect(jsonError('{"a": 1,\n "b" 2}')).toEqual({ at: 14, message: '“:” is expected here.' });
  expect(placeIn('{"a": 1,\n "b" 2}', 14)).toBe('line 2, column 6');
  expect(jsonError('[1, 2')).toEqual({ at: 5, message: 'The text ends unexpectedly.' });
  expect(jsonError('')).toEqual({ at: 0, message: 'The text ends unexpectedly.' });
});

test('branches of the tree have the members of the value', () => {
  const valueOf = (text: string, node: JsonNode): unknown => {
    if (node.kind === 'string' || node.kind === 'word') return JSON.parse(text.slice(node.from, node.to)) as unknown;
    const { nodes } = jsonChildren(text, node);
    if (node.kind === 'array') return nodes.map((child) => valueOf(text, child));
    return Object.fromEntries(nodes.map((child) => [JSON.parse(`"${child.label}"`) as string, valueOf(text, child)]));
  };
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (text) => {
      const parsed = JSON.parse(text) as unknown;
      if (JSON.stringify(parsed).includes('__proto__')) return;
      expect(valueOf(text, jsonRoot(text))).toEqual(parsed);
    }),
    { seed: 7, numRuns: seedCount(500) },
  );
  const long = JSON.stringify(Array.from({ length: MAX_CHILDREN + 5 }, (_, at) => [at]));
  expect(jsonChildren(long, jsonRoot(long))).toMatchObject({
    count: MAX_CHILDREN + 5,
    nodes: { length: MAX_CHILDREN },
  });
});

describe('time grows with the length alone', () => {
  const many = 200_000;
  test.each([
    ['brackets', '['.repeat(many) + ']'.repeat(many)],
    ['objects', '{"a":'.repeat(many) + '1' + '}'.repeat(many)],
    ['a string', `"${'\\\\'.repeat(many)}"`],
    ['an open string', `"${'\\\\'.repeat(many)}`],
    ['a number', '9'.repeat(many)],
    ['spaces', `${' '.repeat(many)}x`],
  ])('%s', async (_name, text) => {
    const spentMs = await processorMsOf(() => {
      if (jsonError(text) !== null) return;
      indentJson(text);
      compactJson(text);
      const root = jsonRoot(text);
      if (root.kind === 'array' || root.kind === 'object') jsonChildren(text, root);
    });
    expect(spentMs).toBeLessThan(20_000);
  });
});
