// Turns foreign keys off for a transaction in which tables are dropped and created again. SQLite ignores the PRAGMA inside a transaction,
// so it runs before.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from './engine.ts';
import type { GuardedSwitches } from './guarded-switches.ts';

/** As {@link Connection.beginWithoutForeignKeys}. The caller must have the switches released when the transaction is over. */
export function beginWithoutForeignKeys(connection: Connection, switches: GuardedSwitches): void {
  if (!connection.autocommit)
    throw new AppError({ code: 'invalid', message: 'A transaction is open. Commit it first.' });
  const isOn = (): boolean => connection.one('PRAGMA foreign_keys')?.[0] === 1;
  const turn = (on: boolean): void => {
    connection.run(`PRAGMA foreign_keys = ${on ? 'ON' : 'OFF'}`);
    if (isOn() !== on) throw new Error('Foreign keys did not change.');
  };
  const before = isOn();
  switches.holdOff({ set: () => turn(false), restore: () => turn(before) }, () => connection.run('BEGIN IMMEDIATE'));
}
