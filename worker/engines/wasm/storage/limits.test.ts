// Limits of a connection to a file from elsewhere, as SQLite itself says them.
import { expect, test } from 'vitest';
import type { WasmConnection } from '../connection.ts';
import { Limit } from '../runtime/raw.ts';
import { createWasmEngine, IN_MEMORY } from '../wasm-engine.ts';

const { engine } = await createWasmEngine();

function limits(untrusted: boolean): readonly number[] {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted }) as WasmConnection;
  const { sqlite, db } = connection;
  const found = [Limit.vdbeOperations, Limit.schemaObjects].map((limit) => sqlite.raw.sqlite3_limit(db, limit, -1));
  connection.close();
  return found;
}

test('programs and schemas of an untrusted file are smaller than SQLite allows', () => {
  expect(limits(true)).toEqual([10_000_000, 1_000_000]);
  expect(limits(false)).toEqual([250_000_000, 10_000_000]);
});
