import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { JsonIndenter, MAX_LEVELS, type JsonOptions, type JsonPart } from './indent-json.ts';

const seeded = { seed: 20_267 };
const ALL: JsonOptions = { from: 0, maxChars: Infinity, maxLines: Infinity, isCut: false };

function indented(text: string, options: Partial<JsonOptions> = {}): JsonPart | null {
  const indenter = new JsonIndenter(text, { ...ALL, ...options });
  for (;;) {
    const read = indenter.read();
    if (read !== 'more') return read;
  }
}

test('JSON is indented and its numbers keep their digits', () => {
  expect(indented(' {"id":9007199254740993, "list":[1.0,{}],"text":"a,b:{\\"}" } ')?.text).toBe(
    '{\n  "id": 9007199254740993,\n  "list": [\n    1.0,\n    {}\n  ],\n  "text": "a,b:{\\"}"\n}',
  );
  expect(indented('[]')?.text).toBe('[]');
});

test('only objects and arrays count as JSON', () => {
  for (const text of ['12', '"text"', 'null', '', '<a>', '[1]2', '[1,]', '[01]', '{"a"}', '{a:1}', "['a']", '["\n"]'])
    expect(indented(text)).toBeNull();
});

test('it takes what JSON.parse takes, and changes nothing but white space', () => {
  const json = fc.oneof(fc.object({ maxDepth: 8 }), fc.array(fc.jsonValue())).map((value) => JSON.stringify(value));
  const broken = fc
    .tuple(json, fc.nat(), fc.constantFrom('', ',', ']', '}', '"', '\\', '\\u12', 'x', '0', '\u0001', ' '))
    .map(([text, at, inserted]) => {
      const place = at % text.length;
      return text.slice(0, place) + inserted + text.slice(place + 1);
    });
  fc.assert(
    fc.property(fc.oneof(json, broken), (text) => {
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        parsed = null;
      }
      const part = indented(text);
      if (typeof parsed !== 'object' || parsed === null) expect(part).toBeNull();
      else {
        expect(JSON.parse(part!.text)).toEqual(parsed);
        expect(part!.text.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        expect(part!.totalChars).toBe(part!.text.length);
      }
    }),
    { ...seeded, numRuns: seedCount(1000) },
  );
});

test('parts put together are the whole', () => {
  fc.assert(
    fc.property(
      fc.object(),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 2, max: 5 }),
      (value, maxChars, maxLines) => {
        const text = JSON.stringify(value);
        const whole = indented(text)!;
        let joined = '';
        for (let from = 0; from < whole.totalChars;) {
          const part = indented(text, { from, maxChars, maxLines })!;
          expect(part.text.split('\n').length).toBeLessThanOrEqual(maxLines);
          expect(part.to).toBe(from + part.text.length);
          expect(part.to).toBeGreaterThan(from);
          joined += part.text;
          from = part.to;
        }
        expect(joined).toBe(whole.text);
      },
    ),
    seeded,
  );
});

test('a beginning is indented as far as it goes', () => {
  fc.assert(
    fc.property(fc.object(), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const beginning = text.slice(0, 1 + (at % text.length));
      const shown = indented(beginning, { isCut: true });
      expect(shown?.text.replaceAll(/\s/g, '')).toBe(beginning.replaceAll(/\s/g, ''));
    }),
    seeded,
  );
});

test('depth costs no more than length', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    for (const depth of [30_000, 1_000_000]) {
      const text = open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth);
      const part = indented(text, { maxChars: 100_000 })!;
      expect(part.hasDeeperLevels).toBe(true);
      expect(part.totalChars).toBeLessThan(2 * text.length + 4 * MAX_LEVELS * MAX_LEVELS);
      expect(part.text.length).toBeLessThanOrEqual(100_000);
    }
  }
  expect(indented('['.repeat(1_000_000))).toBeNull();
});

test('it is read in slices, whatever it consists of', () => {
  for (const text of [
    `["${'x'.repeat(1e6)}"]`,
    `[${'1'.repeat(1e6)}]`,
    `["${'\\n'.repeat(5e5)}"]`,
    `[${' '.repeat(1e6)}]`,
    `[${'[],'.repeat(3e5)}[]]`,
  ]) {
    const indenter = new JsonIndenter(text, ALL);
    let slices = 1;
    while (indenter.read() === 'more') slices++;
    expect(slices).toBeGreaterThan(text.length / 20_000);
  }
});
