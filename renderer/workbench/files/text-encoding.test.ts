import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { lineEndsOf } from '../cells/line-ends.ts';
import { asEdited, asStoredText, decodeText, encodeText, encodingLabel, TEXT_ENCODINGS } from './text-encoding.ts';
import type { TextEncoding } from './text-encoding.ts';

const bytesOf = (text: string, encoding: TextEncoding): Uint8Array => {
  const encoded = encodeText(text, encoding);
  if ('missing' in encoded) throw new Error(encoded.missing);
  return encoded.bytes;
};

it('whatever bytes a file has, it is either refused or comes back byte for byte', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .tuple(fc.string({ unit: 'binary' }), fc.constantFrom(...TEXT_ENCODINGS.filter((one) => one !== 'windows-1252')))
      .map(([text, encoding]) => bytesOf(text, encoding)),
  );
  fc.assert(
    fc.property(anything, (bytes) => {
      const decoded = decodeText(bytes);
      if (decoded) expect([...bytesOf(decoded.text, decoded.encoding)]).toEqual([...bytes]);
    }),
    { seed: 21, numRuns: seedCount(500) },
  );
});

it('tells encodings apart by their mark, by zeros, and by what is no UTF-8', () => {
  const sql = "SELECT 'naïve';\n";
  for (const encoding of TEXT_ENCODINGS) expect(decodeText(bytesOf(sql, encoding))).toEqual({ text: sql, encoding });
  expect(decodeText(new Uint8Array(0))).toEqual({ text: '', encoding: 'utf-8' });
  // A mark of UTF-16, then half a character.
  expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x41))).toBeNull();
  expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0xff))).toBeNull();
  expect(encodeText('€ → £', 'windows-1252')).toEqual({ missing: '→' });
  expect(encodingLabel('utf-16le-bom')).toBe('UTF-16 LE with BOM');
});

const line = fc.stringMatching(/^[a-c]{0,3}$/);
const stored = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')))
  .chain((lines) => line.map((last) => lines.map(([text, end]) => text + end).join('') + last));

it('a text that was not edited is stored with the line ends it had', () => {
  fc.assert(
    fc.property(stored, (text) => {
      expect(asStoredText(asEdited(text), lineEndsOf(text), text)).toBe(text);
    }),
    { seed: 22, numRuns: seedCount(1000) },
  );
});

it('an edit changes the line ends of no other line', () => {
  fc.assert(
    fc.property(stored, fc.nat(), fc.nat(3), fc.stringMatching(/^[x\n]{0,4}$/), (text, place, removed, added) => {
      const edited = asEdited(text);
      const from = edited.length === 0 ? 0 : place % edited.length;
      const typed = edited.slice(0, from) + added + edited.slice(from + removed);
      const now = asStoredText(typed, lineEndsOf(text), text);
      expect(asEdited(now)).toBe(typed);
      const before = text.split(/(?<=\r\n|\n|\r(?!\n))/);
      const untouched = edited.slice(0, from).split('\n').length - 1;
      expect(now.startsWith(before.slice(0, untouched).join(''))).toBe(true);
    }),
    { seed: 23, numRuns: seedCount(1000) },
  );
  expect(asStoredText('a\nnew\nb\nc', 'mixed', 'a\r\nb\nc')).toMatch(/^a\r\nnew(\r\n|\n)b\nc$/);
  expect(asStoredText('a\nb', 'crlf', null)).toBe('a\r\nb');
});
