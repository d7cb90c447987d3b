import { expect, it } from 'vitest';
import { PendingTransaction } from './pending-transaction.ts';

/** A connection whose counters the test sets. */
function begun() {
  const connection = { totalChanges: 7, autocommit: false };
  const pending = new PendingTransaction(connection);
  const run = (sql: string, changes = 0): void => {
    connection.totalChanges += changes;
    pending.afterControl(sql, 0);
  };
  return { connection, pending, run };
}

it('counts changes from the beginning, and forgets them at the end', () => {
  const { connection, pending, run } = begun();
  run('BEGIN');
  connection.totalChanges += 3;
  expect(pending.state).toMatchObject({ changes: 3, savepoints: [] });
  connection.autocommit = true;
  run('COMMIT');
  expect(pending.state).toBeNull();
});

it.each([
  ['SAVEPOINT a', 'RELEASE a', 'ROLLBACK TO a'],
  ['savepoint "a b"', 'RELEASE SAVEPOINT [A B]', "rollback transaction to savepoint 'A b'"],
  ['-- x\nSAVEPOINT savepoint;', 'RELEASE savepoint;', 'ROLLBACK TO SAVEPOINT'],
  ['; ;SAVEPOINT /* x */ `é`', 'RELEASE SAVEPOINT é', 'ROLLBACK /* x */ TO é;'],
])('knows savepoints by their names: %s', (set, release, rollBack) => {
  const { connection, pending, run } = begun();
  run('BEGIN');
  connection.totalChanges += 2;
  run('SAVEPOINT first');
  run(set);
  connection.totalChanges += 5;
  run('SAVEPOINT last');
  expect(pending.state!.savepoints).toHaveLength(3);
  run(rollBack);
  expect(pending.state).toMatchObject({ changes: 2, savepoints: ['first', expect.any(String)] });
  run(release);
  expect(pending.state!.savepoints).toEqual(['first']);
  run(set);
  run(set);
  run(release);
  expect(pending.state!.savepoints).toHaveLength(2);
});
