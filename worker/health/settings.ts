// The settings of a database and its connection: their current values, and setting those that may be set.
import { AppError } from '#shared/protocol/errors.ts';
import { CHANGEABLE_PRAGMAS, type ChangeablePragma } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';
import { runScript } from '../engines/transaction.ts';

const SHOWN = [
  'analysis_limit', 'application_id', 'auto_vacuum', 'automatic_index', 'busy_timeout', 'cache_size', 'cell_size_check', 'data_version',
  'encoding', 'foreign_keys', 'freelist_count', 'ignore_check_constraints', 'journal_mode', 'journal_size_limit', 'legacy_alter_table',
  'locking_mode', 'max_page_count', 'mmap_size', 'page_count', 'page_size', 'query_only', 'recursive_triggers',
  'reverse_unordered_selects', 'schema_version', 'secure_delete', 'synchronous', 'temp_store', 'threads', 'trusted_schema',
  'user_version', 'wal_autocheckpoint',
] as const; // prettier-ignore

/** Settings of the file, for a database on a server. The others are the server's own and are not queried one by one. */
const ON_SERVER = [
  'application_id', 'auto_vacuum', 'encoding', 'foreign_keys', 'freelist_count', 'page_count', 'page_size', 'schema_version',
  'user_version',
] as const; // prettier-ignore

export function readSettings(connection: Connection): Readonly<Record<string, string>> {
  if (connection.isMetered === true) {
    const values = connection.one(
      `SELECT ${ON_SERVER.map((name) => `(SELECT ${name} FROM pragma_${name})`).join(', ')}`,
    );
    return Object.fromEntries(ON_SERVER.map((name, at) => [name, String(values?.[at] ?? '')]));
  }
  return Object.fromEntries(SHOWN.map((name) => [name, readSetting(connection, name)]));
}

function readSetting(connection: Connection, name: string): string {
  const row = connection.one(`PRAGMA main.${name}`);
  // A build without UTF-16 does not answer.
  return row ? String(row[0]) : name === 'encoding' ? 'UTF-8' : '';
}

/** SQL that sets it. @throws AppError `invalid` */
export function settingSql(name: ChangeablePragma, value: number): readonly string[] {
  const bounds = Object.hasOwn(CHANGEABLE_PRAGMAS, name) ? CHANGEABLE_PRAGMAS[name] : null;
  if (!bounds) throw AppError.invalid(`PRAGMA ${String(name)} cannot be changed here.`);
  if (!Number.isInteger(value) || value < bounds.least || value > bounds.most)
    throw AppError.invalid(
      `PRAGMA ${name} takes a whole number from ${bounds.least} to ${bounds.most}. Nothing was changed.`,
    );
  const set = `PRAGMA main.${name} = ${value}`;
  // Changes from and to “none” take effect only with a VACUUM (sqlite.org/pragma.html#pragma_auto_vacuum).
  return name === 'auto_vacuum' ? [set, 'VACUUM'] : [set];
}

/** Returns the value afterward. @throws AppError `invalid`, `not-undoable`, `unavailable` */
export function setSetting(connection: Connection, name: ChangeablePragma, value: number): string {
  const statements = settingSql(name, value);
  if (!connection.autocommit)
    throw AppError.invalid('Settings cannot be changed inside a transaction. Commit it or roll it back first.');
  // Run as a script, like in an SQL tab: a configured connection is not put to rest, which would lose the setting.
  runScript(connection, statements.join('; '));
  const now = readSetting(connection, name);
  if (now !== String(value))
    throw AppError.unavailable(`SQLite did not accept the value: PRAGMA ${name} is still ${now}.`);
  return now;
}
