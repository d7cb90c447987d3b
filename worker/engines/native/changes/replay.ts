// A transaction in which changes are replayed: they trigger nothing, and nothing is checked again.
import { atomically } from '../../transaction.ts';
import type { Connection } from '../../engine.ts';
import type { GuardedSwitches } from '../../guarded-switches.ts';
import type { ChangeWatch } from './change-watch.ts';
import { takeTriggersOut } from './held-triggers.ts';
import type { Internals } from '../runtime/internals.ts';

interface Parts {
  readonly internals: Internals;
  readonly watch: ChangeWatch;
  readonly switches: GuardedSwitches;
  /** Call when what is known about statements comes from a schema with other triggers. */
  readonly forgetStatements: () => void;
}

const SETTINGS = ['foreign_keys', 'ignore_check_constraints'];

export function replay<T>(connection: Connection, parts: Parts, body: () => T): T {
  const { internals, watch, switches, forgetStatements } = parts;
  const settings = (): readonly number[] => SETTINGS.map((name) => internals.setting(name));
  const before = settings();
  const set = (): void => {
    internals.defend(false);
    internals.run('PRAGMA foreign_keys = OFF');
    internals.run('PRAGMA ignore_check_constraints = ON');
    watch.replaying(true);
  };
  const restore = (): void => {
    internals.defend(true);
    SETTINGS.forEach((name, at) => internals.run(`PRAGMA ${name} = ${before[at]}`));
    if (settings().some((value, at) => value !== before[at])) throw new Error('A setting did not come back.');
    watch.replaying(false);
    // Reads the schema again: FTS5 caches its index until its table is opened again.
    internals.run('PRAGMA writable_schema = RESET');
    forgetStatements();
  };
  return switches.whileOff({ set, restore }, () =>
    atomically(connection, () => {
      const putTriggersBack = takeTriggersOut(internals, (name) => watch.isOurTrigger(name));
      forgetStatements();
      const result = body();
      putTriggersBack();
      return result;
    }),
  );
}
