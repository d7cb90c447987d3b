import { expect, test } from 'vitest';
import { readExactRow } from '#shared/exact-row.ts';
import type { Value } from '#shared/protocol/values.ts';
import { jsonOf } from './json-writer.ts';

// prettier-ignore
const VALUES: readonly Value[] = [
  null, 0, 1, -1, 9_007_199_254_740_991, 9_007_199_254_740_993n, -(2n ** 63n), { real: 1 }, { real: -0 }, { real: 1e300 }, 0.1, -1.5e-10,
  5e-324, Infinity, -Infinity, '', 'a', 'a"b\\"c\\', '},{"a":1', '\n\u2028\0', '😀', '\ud800', new Uint8Array(),
  new Uint8Array([0, 255, 16]), { textBytes: new Uint8Array([0xff, 0x41]) },
];

test('each value that is written is read as the same value', () => {
  const names = VALUES.map((_, at) => (at === 0 ? '__proto__' : `c"${at}:{`));
  const written = VALUES.map(jsonOf);
  const row = readExactRow(`{${names.map((name, at) => `${JSON.stringify(name)}:${written[at]}`).join(',')}}`);
  expect(row?.columns).toEqual(names);
  expect(row?.values).toEqual(VALUES);
  expect(row?.texts).toEqual(written);
  expect(readExactRow('{}')?.values).toEqual([]);
});

test('what was not written by Sidelite is no row', () => {
  // prettier-ignore
  const others = ['', '{', '}', '[]', 'null', '{"a"}', '{"a":}', '{"a":1', '"a":1}', '{"a":1,}', '{"a":1}}', '{,"a":1}', '{a:1}', '{"a":1 }', '{"a":{"b":1}}',
    '{"a":{"blob":"0"}}', '{"a":{"blob":"zz"}}', '{"a":[1]}', '{"a":true}', '{"a":01e}', '{"a":9223372036854775808}', '{"a":"b}', '{"a":"\\x"}', '{"a":"b"c}', '{"a":NaN}'];
  expect(others.filter((text) => readExactRow(text) !== null)).toEqual([]);
});

// In more than linear time it would not end.
test('a text of many quotes is read, or found to be no row', () => {
  const long = '\\"'.repeat(300_000);
  expect(readExactRow(`{"a":"${long}"}`)?.values[0]).toHaveLength(300_000);
  expect(readExactRow(`{"a":"${long}`)).toBeNull();
});
