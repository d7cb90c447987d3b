// What is read and written without a connection: addresses, values, and JSON that is no reply.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { thrownBy } from '../../thrown-by.test-suite.ts';
import { serverAddress } from '../remote-engine.ts';
import { readCursorEntry, readPipelineReply } from './messages.ts';
import { decodeValue, encodeValue } from './values.ts';

describe('a hostile server', () => {
  it('is refused for any JSON that is no reply', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        for (const read of [readPipelineReply, readCursorEntry]) {
          try {
            read(text);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
          }
        }
      }),
      { seed: 16, numRuns: seedCount(500) },
    );
  });
});

describe('addresses', () => {
  it.each([
    ['libsql://db.example.com', 'https://db.example.com/'],
    ['https://db.example.com/x', 'https://db.example.com/x/'],
    ['wss://db.example.com:8080', 'https://db.example.com:8080/'],
    [' http://localhost:8080 ', 'http://localhost:8080/'],
    ['ws://127.0.0.1:1', 'http://127.0.0.1:1/'],
    ['http://[::1]:1/', 'http://[::1]:1/'],
  ])('%s', (text, url) => expect(serverAddress(text).href).toBe(url));

  it.each([
    'http://db.example.com',
    'http://127.0.0.1.example.com',
    'ws://10.0.0.1',
    'file:///etc',
    'db.example.com',
    '',
    'https://a:b@c.example',
  ])('%s is refused', (text) => expect(thrownBy(() => serverAddress(text)).code).toBe('invalid'));
});

describe('values', () => {
  it('come back from what JSON makes of them', () => {
    for (const value of [
      0,
      -1,
      2 ** 53 - 1,
      2n ** 63n - 1n,
      -(2n ** 63n),
      'a\0b',
      '',
      Uint8Array.of(0, 255),
      null,
      1.5,
      { real: 2 },
      { real: -0 },
    ]) {
      const { value: text, expression } = encodeValue(value);
      expect(expression).toBe('?');
      expect(decodeValue(JSON.parse(text))).toStrictEqual(value);
    }
  });
});
