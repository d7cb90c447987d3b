import { expect, test } from 'vitest';
import { testEngines } from '../schema-change/engines.test-suite.ts';
import { lookupKeysOf, uniqueKeysOf } from '../schema/unique-keys.ts';

test.each(testEngines)('a key by which a value means several rows finds no row, $name', ({ open }) => {
  const connection = open();
  connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a COLLATE NOCASE, b, "Á b" TEXT COLLATE rtrim)');
  for (const [index, columns] of [
    ['exact', 'a COLLATE BINARY'],
    ['alike', 'a'],
    ['coarse', 'b COLLATE NOCASE'],
    ['padded', '"Á b", b'],
  ] as const)
    connection.run(`CREATE UNIQUE INDEX ${index} ON t (${columns})`);
  // Both rows exist, and `a = 'x'` means both.
  const names = (keys: ReturnType<typeof uniqueKeysOf>): readonly unknown[] => keys.map(({ index }) => index);
  expect(names(uniqueKeysOf(connection, 't'))).toEqual(['exact', 'alike', 'coarse', 'padded']);
  expect(names(lookupKeysOf(connection, 't'))).toEqual(['alike', 'coarse', 'padded']);
  connection.close();
});
