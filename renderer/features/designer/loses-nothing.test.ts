import { expect, test } from 'vitest';
import { losesNothing } from './designed.ts';

const create = { kind: 'create', sql: 'CREATE TABLE t (a)' } as const;
const change = { kind: 'change-table', table: 't', sql: 'CREATE TABLE t (a INT)', columns: ['a'] } as const;
const rename = { kind: 'rename-table', table: 't', to: 'u' } as const;

test('a new object, an object that is created again, and a new name lose nothing; a table that is changed might', () => {
  expect(losesNothing([create])).toBe(true);
  expect(losesNothing([{ kind: 'change-object', object: 'index', name: 'i', sql: 'CREATE INDEX i ON t (a)' }])).toBe(
    true,
  );
  expect(losesNothing([rename])).toBe(true);
  expect(losesNothing([change])).toBe(false);
  expect(losesNothing([change, rename])).toBe(false);
  expect(losesNothing([{ kind: 'drop', object: 'index', name: 'i' }])).toBe(false);
});
