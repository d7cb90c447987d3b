// The PRAGMAs of SQLite that Sidelite runs, with the values they take (sqlite.org/pragma.html), for completion and hovers.

export interface Pragma {
  readonly name: string;
  /** Values that may be assigned; `table` and `index` stand for names of the schema, an empty list for a number, null for a query. */
  readonly values: readonly string[] | 'table' | 'index' | null;
  readonly text: string;
}

const SWITCH = ['ON', 'OFF'];

export const PRAGMAS: readonly Pragma[] = [
  pragma('analysis_limit', [], 'rows that ANALYZE looks at per index, 0 for all'),
  pragma('application_id', [], 'number in the header that tells what kind of file it is'),
  pragma('auto_vacuum', ['NONE', 'FULL', 'INCREMENTAL'], 'whether free pages are returned to the disk'),
  pragma('automatic_index', SWITCH, 'whether indexes are built for single queries'),
  pragma('busy_timeout', [], 'milliseconds to wait for a lock'),
  pragma('cache_size', [], 'page cache: pages, or KiB if negative'),
  pragma('collation_list', null, 'collating sequences'),
  pragma('compile_options', null, 'options SQLite was built with'),
  pragma('database_list', null, 'databases of the connection'),
  pragma('defer_foreign_keys', SWITCH, 'whether foreign keys are checked at COMMIT only'),
  pragma('encoding', ["'UTF-8'", "'UTF-16le'", "'UTF-16be'"], 'encoding of text in the file'),
  pragma('foreign_key_check', 'table', 'rows with broken foreign keys'),
  pragma('foreign_key_list', 'table', 'foreign keys of a table'),
  pragma('foreign_keys', SWITCH, 'whether foreign keys are enforced'),
  pragma('freelist_count', null, 'unused pages'),
  pragma('function_list', null, 'SQL functions'),
  pragma('ignore_check_constraints', SWITCH, 'whether CHECK constraints are ignored'),
  pragma('incremental_vacuum', [], 'returns that many free pages to the disk'),
  pragma('index_info', 'index', 'columns of an index'),
  pragma('index_list', 'table', 'indexes of a table'),
  pragma('index_xinfo', 'index', 'columns of an index, hidden ones included'),
  pragma('integrity_check', 'table', 'problems in the structure of the file'),
  pragma(
    'journal_mode',
    ['DELETE', 'TRUNCATE', 'PERSIST', 'MEMORY', 'WAL', 'OFF'],
    'how a transaction can be rolled back',
  ),
  pragma('journal_size_limit', [], 'bytes that a journal keeps'),
  pragma('legacy_alter_table', SWITCH, 'whether RENAME leaves triggers and views alone'),
  pragma('locking_mode', ['NORMAL', 'EXCLUSIVE'], 'when locks are released'),
  pragma('max_page_count', [], 'largest size of the file, in pages'),
  pragma('module_list', null, 'virtual table modules'),
  pragma('optimize', [], 'updates statistics where it helps'),
  pragma('page_count', null, 'pages of the file'),
  pragma('page_size', ['4096', '8192', '16384', '32768', '65536'], 'bytes of a page; changed by VACUUM'),
  pragma('pragma_list', null, 'PRAGMAs of this build'),
  pragma('query_only', SWITCH, 'whether the connection may not write'),
  pragma('quick_check', 'table', 'problems in the structure of the file, without looking at indexes'),
  pragma('recursive_triggers', SWITCH, 'whether triggers may fire themselves'),
  pragma('reverse_unordered_selects', SWITCH, 'whether SELECTs without ORDER BY run backward'),
  pragma('schema_version', null, 'number that each change of the schema increases'),
  pragma('secure_delete', ['ON', 'OFF', 'FAST'], 'whether deleted content is overwritten'),
  pragma('synchronous', ['OFF', 'NORMAL', 'FULL', 'EXTRA'], 'how often SQLite waits for the disk'),
  pragma('table_info', 'table', 'columns of a table'),
  pragma('table_list', 'table', 'tables and views'),
  pragma('table_xinfo', 'table', 'columns of a table, hidden ones included'),
  pragma('temp_store', ['DEFAULT', 'FILE', 'MEMORY'], 'where temporary tables are'),
  pragma('user_version', [], 'number in the header for your own use'),
  pragma('wal_autocheckpoint', [], 'pages after which the WAL is checkpointed'),
  pragma('wal_checkpoint', ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'], 'moves the WAL into the file'),
];

function pragma(name: string, values: Pragma['values'], text: string): Pragma {
  return { name, values, text };
}
