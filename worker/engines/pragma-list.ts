// The PRAGMAs that may run. An allowlist, because PRAGMAs act while they are prepared, before their effect could be checked.

/** Allowed with or without a value: they query something, or set a property of the connection or the file. */
const ALLOWED: ReadonlySet<string> = new Set([
  'analysis_limit', 'application_id', 'auto_vacuum', 'automatic_index', 'busy_timeout', 'cache_size', 'cache_spill',
  'case_sensitive_like', 'cell_size_check', 'checkpoint_fullfsync', 'collation_list', 'compile_options', 'count_changes',
  'data_version', 'database_list', 'default_cache_size', 'defer_foreign_keys', 'empty_result_callbacks', 'encoding',
  'foreign_key_check', 'foreign_key_list', 'foreign_keys', 'freelist_count', 'full_column_names', 'fullfsync',
  'function_list', 'hard_heap_limit', 'ignore_check_constraints', 'incremental_vacuum', 'index_info', 'index_list',
  'index_xinfo', 'integrity_check', 'journal_mode', 'journal_size_limit', 'legacy_alter_table', 'legacy_file_format',
  'locking_mode', 'max_page_count', 'mmap_size', 'module_list', 'optimize', 'page_count', 'page_size', 'pragma_list',
  'query_only', 'quick_check', 'read_uncommitted', 'recursive_triggers', 'reverse_unordered_selects', 'schema_version',
  'secure_delete', 'short_column_names', 'shrink_memory', 'soft_heap_limit', 'synchronous', 'table_info', 'table_list',
  'table_xinfo', 'temp_store', 'threads', 'trusted_schema', 'user_version', 'wal_autocheckpoint', 'wal_checkpoint',
  'writable_schema',
]); // prettier-ignore

/** PRAGMAs that affect the whole process: a script of one database must not starve the others, or choose where temporary files go. */
const PROCESS_WIDE: ReadonlySet<string> = new Set([
  'data_store_directory',
  'hard_heap_limit',
  'soft_heap_limit',
  'temp_store_directory',
]);

/** Protections from a hostile file may be queried, and set to the value they have. */
const PROTECTIONS: Readonly<Record<string, RegExp>> = {
  trusted_schema: /^(?:0|off|no|false)$/i,
  cell_size_check: /^(?:1|on|yes|true)$/i,
  // The file would be mapped into memory: if another program truncated it, the whole process would end.
  mmap_size: /^0$/,
};

/**
 * Why a PRAGMA is refused; null when it may run.
 * @param value the text after `=` or in parentheses, without quotes; null when there is none
 * @param isEncrypted the database is, and temporary files would not be
 */
export function refusalOfPragma(name: string, value: string | null, isEncrypted = false): string | null {
  const pragma = name.toLowerCase();
  if (value !== null && isEncrypted && pragma === 'temp_store' && !/^(?:2|memory)$/i.test(value))
    return 'PRAGMA temp_store keeps what is temporary in memory: files for it would not be encrypted.';
  if (value !== null && PROCESS_WIDE.has(pragma))
    return `PRAGMA ${pragma} would change every open database and is not available here.`;
  if (value !== null && Object.hasOwn(PROTECTIONS, pragma) && !PROTECTIONS[pragma]!.test(value))
    return `PRAGMA ${pragma} protects from files that were made to do harm, so it stays as it is.`;
  if (ALLOWED.has(pragma) || PROCESS_WIDE.has(pragma)) return null;
  return `PRAGMA ${name} is not known here, so it was not run.`;
}
