import { expect, test } from 'vitest';
import type { Value } from '#shared/protocol/values.ts';
import { rowBytes, rowOfBytes } from './row-bytes.ts';

test('every storage class comes back as it was', () => {
  const row: Value[] = [
    null,
    0,
    -0,
    1.5,
    2 ** 53 - 1,
    2n ** 63n - 1n,
    -(2n ** 63n),
    { real: 2 },
    '',
    'é\u0000“',
    { textBytes: new Uint8Array([0xff, 0x61]) },
    new Uint8Array([0, 255]),
    new Uint8Array(),
  ];
  expect(rowOfBytes(rowBytes(row))).toEqual(row);
  expect(rowOfBytes(rowBytes([]))).toEqual([]);
});

test('1 and 1.0, text and blob of the same bytes are different', () => {
  expect(rowBytes([1])).not.toEqual(rowBytes([{ real: 1 }]));
  expect(rowBytes(['a'])).not.toEqual(rowBytes([new Uint8Array([0x61])]));
});
