// Checks that the predictions match what SQLite does.
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { isReal, type Value } from '#shared/protocol/values.ts';
import { storedClass, strictRefusal } from './stored-class.ts';

const TYPES = [
  '',
  'INTEGER',
  'INT',
  'TEXT',
  'VARCHAR(10)',
  'BLOB',
  'REAL',
  'DOUBLE',
  'NUMERIC',
  'DATE',
  'BOOLEAN',
  'ANY',
];
const STRICT = ['INT', 'INTEGER', 'REAL', 'TEXT', 'BLOB', 'ANY'];

const text = fc.oneof(
  fc.constantFrom('', ' ', '5', ' 5 ', '\n5.0\t', '+5', '-0', '1e3', '.5', '5.', '1e400', '0x10', 'Inf', '5 5', '9223372036854775807',
    '9223372036854775808', '-9223372036854775808', '9223372036854774784.0', '1e18', '1e19', '٥', '\u00a05', 'abc'), // prettier-ignore
  fc.string({ unit: fc.constantFrom('1', '9', '.', 'e', '-', '+', ' ', 'x') }),
);
const value: fc.Arbitrary<Value> = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }).map((real) => ({ real })),
  fc.constantFrom<Value>(null, { real: 5 }, { real: 9.3e18 }, { real: Infinity }, 2n ** 63n - 1n),
  fc.uint8Array({ maxLength: 4 }),
);

/** better-sqlite3 binds a number as REAL, and a bigint as INTEGER. */
function bound(each: Value): unknown {
  if (isReal(each)) return each.real;
  return typeof each === 'number' ? BigInt(each) : each;
}

test.each(TYPES)('a column of type “%s”', (declaredType) => {
  const db = new Sqlite(':memory:');
  db.exec(`CREATE TABLE t (v ${declaredType})`);
  const insert = db.prepare('INSERT INTO t VALUES (?) RETURNING typeof(v)').pluck();
  fc.assert(
    fc.property(value, (each) => {
      expect(storedClass(each, { declaredType, isStrict: false })).toBe(insert.get(bound(each)));
    }),
    { seed: 3, numRuns: seedCount(500) },
  );
  db.close();
});

test.each(STRICT)('a column of type %s in a STRICT table', (declaredType) => {
  const db = new Sqlite(':memory:');
  db.exec(`CREATE TABLE t (v ${declaredType}) STRICT`);
  const insert = db.prepare('INSERT INTO t VALUES (?) RETURNING typeof(v)').pluck();
  const type = { declaredType, isStrict: true };
  fc.assert(
    fc.property(value, (each) => {
      const stored = storedClass(each, type);
      if (strictRefusal(stored, type) === null) expect(insert.get(bound(each))).toBe(stored);
      else expect(() => insert.get(bound(each))).toThrow(/cannot store/);
    }),
    { seed: 4, numRuns: seedCount(500) },
  );
  db.close();
});
