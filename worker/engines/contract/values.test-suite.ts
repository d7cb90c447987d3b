// Every value comes back with the storage class and the bits it was sent with.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { isRawText } from '#shared/protocol/values.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { needs } from './subject.test-suite.ts';
import type { EngineExceptions, GetConnection } from './subject.test-suite.ts';

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
type Case = readonly [name: string, value: Value, storage: StorageClass, back?: Value];
const EXACT: readonly Case[] = [
  ['NULL', null, 'null'],
  ['0', 0, 'integer'],
  ['-1', -1, 'integer'],
  ['2^31', 2 ** 31, 'integer'],
  ['2^53 - 1', MAX_SAFE, 'integer'],
  ['-(2^53 - 1)', -MAX_SAFE, 'integer'],
  ['2^53 as bigint', 2n ** 53n, 'integer'],
  ['2^53 + 1', 2n ** 53n + 1n, 'integer'],
  ['-(2^53 + 1)', -(2n ** 53n) - 1n, 'integer'],
  ['largest int64', 2n ** 63n - 1n, 'integer'],
  ['smallest int64', -(2n ** 63n), 'integer'],
  ['a small bigint', 5n, 'integer', 5],
  ['REAL 2.0', { real: 2 }, 'real'],
  ['1.5', 1.5, 'real'],
  ['2^53 as a number', 2 ** 53, 'real', { real: 2 ** 53 }],
  ['infinity', Infinity, 'real'],
  ['-infinity', { real: -Infinity }, 'real', -Infinity],
  ['the smallest REAL', 5e-324, 'real'],
  ['empty text', '', 'text'],
  ['ASCII', 'hello', 'text'],
  ['umlauts and emoji', 'Grüße 😀👩‍👩‍👧', 'text'],
  ['text with NUL', 'a\0b', 'text'],
  ['text with a byte order mark', '\ufeffx', 'text'],
  ['text that looks like a number', '1e5', 'text'],
  ['long ASCII', 'x'.repeat(100_000), 'text'],
  ['long emoji', '😀'.repeat(20_000), 'text'],
  ['invalid UTF-8', { textBytes: Uint8Array.of(0x61, 0xff, 0xc3) }, 'text'],
  ['empty blob', new Uint8Array(0), 'blob'],
  ['blob', Uint8Array.of(0, 255, 1), 'blob'],
  ['big blob', new Uint8Array(300_000).fill(7), 'blob'],
];
const NEGATIVE_ZEROS: readonly Case[] = [
  ['-0.0', { real: -0 }, 'real'],
  ['-0 as a number', -0, 'real', { real: -0 }],
];

export function describeValues(get: GetConnection, exceptions: () => EngineExceptions): void {
  describe('values', () => {
    const survives = ([, value, storage, back = value]: Case): void => {
      get().run('CREATE TABLE t(v)');
      get().run('INSERT INTO t VALUES (?)', [value]);
      const row = get().one('SELECT v, typeof(v), CAST(v AS BLOB) FROM t')!;
      expect(row[1]).toBe(storage);
      if (value !== null && typeof value === 'object' && isRawText(value)) {
        expectSame(row[2]!, value.textBytes);
        if (exceptions().losesInvalidText === true) return;
      }
      expectSame(row[0]!, back);
    };
    it.for(EXACT)('%s survives', survives);
    it.for(NEGATIVE_ZEROS)('%s survives', needs('negative zero'), survives);

    it('keeps text and blobs of any size', () => {
      const sizes = [1, 40, 41, 255, 256, 5_461, 5_462, 10_000, 16_384, 16_385, 70_000];
      for (const size of sizes) {
        const values = ['x'.repeat(size), 'é'.repeat(size), new Uint8Array(size).fill(size), '😀'.repeat(size)];
        const back = get().one('SELECT ?, ?, ?, ?', values)!;
        values.forEach((value, index) => expectSame(back[index]!, value));
      }
    });

    it('keeps any list of values', () => {
      get().run('CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c)');
      fc.assert(
        fc.property(fc.tuple(anyValue(), anyValue(), anyValue()), (values) => {
          get().run('INSERT OR REPLACE INTO t VALUES (1, ?, ?, ?)', values);
          const row = get().one('SELECT a, b, c FROM t')!;
          values.forEach((value, place) => expectSame(row[place]!, value));
        }),
        { seed: 20_260, numRuns: seedCount(300, 15) },
      );
    });

    it.each([2n ** 63n, -(2n ** 63n) - 1n])('refuses %s, which has more than 64 bits', (value) => {
      expect(() => get().one('SELECT ?', [value])).toThrow(expect.objectContaining({ code: 'too-big' }));
    });

    it('refuses more values than parameters', () => {
      expect(() => get().one('SELECT ?', [1, 2])).toThrow(expect.objectContaining({ code: 'invalid' }));
    });

    it('forgets the values of the binding before', () => {
      const statement = get().prepare('SELECT ?, ?');
      statement.bind(['a', 'b']);
      statement.step();
      statement.bind(['c']);
      statement.step();
      expect([statement.value(0), statement.value(1)]).toEqual(['c', null]);
      statement.finalize();
    });

    it('keeps two statements apart that are bound at the same time', () => {
      const [first, second] = [get().prepare('SELECT ?'), get().prepare('SELECT ? || 2')];
      first.bind(['one']);
      second.bind(['two']);
      first.step();
      second.step();
      expect([first.value(0), second.value(0)]).toEqual(['one', 'two2']);
      first.finalize();
      second.finalize();
    });

    it('reads and writes while memory grows', needs('large values'), () => {
      get().run('CREATE TABLE t(v)');
      const blob = new Uint8Array(8_000_000).fill(3);
      for (let count = 0; count < 6; count++) get().run('INSERT INTO t VALUES (?)', [blob]);
      expect(get().one('SELECT count(*), sum(length(v)) FROM t')).toEqual([6, 48_000_000]);
      expectSame(get().one('SELECT v FROM t WHERE rowid = 6')![0]!, blob);
    });
  });
}

/** Canonical values: as an engine gives them back. */
export function anyValue(): fc.Arbitrary<Value> {
  return fc.oneof(
    fc.constant(null),
    fc.maxSafeInteger().map((value) => (Object.is(value, -0) ? 0 : value)),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((value) => (value >= -BigInt(MAX_SAFE) && value <= BigInt(MAX_SAFE) ? Number(value) : value)),
    fc.double({ noNaN: true }).map((value) => (Number.isInteger(value) ? { real: value } : value)),
    fc
      .string({ unit: 'binary', maxLength: 200 })
      .map((text) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))),
    fc.string({ maxLength: 60 }),
    fc.uint8Array({ maxLength: 300 }),
  );
}

export function expectSame(actual: Value, expected: Value): void {
  // toEqual alone does not tell views of different buffers or 0 and -0 apart from what it should.
  if (expected instanceof Uint8Array) {
    expect(actual).toBeInstanceOf(Uint8Array);
    expect(Buffer.compare(actual as Uint8Array, expected)).toBe(0);
  } else expect(actual).toStrictEqual(expected);
}
