import { expect, it } from 'vitest';
import { ASKS_BEFORE_WRITING } from '#shared/protocol/session.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { canWrite, WritePermission } from './write-permission.ts';

const { engine } = await createWasmEngine();

it('writes to a production database are let through for as long as the user said', () => {
  let now = 1_000;
  const permission = new WritePermission(() => now);
  expect(() => permission.assert('Shop')).not.toThrow();
  permission.require(true);
  expect(() => permission.assert('Shop')).toThrow(
    expect.objectContaining({ code: 'refused', detail: { [ASKS_BEFORE_WRITING]: true } }) as Error,
  );
  permission.allowUntil(2_000);
  expect(permission.isNeeded).toBe(false);
  now = 2_000;
  expect(permission.isNeeded).toBe(true);
  // Permission is limited in time, whatever a window requests.
  permission.allowUntil(Number.MAX_SAFE_INTEGER);
  now += 24 * 3_600_000;
  expect(permission.isNeeded).toBe(true);
  permission.allowUntil(now + 5);
  permission.allowUntil(0);
  expect(permission.isNeeded).toBe(true);
});

it.each([
  ['SELECT 1; SELECT * FROM t', false],
  ['PRAGMA table_info(t)', false],
  ['SELECT 1; WITH x AS (SELECT 1) DELETE FROM t', true],
  ['SELECT 1; INSERT INTO t VALUES (?1)', true],
  ['CREATE TABLE u(a); INSERT INTO u VALUES (1)', true],
  ['/* DELETE */ SELECT 1 -- DELETE FROM t', false],
  ['SELECT nothing', false],
])('%s can write: %s', (sql, writes) => {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
  try {
    connection.run('CREATE TABLE t(a)');
    expect(canWrite(connection, sql)).toBe(writes);
    expect(connection.one('SELECT count(*) FROM t')?.[0]).toBe(0);
  } finally {
    connection.close();
  }
});

it('what was allowed goes on when the time is over, and nothing else begins', () => {
  let now = 0;
  const permission = new WritePermission(() => now);
  permission.require(true);
  permission.allowUntil(10);
  const end = permission.begin();
  now = 20;
  expect(() => permission.assertStatement('Shop')).not.toThrow();
  expect(() => permission.assert('Shop')).toThrow(/production/);
  end();
  end();
  expect(() => permission.assertStatement('Shop')).toThrow(/production/);
  permission.begin();
  expect(() => permission.assertStatement('Shop')).not.toThrow();
});
