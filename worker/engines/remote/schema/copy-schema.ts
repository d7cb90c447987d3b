// A database on this computer with the schema of one on a server, and none of its rows.
import type { Connection } from '../../engine.ts';
import { definesOnly } from './defines-only.ts';

const DEFINITIONS =
  "SELECT sql, type, name FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";

/** A server may send anything: only definitions are run, and definitions that this SQLite rejects are left out. */
export function copySchema(from: Connection, to: Connection): Connection {
  try {
    for (const [sql, type, name] of from.all(DEFINITIONS) as readonly (readonly string[])[]) {
      try {
        if (definesOnly(sql!, type!, name!)) to.run(sql!);
      } catch {
        // The module is not available here, or the table belongs to a module that already made it.
      }
    }
    return to;
  } catch (error) {
    to.close();
    throw error;
  }
}
