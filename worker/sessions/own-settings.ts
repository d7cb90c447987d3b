// What a person's text can make of a connection that is not in the file: settings, and TEMP tables. It would end with the connection.
import type { Connection } from '../engines/engine.ts';

/** As SQLite keeps them for one connection (sqlite.org/pragma.html). Not `cache_size`, which is shared out, nor `cache_spill`, which follows it. */
const SETTINGS = [
  'analysis_limit',
  'automatic_index',
  'busy_timeout',
  'cell_size_check',
  'checkpoint_fullfsync',
  'count_changes',
  'defer_foreign_keys',
  'empty_result_callbacks',
  'foreign_keys',
  'full_column_names',
  'fullfsync',
  'ignore_check_constraints',
  'journal_mode',
  'journal_size_limit',
  'legacy_alter_table',
  'locking_mode',
  'max_page_count',
  'query_only',
  'read_uncommitted',
  'recursive_triggers',
  'reverse_unordered_selects',
  'secure_delete',
  'short_column_names',
  'synchronous',
  'temp_store',
  'threads',
  'trusted_schema',
  'wal_autocheckpoint',
  'writable_schema',
];

/** `case_sensitive_like` cannot be asked for. What Sidelite makes in TEMP begins with its name. */
const OTHERS = `SELECT 'a' LIKE 'A',
  (SELECT group_concat(type || ' ' || name) FROM temp.sqlite_schema WHERE name NOT LIKE 'sidelite%')`;

/** Whether a text may make something that ends with the connection. Says yes too often rather than too rarely. */
export const mayConfigure = (sql: string): boolean => /\bpragma\b|\btemp/i.test(sql);

/** Equal exactly when none of it has changed in between. */
export function settingsOf(connection: Connection): string {
  const values = SETTINGS.map((name) => connection.one(`PRAGMA ${name}`)?.[0] ?? null);
  return JSON.stringify([values, connection.one(OTHERS)], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
