// A transaction in which changes are put back as they were: nothing follows from them, and nothing is checked again.
import { atomically } from '../../sql/transaction.ts';
import type { Connection } from '../engine.ts';
import type { ChangeWatch } from './change-watch.ts';
import { takeTriggersOut } from './held-triggers.ts';
import type { Internals } from './internals.ts';

interface Parts {
  readonly internals: Internals;
  readonly watch: ChangeWatch;
  /** What was learned of statements is of a schema with other triggers. */
  readonly forgetStatements: () => void;
}

export function replay<T>(connection: Connection, { internals, watch, forgetStatements }: Parts, body: () => T): T {
  const settings = ['foreign_keys', 'ignore_check_constraints'].map(
    (name) => [name, connection.one(`PRAGMA ${name}`)![0]] as const,
  );
  return internals.withoutDefense(() => {
    internals.run('PRAGMA foreign_keys = OFF');
    internals.run('PRAGMA ignore_check_constraints = ON');
    watch.replaying(true);
    try {
      return atomically(connection, () => {
        const putTriggersBack = takeTriggersOut(internals, (name) => watch.isOurTrigger(name));
        forgetStatements();
        const result = body();
        putTriggersBack();
        return result;
      });
    } finally {
      watch.replaying(false);
      // Reads the schema again: FTS5 keeps what it has read of its index until its table is opened anew.
      internals.run('PRAGMA writable_schema = RESET');
      for (const [name, value] of settings) internals.run(`PRAGMA ${name} = ${String(value)}`);
      forgetStatements();
    }
  });
}
