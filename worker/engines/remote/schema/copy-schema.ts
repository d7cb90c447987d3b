// A database on this computer with the schema of one on a server, and none of its rows.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import { definesOnly, runnable } from './defines-only.ts';

const DEFINITIONS =
  "SELECT sql, type, name FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";

/**
 * A server may send anything: only definitions are run, and definitions that this SQLite rejects are left out.
 * @throws AppError `too-big`
 */
export function copySchema(from: Connection, to: Connection): Connection {
  try {
    const rows = (from.all(DEFINITIONS) as readonly (readonly [string, string, string])[]).map(([sql, type, name]) => ({
      sql,
      type,
      name,
    }));
    if (runnable(rows).length < rows.length) throw tooLarge();
    for (const { sql, type, name } of rows) {
      try {
        if (definesOnly(sql, type, name)) to.run(sql);
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

const tooLarge = (): AppError =>
  AppError.tooBig(
    inParts(
      'The schema of this server is too large to be copied to this computer, where changes of it are tried first.',
      'Nothing was changed. Statements in an SQL tab change it without that.',
    ),
  );
