import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, jsonPart, PART_CHARS, PART_LINES, plainPart } from './text-part.ts';

const seeded = { seed: 20_268 };

test('blocks are short, and together they are the text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('ع'.repeat(1200), '漢字 '.repeat(300), '\n', ' ', '😀'.repeat(400), 'x'.repeat(700)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      const blocks = blocksOf(text);
      expect(blocks.join('')).toBe(text);
      if (/[^\n\t\x20-\x7e]/.test(text))
        expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(500);
      if (text.isWellFormed()) expect(blocks.every((block) => block.isWellFormed())).toBe(true);
    }),
    seeded,
  );
});

test('parts are bounded in characters and lines, and follow each other', () => {
  for (const text of ['x'.repeat(250_000), '\n'.repeat(12_000), '😀'.repeat(120_000), `${'line\n'.repeat(9000)}end`]) {
    let joined = '';
    for (let from = 0; from < text.length;) {
      const part = plainPart(text, from);
      expect(part.text.length).toBeLessThanOrEqual(PART_CHARS);
      expect(part.text.split('\n').length).toBeLessThanOrEqual(PART_LINES + 1);
      expect(part.to).toBeGreaterThan(from);
      joined += part.text;
      from = part.to;
    }
    expect(joined).toBe(text);
  }
});

test('codes are noted only where there are some', () => {
  expect(plainPart('one\r\ntwo\n', 0)).toMatchObject({ text: 'one\ntwo\n', hasCodes: false });
  expect(plainPart('one\r\ntwo\u0000', 0)).toMatchObject({ text: 'one\ntwo␀', hasCodes: true });
});

test('JSON is told from text that only begins like it', () => {
  const read = (text: string, isCut = false): ReturnType<typeof plainPart> | null => {
    const reading = jsonPart(text, 0, isCut);
    for (;;) {
      const { done, value } = reading.next();
      if (done) return value;
    }
  };
  expect(read('{"a":"\\u202e\u202e"}')).toMatchObject({
    isJson: true,
    hasCodes: true,
    text: '{\n  "a": "\\u202e[U+202E]"\n}',
  });
  expect(read('[INFO] started')).toBeNull();
  expect(read('[1, 2', true)).toMatchObject({ isJson: true });
  expect(read('plain')).toBeNull();
});
