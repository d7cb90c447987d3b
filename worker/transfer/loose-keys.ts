// Rows whose foreign keys lead nowhere: they are copied, as other programs restore them, and the report names them.
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { brokenRows } from '../import/foreign-keys.ts';

const SHOWN = 5;

/** Whole sentences. @param place where the table is: parents that a file lacks may be in the database that its tables go to */
export function looseKeys(connection: Connection, table: string, place: 'file' | 'database'): readonly string[] {
  try {
    return looseKeysOf(connection, table, place);
  } catch (error) {
    const problem = toAppError(error);
    if (problem.code === 'stopped') throw error;
    return [`The foreign keys of “${table}” cannot be checked: ${whatHappened(problem)}`];
  }
}

function looseKeysOf(connection: Connection, table: string, place: 'file' | 'database'): readonly string[] {
  const missing = connection
    .all(
      `SELECT DISTINCT f."table" FROM pragma_foreign_key_list(?) f
       WHERE NOT EXISTS (SELECT 1 FROM main.sqlite_schema m WHERE m.type = 'table' AND m.name = f."table" COLLATE NOCASE)`,
      [table],
    )
    .map(([parent]) => `“${table}” refers to the table “${String(parent)}”, ${MISSING[place]}`);
  if (place === 'file' && missing.length > 0) return missing;
  const count = Number(connection.one("SELECT count(*) FROM pragma_foreign_key_check(?, 'main')", [table])![0]);
  if (count === 0) return missing;
  const shown = brokenRows(connection, table).slice(0, SHOWN);
  return [
    ...missing,
    `Rows of “${table}” that refer to rows that do not exist: ${count.toLocaleString('en-US')} (${shown.join(', ')}${count > SHOWN ? ', …' : ''}).`,
  ];
}

const MISSING = {
  file: 'which is not in the file.',
  database: 'which does not exist: until it does, no more rows can be added.',
} as const;
