import { expect, it } from 'vitest';
import { IN_MEMORY, createWasmEngine } from '../wasm-engine.ts';
import { openLentFile } from './lent-file.ts';

const { engine } = await createWasmEngine();

function bytesOf(sql: readonly string[]): Uint8Array {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
  for (const statement of sql) connection.run(statement);
  const bytes = connection.readFile(0, connection.fileSizeBytes);
  connection.close();
  return bytes;
}

const lend = (bytes: Uint8Array) =>
  openLentFile({
    sizeBytes: bytes.length,
    read(offset, into) {
      into.set(bytes.subarray(offset, offset + into.length));
      return true;
    },
  });

const TABLE = [
  'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)',
  'CREATE INDEX ta ON t (a)',
  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO t SELECT i, hex(i) || 'text' FROM n",
];

it('reads what another holds, also a file that asks for a WAL, and finds it sound', async () => {
  const bytes = bytesOf(TABLE);
  bytes.fill(2, 18, 20);
  const connection = await lend(bytes);
  expect(connection.one('SELECT count(*), max(a) FROM t')).toEqual([5000, '39text']);
  expect(connection.all('PRAGMA quick_check')).toEqual([['ok']]);
  expect(connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
  connection.close();
});

it('writes nothing', async () => {
  const bytes = bytesOf(TABLE);
  const before = bytes.slice();
  const connection = await lend(bytes);
  expect(() => connection.run('DELETE FROM t')).toThrow();
  expect(bytes).toEqual(before);
  connection.close();
});

it('tells damage just as SQLite does where the file lies', async () => {
  const bytes = bytesOf(TABLE);
  bytes.fill(0x55, 8192 * 3, 8192 * 3 + 4000);
  const connection = await lend(bytes);
  expect(connection.all('PRAGMA quick_check').map(([message]) => String(message))[0]).toMatch(/Tree \d+ page/);
  connection.close();
});

it('an owner that cannot read is a failure, not an answer', async () => {
  await expect(openLentFile({ sizeBytes: 8192, read: () => false })).rejects.toMatchObject({ code: 'io' });
});
