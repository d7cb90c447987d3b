import { expect, test } from 'vitest';
import { byName } from './by-name.ts';

test('every name keeps its value, also on the way to another thread', () => {
  const names = ['__proto__', 'constructor', 'toString', 'a'];
  const values = byName<number>();
  names.forEach((name, at) => (values[name] = at));
  for (const each of [values, { ...values }, structuredClone(values)])
    expect(names.map((name) => Object.entries(each).find(([key]) => key === name)?.[1])).toEqual([0, 1, 2, 3]);
});
