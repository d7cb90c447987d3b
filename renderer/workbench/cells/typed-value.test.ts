import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatReal } from '#shared/packed-rows/reader.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { blobLiteral, valueText } from '../../grid/input/value-text.ts';
import { affinityOf, typedValue, type Affinity } from './typed-value.ts';

const seeded = { seed: 20_261 };
const classes: readonly StorageClass[] = ['null', 'integer', 'real', 'text', 'blob'];
const anyClass = fc.constantFrom(...classes);

test.each<[string, Affinity]>([
  ['INTEGER', 'integer'],
  ['unsigned big int', 'integer'],
  ['CHARINT', 'integer'],
  ['VARCHAR(20)', 'text'],
  ['clob', 'text'],
  ['', 'blob'],
  ['BLOB', 'blob'],
  ['DOUBLE PRECISION', 'real'],
  ['FLOATING POINT', 'integer'],
  ['DECIMAL(10,5)', 'numeric'],
  ['DATE', 'numeric'],
  ['ANY', 'numeric'],
])('%s has %s affinity', (declared, affinity) => expect(affinityOf(declared)).toBe(affinity));

test('ANY of a STRICT table converts nothing', () => expect(affinityOf('ANY', true)).toBe('blob'));

test('every 64-bit integer survives being typed', () => {
  const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const numeric = fc.constantFrom<Affinity>('integer', 'numeric', 'blob');
  fc.assert(
    fc.property(integers, numeric, (integer, affinity) => {
      const value = typedValue(String(integer), affinity, 'integer');
      expect(typeof value === 'bigint' || Number.isSafeInteger(value)).toBe(true);
      expect(BigInt(value as number | bigint)).toBe(integer);
    }),
    seeded,
  );
});

test('every REAL survives being typed as it is shown', () => {
  const reals = fc.double({ noNaN: true });
  fc.assert(
    fc.property(reals, fc.constantFrom<Affinity>('real', 'numeric', 'blob'), (real, affinity) => {
      const value = typedValue(formatReal(real), affinity, 'real');
      const number = typeof value === 'number' ? value : (value as { readonly real: number }).real;
      expect(number).toBe(real);
      expect(typeof value === 'number' && Number.isInteger(value)).toBe(false);
    }),
    seeded,
  );
});

test('text in a TEXT column stays that text, whatever it looks like', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('007', '1e5', 'NULL', '', ' 1 ', 'true'),
    fc.integer().map(String),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom<StorageClass>('null', 'text', 'integer', 'real'), (text, storageClass) => {
      expect(typedValue(text, 'text', storageClass)).toBe(text);
    }),
    seeded,
  );
});

test('no text ever means NULL', () => {
  const affinities = fc.constantFrom<Affinity>('integer', 'text', 'blob', 'real', 'numeric');
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('', 'NULL', 'null')),
      affinities,
      anyClass,
      (text, affinity, storageClass) => {
        expect(typedValue(text, affinity, storageClass)).not.toBeNull();
      },
    ),
    seeded,
  );
});

test('a blob survives being typed as its literal, in any column', () => {
  fc.assert(
    fc.property(
      fc.uint8Array(),
      fc.constantFrom<Affinity>('integer', 'text', 'blob', 'real', 'numeric'),
      (bytes, affinity) => {
        expect(typedValue(blobLiteral(bytes), affinity, 'blob')).toEqual(bytes);
      },
    ),
    seeded,
  );
});

test.each<[string, Affinity, StorageClass, Value]>([
  ['007', 'integer', 'integer', 7],
  ['+5', 'integer', 'null', 5],
  ['007', 'blob', 'null', '007'],
  ['7', 'blob', 'null', 7],
  ['7', 'blob', 'text', '7'],
  ['7.5', 'blob', 'null', 7.5],
  ['2', 'real', 'null', { real: 2 }],
  ['2', 'numeric', 'real', 2],
  ['2.0', 'numeric', 'null', { real: 2 }],
  ['2', 'blob', 'real', { real: 2 }],
  ['1e3', 'numeric', 'null', { real: 1000 }],
  ['abc', 'integer', 'integer', 'abc'],
  ['', 'integer', 'integer', ''],
  ['9223372036854775808', 'integer', 'integer', { real: 2 ** 63 }],
  ["X'41'", 'text', 'text', "X'41'"],
  ["X'41'", 'text', 'blob', new Uint8Array([0x41])],
  ["x'4'", 'blob', 'blob', "x'4'"],
  ['Inf', 'real', 'text', 'Inf'],
  ['-Inf', 'real', 'real', { real: -Infinity }],
])('%j in a column of %s affinity that held %s', (text, affinity, storageClass, value) => {
  expect(typedValue(text, affinity, storageClass)).toEqual(value);
});

test('what is shown for a number is read back as that number', () => {
  const fractions = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((real) => !Number.isInteger(real));
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fractions), (value) => {
      expect(typedValue(valueText(value), 'numeric', Number.isInteger(value) ? 'integer' : 'real')).toBe(value);
    }),
    seeded,
  );
});
