// How the two builds of SQLite differ, option by option, and what each difference may change in an answer. Read back from both
// (`PRAGMA compile_options`): an option that is not listed here fails the test, and so does one that is listed and no longer differs.

/** How a query is written: as people write it, or so that one option cannot matter to it. */
export interface Dialect {
  like(value: string, operator: string, pattern: string): string;
  /** A function of the C library: the last digits are the compiler's. */
  inexact(call: string): string;
}

export const PLAIN: Dialect = {
  like: (value, operator, pattern) => `(${value}) ${operator} (${pattern})`,
  inexact: (call) => call,
};

export interface Explanation {
  /** Name as in `PRAGMA compile_options`, without `=` and what follows. */
  readonly option: string;
  readonly why: string;
  /** A query that is to be the same on both engines when written so. */
  readonly levelled: Partial<Dialect>;
}

/** Every reason for which rows may differ. A difference is explained when it is gone in the levelled query. */
export const EXPLANATIONS: readonly Explanation[] = [
  {
    option: 'LIKE_DOESNT_MATCH_BLOBS',
    why: 'LIKE and GLOB answer 0 on the native engine when either side is a BLOB; the wasm engine compares its bytes as text',
    levelled: {
      like: (value, operator, pattern) =>
        `CASE WHEN typeof(${value}) = 'blob' OR typeof(${pattern}) = 'blob' THEN 0 ELSE (${value}) ${operator} (${pattern}) END`,
    },
  },
  {
    option: 'COMPILER',
    why: 'exp, ln, pow, sin and their kind are those of two C libraries (musl, glibc), which agree to 15 digits',
    levelled: { inexact: (call) => `format('%.12e', ${call})` },
  },
];

/** No option, but the way into JavaScript: better-sqlite3 hands out text as strings. Explains nothing but such bytes (ENGINE-DIFFERENCES.md). */
export const NOT_UTF8 = 'text that is not UTF-8';

/** Rows may come in another order where the query does not say which, and only there: statistics choose another plan. */
export const PLAN_OPTION = 'ENABLE_STAT4';

/** Answered by one engine, an error on the other. */
export const ONE_SIDED: readonly { readonly option: string; readonly sql: string }[] = [
  { option: 'SOUNDEX', sql: "SELECT soundex('Robert')" },
  { option: 'ENABLE_GEOPOLY', sql: "SELECT geopoly_area('[[0,0],[1,0],[1,1],[0,0]]')" },
  { option: 'ENABLE_BYTECODE_VTAB', sql: "SELECT count(*) > 0 FROM bytecode('SELECT 1')" },
  { option: 'ENABLE_STMTVTAB', sql: 'SELECT count(*) >= 0 FROM sqlite_stmt' },
  { option: 'ENABLE_DBPAGE_VTAB', sql: 'SELECT count(*) > 0 FROM sqlite_dbpage' },
  { option: 'ENABLE_OFFSET_SQL_FUNC', sql: 'SELECT sqlite_offset(1)' },
];

/** Differ, and change no answer: reason by option. */
export const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  DEFAULT_CACHE_SIZE: 'set when a file is opened',
  DEFAULT_FOREIGN_KEYS: 'set when a file is opened',
  DEFAULT_MEMSTATUS: 'counting of memory',
  DEFAULT_PAGE_SIZE: 'a file has its own',
  DEFAULT_WAL_SYNCHRONOUS: 'set by durability',
  ENABLE_API_ARMOR: 'checks of pointers',
  ENABLE_FTS3: 'tables of that kind can only be made by one engine; FTS5 is on both',
  ENABLE_FTS3_PARENTHESIS: 'as FTS3',
  ENABLE_FTS4: 'as FTS3',
  ENABLE_PREUPDATE_HOOK: 'how changes are seen',
  ENABLE_SESSION: 'how changes are seen',
  ENABLE_UNKNOWN_SQL_FUNCTION: 'EXPLAIN only',
  ENABLE_UPDATE_DELETE_LIMIT: 'writing; syntax of one engine',
  MAX_MMAP_SIZE: 'never mapped',
  MAX_WORKER_THREADS: 'no helper threads are asked for',
  MUTEX_OMIT: 'threads',
  MUTEX_PTHREADS: 'threads',
  OMIT_LOAD_EXTENSION: 'only the native engine loads extensions, and only files that were approved',
  OMIT_PROGRESS_CALLBACK: 'Stop',
  OMIT_TCL_VARIABLE: 'names of parameters',
  OMIT_UTF16: 'files with that encoding are refused by one engine, and read by the other',
  STRICT_SUBTYPE: 'an error in functions of our own, should one break a promise',
  TEMP_STORE: 'where sorting puts its rows',
  THREADSAFE: 'threads',
};
