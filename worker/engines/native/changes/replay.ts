// A transaction in which changes are replayed: they trigger nothing, and nothing is checked again.
import { AppError } from '#shared/protocol/errors.ts';
import { atomically } from '../../transaction.ts';
import type { Connection } from '../../engine.ts';
import type { GuardedSwitches } from '../../guarded-switches.ts';
import type { ChangeWatch } from './change-watch.ts';
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

// Takes all triggers out of the schema for the length of one transaction: better-sqlite3 has no switch for them. No other connection ever
// sees the schema without them, and its version stays the same, because the schema that is committed is the one from before.

type TriggerRow = readonly [rowid: bigint, name: string, table: string, sql: string];

/**
 * Call inside a transaction, without defensive mode. Returns a function that restores the triggers, to be called before COMMIT; a rollback
 * restores them.
 * @param isOurs recognizes the engine's own triggers by name, which stay
 */
function takeTriggersOut(internals: Internals, isOurs: (name: string) => boolean): () => void {
  const kept = (['main', 'temp'] as const).map((schema) => {
    const all = internals.db
      .prepare(`SELECT rowid, name, tbl_name, sql FROM ${schema}.sqlite_schema WHERE type = 'trigger'`)
      .raw(true)
      .safeIntegers(true)
      .all() as readonly TriggerRow[];
    return { schema, rows: all.filter(([, name]) => !isOurs(name)) };
  });
  if (kept.every(({ rows }) => rows.length === 0)) return () => undefined;
  for (const row of kept.flatMap(({ rows }) => rows)) assertReadable(row);
  editSchema(internals, () => {
    for (const { schema, rows } of kept) {
      const remove = internals.db.prepare(`DELETE FROM ${schema}.sqlite_schema WHERE rowid = ?`);
      for (const [rowid] of rows) remove.run(rowid);
    }
  });
  return () =>
    editSchema(internals, () => {
      for (const { schema, rows } of kept) {
        const insert = internals.db.prepare(
          `INSERT INTO ${schema}.sqlite_schema (rowid, type, name, tbl_name, rootpage, sql) VALUES (?, 'trigger', ?, ?, 0, ?)`,
        );
        for (const row of rows) insert.run(...row);
      }
    });
}

/** RESET makes SQLite read the schema again, and ends writing to it. */
function editSchema(internals: Internals, edit: () => void): void {
  internals.run('PRAGMA writable_schema = ON');
  try {
    edit();
  } finally {
    internals.run('PRAGMA writable_schema = RESET');
  }
}

/** Invalid UTF-8 is read with this character in it, and would change when written back. */
function assertReadable([, name, table, sql]: TriggerRow): void {
  if (![name, table, sql].some((text) => text.includes('\ufffd'))) return;
  throw AppError.unavailable(
    `The trigger “${name}” contains text that is not UTF-8, so it cannot be disabled while changes are undone or redone. Nothing was changed.`,
  );
}
