// Runs SQLite's own check of a database. Objects that this SQLite cannot use do not keep it from checking the others.
import { toAppError } from '#shared/protocol/errors.ts';
import type { FileFindings } from '#shared/protocol/session.ts';
import { quoteName } from '../sql/quote.ts';
import type { Connection } from './engine.ts';

type Checked = Pick<Connection, 'all' | 'one'>;

/** A single row “ok” means that there are no problems (sqlite.org/pragma.html#pragma_integrity_check). */
export function checkFile(connection: Checked, kind: 'quick' | 'integrity', schema = 'main'): FileFindings {
  const check = `${schema}.${kind === 'quick' ? 'quick_check' : 'integrity_check'}`;
  try {
    return { messages: found(connection, `PRAGMA ${check}`), unchecked: [] };
  } catch (error) {
    reasonOf(error);
    return checkEach(connection, check, schema);
  }
}

/** Checks one table and its indexes. */
export function checkTable(connection: Checked, table: string): readonly string[] {
  return found(connection, `PRAGMA main.quick_check(${quoteName(table)})`);
}

/** SQLite compiles the check of a file as one statement, so one unknown collation fails it. */
function checkEach(connection: Checked, check: string, schema: string): FileFindings {
  const messages: string[] = [];
  const unchecked: FileFindings['unchecked'][number][] = [];
  const tables = connection.all(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY rowid`);
  for (const table of ['sqlite_schema', ...tables.map(([name]) => String(name))]) {
    try {
      messages.push(...found(connection, `PRAGMA ${check}(${quoteName(table)})`));
    } catch (error) {
      unchecked.push({ table, reason: reasonOf(error) });
    }
  }
  return { messages, unchecked };
}

/** @throws what is no error of the schema, such as damage or Stop */
function reasonOf(thrown: unknown): string {
  const { code, message } = toAppError(thrown);
  if (code !== 'sql') throw thrown;
  return message;
}

function found(connection: Checked, sql: string): readonly string[] {
  return connection
    .all(sql)
    .map(([finding]) => String(finding))
    .filter((finding) => finding !== 'ok');
}
