import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RowLog } from '../../row-log/row-log.ts';
import type { WasmConnection } from '../connection.ts';
import { createWasmEngine, IN_MEMORY } from '../wasm-engine.ts';

const { engine } = await createWasmEngine();
let db: WasmConnection;
let log: RowLog | null;
beforeEach(() => {
  db = engine.open(IN_MEMORY, { durability: 'full', create: true }) as WasmConnection;
  db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v, r REAL)');
  db.record({
    budgetBytes: 1 << 24,
    guard: { beforeSchemaChange: () => undefined, overBudget: () => 'drop', covers: () => false },
  });
  db.onCommit((changes) => (log = changes.log === 'dropped' ? null : changes.log));
});
afterEach(() => db.close());

test.each([
  ['NULL', null],
  ['0', 0],
  ['-1', -1],
  ['127', 127],
  ['-129', -129],
  ['2147483647', 2147483647],
  ['2147483648', 2147483648],
  ['-2147483648', -2147483648],
  ['-2147483649', -2147483649],
  ['4294967295', 4294967295],
  ['-4294967296', -4294967296],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775807', 9223372036854775807n],
  ['0.5', 0.5],
  ['-1e300', { real: -1e300 }],
  ['9e999', Infinity],
  ["''", ''],
  ["'text'", 'text'],
  ["'naïve 🙂'", 'naïve 🙂'],
  ["printf('%.*c', 5000, 'x')", 'x'.repeat(5000)],
  ["x''", new Uint8Array(0)],
  ["x'00ff'", Uint8Array.of(0, 255)],
  ['zeroblob(3)', new Uint8Array(3)],
  ['zeroblob(100000)', new Uint8Array(100_000)],
  ["CAST('12' AS INTEGER)", 12],
  ["'12' || ''", '12'],
])('%s is logged as it is: inserted, changed and deleted', (sql, value) => {
  db.run(`INSERT INTO t VALUES (1, ${sql}, 2)`);
  expect([...log!.forwards()]).toMatchObject([{ operation: 'insert', after: expect.arrayContaining([value]) }]);
  db.run("UPDATE t SET v = 'other'");
  if (sql !== "'other'") expect([...log!.forwards()]).toMatchObject([{ operation: 'update', before: [value] }]);
  db.run(`UPDATE t SET v = ${sql}, r = 3`);
  expect([...log!.forwards()]).toMatchObject([{ operation: 'update', after: [value, { real: 3 }] }]);
  db.run('DELETE FROM t');
  const [deleted] = [...log!.forwards()];
  expect(deleted).toMatchObject({ operation: 'delete', before: expect.arrayContaining([value, { real: 3 }]) });
});
