import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { TransactionChanges } from '../../transaction-changes.ts';
import { createNativeEngine } from '../native-engine.ts';

test('definitions in a row do not read the whole schema, and say which tables they are of', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-definitions-'));
  const connection = (await createNativeEngine()).open(join(folder, 'a.db'), { durability: 'balanced', create: true });
  onTestFinished(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });
  const commits: TransactionChanges[] = [];
  connection.onCommit((changes) => commits.push(changes));
  const all = vi.spyOn(connection, 'all');
  connection.run('BEGIN');
  for (let at = 0; at < 10; at++) {
    connection.run(`CREATE TABLE T${at} (a)`);
    connection.run(`CREATE INDEX i${at} ON t${at} (a)`);
  }
  connection.run('CREATE TABLE IF NOT EXISTS t1 (b)');
  connection.run('COMMIT');
  expect(all.mock.calls.filter(([sql]) => sql.includes('pragma_foreign_key_list'))).toEqual([]);
  expect([...commits[0]!.tables!.keys()]).toEqual(Array.from({ length: 10 }, (_, at) => `T${at}`));
});
