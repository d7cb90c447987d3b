import { expect, onTestFinished, test, vi } from 'vitest';
import type { SchemaObject } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import type { Turn } from '../sessions/session.ts';
import { listObjects, ListedRows } from './schema-objects.ts';

async function open(statements: readonly string[]): Promise<Connection> {
  const connection = (await createWasmEngine()).engine.open(IN_MEMORY, { durability: 'full', create: true });
  onTestFinished(() => connection.close());
  for (const sql of ['BEGIN', ...statements, 'COMMIT']) connection.run(sql);
  return connection;
}

const rowsOf = (connection: Connection): readonly SchemaObject['rows'][] =>
  (listObjects({ connection, deadlineMs: Infinity } as Turn).next().value as SchemaObject[]).map(({ rows }) => rows);

const numbers = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT i FROM n`;

test('a table whose rows are counted late is listed with them', async () => {
  const names = ['a', 'b', 'c'];
  const connection = await open(
    names.flatMap((name, at) => [
      `CREATE TABLE ${name} (id INTEGER PRIMARY KEY)`,
      `INSERT INTO ${name} ${numbers(at + 1)}`,
    ]),
  );
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));
  onTestFinished(() => void vi.restoreAllMocks());
  expect(rowsOf(connection)).toEqual([1, 2, 3].map((count) => ({ count, estimated: false })));
});

test('of many tables, the first are counted, the next ones sought, and the others only listed', async () => {
  const connection = await open([
    'CREATE TABLE gaps (id INTEGER PRIMARY KEY, v)',
    `INSERT INTO gaps SELECT i * 1000, i FROM (${numbers(7)})`,
    'CREATE INDEX i ON gaps (v)',
    'ANALYZE gaps',
  ]);
  const ones = vi.spyOn(connection, 'one');
  const many = Array.from({ length: 1010 }, () => 'gaps');
  const listed = new ListedRows(connection, many);
  const rows = many.map((table) => listed.next(table, false));
  expect(ones.mock.calls.filter(([sql]) => sql.includes('count(*)'))).toHaveLength(100);
  expect([0, 99, 100, 999, 1000].map((at) => rows[at])).toEqual([
    { count: 7, estimated: false },
    { count: 7, estimated: false },
    // By the statistics: the row ids have gaps.
    { count: 7, estimated: true },
    { count: 7, estimated: true },
    null,
  ]);
});
