import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { ByteWriter, realText } from './byte-writer.ts';

const written = (write: (out: ByteWriter) => void): string => {
  const out = new ByteWriter();
  write(out);
  return Buffer.from(out.take()).toString('latin1');
};

test('integers and reals are the text that JavaScript finds shortest', () => {
  const integers = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -10, max: 2 ** 31 }));
  fc.assert(
    fc.property(integers, (value) => {
      expect(written((out) => out.integer(value))).toBe(String(value));
    }),
    { seed: 3, numRuns: seedCount(5000), examples: [[0], [9], [10], [2 ** 31 - 1], [2 ** 31], [-1]] },
  );
  const cents = fc.integer({ min: -(2 ** 32), max: 2 ** 32 }).map((value) => value / 10_000);
  fc.assert(
    fc.property(fc.oneof(fc.double({ noNaN: true }), cents, fc.float({ noNaN: true })), (value) => {
      expect(written((out) => out.real(value))).toBe(realText(value));
    }),
    {
      seed: 3,
      numRuns: seedCount(20_000),
      examples: [[0], [-0], [2], [0.1], [0.0001], [0.00012], [214748.3647], [214748.3648], [5e-324], [1e21]],
    },
  );
});

test('bytes as hexadecimal text and Base64', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(written((out) => out.hex(bytes, 0, bytes.length))).toBe(Buffer.from(bytes).toString('hex').toUpperCase());
      expect(written((out) => out.base64(bytes, 0, bytes.length))).toBe(Buffer.from(bytes).toString('base64'));
    }),
    { seed: 3, numRuns: seedCount(100) },
  );
});
