// Runs a script, or work all or nothing: in a transaction of its own, or in a savepoint inside the one the user has opened.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from './engine.ts';

const SAVEPOINT = 'sidelite_edit';

export function atomically<T>(connection: Connection, work: () => T): T {
  const outermost = connection.autocommit;
  connection.run(outermost ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${SAVEPOINT}`);
  try {
    const result = work();
    // COMMIT itself can fail: deferred foreign keys are checked there.
    connection.run(outermost ? 'COMMIT' : `RELEASE ${SAVEPOINT}`);
    return result;
  } catch (error) {
    // Some failures (full disk, interrupt) have already ended the transaction.
    if (!connection.autocommit) {
      if (outermost) connection.run('ROLLBACK');
      else for (const step of [`ROLLBACK TO ${SAVEPOINT}`, `RELEASE ${SAVEPOINT}`]) connection.run(step);
    }
    throw error;
  }
}

/** Runs all statements of a text. @throws AppError of the first that fails; those before it have run */
export function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  try {
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  } finally {
    script.dispose();
  }
}

export function assertNoTransaction(autocommit: boolean): void {
  if (!autocommit) throw AppError.invalid('A transaction is open. Commit it first.');
}
