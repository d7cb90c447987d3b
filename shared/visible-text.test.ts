import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from './seed-count.test-suite.ts';
import { cutMiddle, hasHidden, visibleLine, visibleName, visibleText } from './visible-text.ts';

const seeded = { seed: 20_265, numRuns: seedCount(200) };
const BIDI = [
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
];
const INVISIBLE = [
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u180e',
  '\u200b',
  '\u2060',
  '\u2064',
  '\u3164',
  '\ufeff',
  '\ufffa',
  '\u{e0041}',
  '\u{e0101}',
  '\ufe0f',
];

test('what changes the reading direction is shown as a code', () => {
  expect(visibleLine('user\u202e\u2066// admin\u2069')).toBe('user[U+202E][U+2066]// admin[U+2069]');
  for (const character of [...BIDI, ...INVISIBLE]) {
    const code = `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
    for (const show of [visibleLine, visibleName, visibleText]) expect(show(`a${character}b`)).toBe(`a${code}b`);
  }
});

test('more marks on one letter than any language has are counted out', () => {
  expect(visibleLine('שָׁ֣ é̂')).toBe('שָׁ֣ é̂');
  expect(visibleLine(`Z${'\u0310'.repeat(14)}`)).toBe(`Z${'\u0310'.repeat(12)}[U+0310][U+0310]`);
  expect(visibleLine(`Z${'\u0489'.repeat(1e5)}`)).not.toMatch(/\p{M}{13}/u);
});

test('control characters have their pictures, and lines stay where there are several', () => {
  expect(visibleLine('a\0\t\r\nb\u2028c\x7f\x9b')).toBe('a␀⇥⏎b⏎c␡[U+009B]');
  expect(visibleText('one\r\ntwo\tthree\0')).toBe('one\ntwo\tthree␀');
  expect(visibleLine('\ud800')).toBe('[U+D800]');
});

test('joiners of emoji and of joining scripts are spelling, elsewhere they hide something', () => {
  for (const text of ['👨‍👩‍👧', '🏳️‍🌈', '❤️', '1️⃣', 'می‌خواهم', 'क्‍ष', '葛󠄀']) expect(visibleLine(text)).toBe(text);
  expect(visibleLine('ad\u200dmin 1\ufe0f')).toBe('ad[U+200D]min 1[U+FE0F]');
});

test('a name that is read from right to left stays in its place', () => {
  expect(visibleText('“שלום” (12 rows)')).toBe('“\u2068שלום\u2069” (12 rows)');
  expect(visibleText('שם 12 משתמש')).toBe('\u2068שם 12 משתמש\u2069');
  expect(visibleText('Straße')).toBe('Straße');
});

test('names are bounded, and are not cut within a character', () => {
  expect(visibleName('x'.repeat(1e6))).toHaveLength(201);
  expect(visibleText('x'.repeat(1e6))).toHaveLength(20_001);
  expect(visibleName('😀'.repeat(300)).isWellFormed()).toBe(true);
});

/** Every isolate that is opened is closed before the text ends, and nothing else directs the reading. */
function reordersNothing(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === '\u2068') open++;
    else if (character === '\u2069' && --open < 0) return false;
    else if (BIDI.includes(character) && character !== '\u2069') return false;
  }
  return open === 0;
}

test('no text whatever can reorder what stands beside it', () => {
  const hostile = fc.oneof(
    fc.constantFrom(...BIDI, ...INVISIBLE, 'א', 'ع', 'a', ' ', '1', '“', '”', '\n', '\r', '\ud800', '\u200d', '👩'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      expect(reordersNothing(visibleName(text))).toBe(true);
      expect(reordersNothing(visibleText(text))).toBe(true);
      expect(visibleName(text)).not.toMatch(/[\n\r\t\0]/);
      expect(visibleLine(visibleLine(text))).toBe(visibleLine(text));
      if (!hasHidden(text)) expect(visibleLine(text)).toBe(text);
    }),
    seeded,
  );
});

test('of a long path, the name of the file stays', () => {
  expect(cutMiddle('folder/shop.db', 14)).toBe('folder/shop.db');
  expect(cutMiddle(`${'folder/'.repeat(100)}shop.db`, 18)).toBe('folder…lder/shop.db');
  for (let chars = 3; chars < 20; chars++) expect(cutMiddle('🐘'.repeat(30), chars)).toMatch(/^(?:🐘)*…(?:🐘)*$/u);
});
