// Values made to harm who looks at them, from a seed.
import fc from 'fast-check';
import { expect } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import { visibleLine } from '#shared/visible-text.ts';

export const seeded = { seed: 20_269, numRuns: seedCount(300) };

const PIECES = [
  '[', ']', '{"a":', '}', '"', '\\', '\\u', ',', '\u202e', '\u202d', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\u200d', '\ufeff', '\u00ad',
  '\0', '\r', '\n', '\t', '\u0085', '\u2028', '\u0310\u0321\u0489', 'א', 'ع', '漢', '👩‍👩‍👧', '😀', '\ud800', '\udc00', '1e999', '-0', '9'.repeat(50), ' ', 'x',
  '<svg onload=1>', '[U+202E]', '“', '”', '\u{e0041}', '\ufe0f', '\u1100', '🇦', '=cmd|1',
]; // prettier-ignore
export const text = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.integer({ min: 1, max: 40 })), { maxLength: 12 })
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''));
const image = fc
  .tuple(
    fc.constantFrom('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', '\xff\xd8\xff\xc0', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8X'),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([start, rest]) => Uint8Array.from([...Array.from(start, (each) => each.charCodeAt(0)), ...rest]));
export const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: image },
  fc.uint8Array({ maxLength: 2000 }),
  fc.uint8Array({ maxLength: 200 }).map((textBytes) => ({ textBytes })),
  fc.constantFrom<Value>(
    null,
    '',
    0,
    -0,
    Infinity,
    -Infinity,
    { real: 1e300 },
    { real: -0 },
    2n ** 63n - 1n,
    -(2n ** 63n),
    Number.MIN_VALUE,
  ),
);

/** Checks what must be true of any text that stands in a line with others. */
export function expectHarmless(shown: string, maxChars: number): void {
  expect(shown.length).toBeLessThanOrEqual(maxChars);
  expect(visibleLine(shown)).toBe(shown);
  expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\r\n\0]/);
}
