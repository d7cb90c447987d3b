import { expect, test } from 'vitest';
import { Utf32Decoder } from './utf8-stream.ts';

const NOTHING = new Uint8Array(0);

test('bytes that are missing at the end are one character, and then there is nothing more', () => {
  const decoder = new Utf32Decoder(true);
  expect(decoder.decode(Uint8Array.of(0, 0, 0, 0x61, 0, 0), { stream: true })).toBe('a');
  expect(decoder.decode(NOTHING, { stream: false })).toBe('\ufffd');
  expect(decoder.decode(NOTHING, { stream: false })).toBe('');
});

test('a character may come in pieces', () => {
  const decoder = new Utf32Decoder(false);
  expect(decoder.decode(Uint8Array.of(0xff, 0xfe, 0, 0, 0x61), { stream: true })).toBe('');
  expect(decoder.decode(Uint8Array.of(0, 0, 0), { stream: true })).toBe('a');
  expect(decoder.decode(NOTHING, { stream: false })).toBe('');
});
