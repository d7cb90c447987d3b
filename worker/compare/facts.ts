// Facts a connection reports about itself: read back from it, not assumed.
import type { EngineFacts } from '#shared/protocol/compare.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';

/** Pragmas that influence what is run or how fast it is. None of them writes when only queried. */
const PRAGMAS = [
  'application_id',
  'auto_vacuum',
  'automatic_index',
  'busy_timeout',
  'cache_size',
  'case_sensitive_like',
  'cell_size_check',
  'defer_foreign_keys',
  'encoding',
  'foreign_keys',
  'freelist_count',
  'journal_mode',
  'journal_size_limit',
  'legacy_alter_table',
  'locking_mode',
  'mmap_size',
  'page_count',
  'page_size',
  'query_only',
  'recursive_triggers',
  'reverse_unordered_selects',
  'schema_version',
  'secure_delete',
  'synchronous',
  'temp_store',
  'threads',
  'trusted_schema',
  'user_version',
  'wal_autocheckpoint',
];

export function factsOf(connection: Connection, info: Pick<EngineInfo, 'kind' | 'capabilities'>): EngineFacts {
  const [version, sourceId] = connection.one('SELECT sqlite_version(), sqlite_source_id()')!;
  const pragmas: Record<string, string> = {};
  for (const name of PRAGMAS) {
    const value = readPragma(connection, name);
    if (value !== null) pragmas[name] = value;
  }
  return {
    engine: { ...info, sqliteVersion: String(version), sqliteSourceId: String(sourceId) },
    compileOptions: connection.all('PRAGMA compile_options').map(([option]) => String(option)),
    pragmas,
  };
}

/** Null if an engine lacks it, or returns nothing for it. */
function readPragma(connection: Connection, name: string): string | null {
  try {
    const row = connection.one(`PRAGMA ${name}`);
    return row ? String(row[0]) : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
