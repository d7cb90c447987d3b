// Settings and TEMP tables that the user's SQL can change in a connection and not in the file. They are lost when the connection closes.
import type { Connection } from '../engines/engine.ts';

/**
 * The settings that SQLite keeps per connection (sqlite.org/pragma.html), except `cache_size`, which Sidelite distributes, and
 * `cache_spill`, which follows it.
 */
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

/** `case_sensitive_like` cannot be queried. Names of Sidelite's own TEMP objects begin with `sidelite`. */
const OTHERS = `SELECT 'a' LIKE 'A',
  (SELECT group_concat(type || ' ' || name) FROM temp.sqlite_schema WHERE name NOT LIKE 'sidelite%')`;

/** Whether the SQL may make a setting or a TEMP object. May return true without need, never false when it does. */
export const mayConfigure = (sql: string): boolean => /\bpragma\b|\btemp/i.test(sql);

/** Two results are equal exactly when nothing has changed in between. */
export function settingsOf(connection: Connection): string {
  const values = SETTINGS.map((name) => connection.one(`PRAGMA ${name}`)?.[0] ?? null);
  return JSON.stringify([values, connection.one(OTHERS)], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
