import { expect, it } from 'vitest';
import { checkFile } from './file-check.ts';
import type { Connection } from './engine.ts';
import { STRANGE_SCHEMA } from './strange-schema.test-suite.ts';
import { createWasmEngine, IN_MEMORY } from './wasm/wasm-engine.ts';

const { engine } = await createWasmEngine();

function open(sql: string): Connection {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });
  const script = connection.script(sql);
  for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  return connection;
}

it.each(['quick', 'integrity'] as const)('what cannot be checked keeps nothing else from a %s check', (kind) => {
  const connection = open(STRANGE_SCHEMA);
  const { messages, unchecked } = checkFile(connection, kind);
  expect(messages).toEqual([]);
  expect(unchecked.map(({ table }) => table)).toEqual(['indexed', 'keyed', 'words']);
  expect(unchecked[0]!.reason).toContain('“unicase”');
  // A row that its column forbids, in one of the tables that can be checked.
  connection.run('PRAGMA ignore_check_constraints = ON');
  connection.run('CREATE TABLE checked (a CHECK (a > 1))');
  connection.run('INSERT INTO checked VALUES (1)');
  connection.run('PRAGMA ignore_check_constraints = OFF');
  expect(checkFile(connection, kind).messages).toEqual(['CHECK constraint failed in checked']);
});

it('Stop is not taken for something that SQLite cannot use', () => {
  const many = open(`${STRANGE_SCHEMA}; CREATE TABLE many (a);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO many SELECT i FROM n`);
  many.onProgress(() => true);
  expect(() => checkFile(many, 'quick')).toThrow(expect.objectContaining({ code: 'stopped' }));
});
