import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { SHORT_BYTES, shortAscii } from './short-text.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

test('short ASCII is what the decoder makes of it, NUL included; anything else is left to the decoder', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: SHORT_BYTES }), fc.nat(9), (text, before) => {
      const memory = new Uint8Array(before + text.length + 3).fill(0x41);
      memory.set(text, before);
      const isAscii = text.every((byte) => byte < 0x80);
      expect(shortAscii(memory, before, text.length)).toBe(isAscii ? decoder.decode(text) : null);
    }),
    { seed: 4, numRuns: seedCount(100) },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: SHORT_BYTES }), (text) => {
      expect(shortAscii(new TextEncoder().encode(text), 0, text.length)).toBe(text);
    }),
    { seed: 4, numRuns: seedCount(100) },
  );
});
