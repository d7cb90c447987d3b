// The functions of the wasm build that Sidelite calls directly: the package's own wrappers cost several times the work they wrap.

/** An address in wasm memory; 0 is NULL. */
export type Pointer = number;

/** Signatures as the wasm module has them: pointers and `int` are numbers, `sqlite3_int64` is a bigint. */
export interface RawSqlite {
  sqlite3_malloc(bytes: number): Pointer;
  sqlite3_free(pointer: Pointer): void;

  sqlite3_open_v2(name: Pointer, outDb: Pointer, flags: number, vfs: Pointer): number;
  sqlite3_close_v2(db: Pointer): number;
  sqlite3_errmsg(db: Pointer): Pointer;
  sqlite3_error_offset(db: Pointer): number;
  sqlite3_get_autocommit(db: Pointer): number;
  sqlite3_interrupt(db: Pointer): void;
  sqlite3_changes(db: Pointer): number;
  sqlite3_changes64(db: Pointer): bigint;
  sqlite3_total_changes(db: Pointer): number;
  sqlite3_total_changes64(db: Pointer): bigint;
  sqlite3_last_insert_rowid(db: Pointer): bigint;
  sqlite3_file_control(db: Pointer, schema: Pointer, operation: number, argument: Pointer): number;
  sqlite3_limit(db: Pointer, limit: number, value: number): number;
  sqlite3__wasm_db_config_ip(db: Pointer, option: number, value: number, out: Pointer): number;

  sqlite3_db_status(db: Pointer, what: number, outNow: Pointer, outMost: Pointer, reset: number): number;
  sqlite3_txn_state(db: Pointer, schema: Pointer): number;

  sqlite3_backup_init(to: Pointer, toSchema: Pointer, from: Pointer, fromSchema: Pointer): Pointer;
  sqlite3_backup_step(backup: Pointer, pages: number): number;
  sqlite3_backup_remaining(backup: Pointer): number;
  sqlite3_backup_pagecount(backup: Pointer): number;
  sqlite3_backup_finish(backup: Pointer): number;

  sqlite3_preupdate_hook(db: Pointer, callback: Pointer, context: number): Pointer;
  sqlite3_preupdate_old(db: Pointer, column: number, outValue: Pointer): number;
  sqlite3_preupdate_new(db: Pointer, column: number, outValue: Pointer): number;
  sqlite3_commit_hook(db: Pointer, callback: Pointer, context: number): Pointer;
  sqlite3_rollback_hook(db: Pointer, callback: Pointer, context: number): Pointer;
  sqlite3_set_authorizer(db: Pointer, callback: Pointer, context: number): number;
  sqlite3_progress_handler(db: Pointer, operations: number, callback: Pointer, context: number): void;

  sqlite3_prepare_v3(
    db: Pointer,
    sql: Pointer,
    bytes: number,
    flags: number,
    outStatement: Pointer,
    outTail: Pointer,
  ): number;
  sqlite3_step(statement: Pointer): number;
  sqlite3_reset(statement: Pointer): number;
  sqlite3_clear_bindings(statement: Pointer): number;
  sqlite3_finalize(statement: Pointer): number;
  sqlite3_stmt_readonly(statement: Pointer): number;
  sqlite3_stmt_isexplain(statement: Pointer): number;
  sqlite3_stmt_explain(statement: Pointer, mode: number): number;
  sqlite3_sql(statement: Pointer): Pointer;
  sqlite3_stmt_status(statement: Pointer, counter: number, reset: number): number;

  sqlite3_bind_parameter_count(statement: Pointer): number;
  sqlite3_bind_null(statement: Pointer, index: number): number;
  sqlite3_bind_int(statement: Pointer, index: number, value: number): number;
  sqlite3_bind_int64(statement: Pointer, index: number, value: bigint): number;
  sqlite3_bind_double(statement: Pointer, index: number, value: number): number;
  sqlite3_bind_text(statement: Pointer, index: number, text: Pointer, bytes: number, destructor: number): number;
  sqlite3_bind_blob(statement: Pointer, index: number, blob: Pointer, bytes: number, destructor: number): number;
  sqlite3_bind_zeroblob(statement: Pointer, index: number, bytes: number): number;

  sqlite3_column_count(statement: Pointer): number;
  sqlite3_column_name(statement: Pointer, column: number): Pointer;
  sqlite3_column_decltype(statement: Pointer, column: number): Pointer;
  sqlite3_column_table_name(statement: Pointer, column: number): Pointer;
  sqlite3_column_origin_name(statement: Pointer, column: number): Pointer;
  sqlite3_column_database_name(statement: Pointer, column: number): Pointer;
  sqlite3_column_type(statement: Pointer, column: number): number;
  sqlite3_column_double(statement: Pointer, column: number): number;
  sqlite3_column_int64(statement: Pointer, column: number): bigint;
  sqlite3_column_text(statement: Pointer, column: number): Pointer;
  sqlite3_column_blob(statement: Pointer, column: number): Pointer;
  sqlite3_column_bytes(statement: Pointer, column: number): number;
  sqlite3_column_value(statement: Pointer, column: number): Pointer;

  sqlite3_create_function_v2(
    db: Pointer,
    name: Pointer,
    argumentCount: number,
    flags: number,
    context: Pointer,
    callback: Pointer,
    step: Pointer,
    final: Pointer,
    destroy: Pointer,
  ): number;
  sqlite3_user_data(context: Pointer): Pointer;
  sqlite3_aggregate_context(context: Pointer, bytes: number): Pointer;
  sqlite3_result_int(context: Pointer, value: number): void;
  sqlite3_result_int64(context: Pointer, value: bigint): void;
  sqlite3_result_double(context: Pointer, value: number): void;
  sqlite3_result_blob(context: Pointer, blob: Pointer, bytes: number, destructor: number): void;
  sqlite3_result_null(context: Pointer): void;
  sqlite3_result_text(context: Pointer, text: Pointer, bytes: number, destructor: number): void;
  sqlite3_result_error_code(context: Pointer, code: number): void;
  sqlite3_result_error(context: Pointer, text: Pointer, bytes: number): void;

  sqlite3_value_type(value: Pointer): number;
  sqlite3_value_double(value: Pointer): number;
  sqlite3_value_int64(value: Pointer): bigint;
  sqlite3_value_text(value: Pointer): Pointer;
  sqlite3_value_blob(value: Pointer): Pointer;
  sqlite3_value_bytes(value: Pointer): number;
}

/** Primary result codes (sqlite.org/rescode.html) that mean something to us. */
export const Result = {
  busy: 5, locked: 6, noMemory: 7, readOnly: 8, interrupt: 9, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14,
  tooBig: 18, constraint: 19, auth: 23, range: 25, notADatabase: 26, row: 100, done: 101,
} as const; // prettier-ignore

/** Operations of the preupdate hook, and of the authorizer. */
export const Operation = { delete: 9, insert: 18, update: 23 } as const;

/** `sqlite3_column_type`. */
export const ColumnType = { integer: 1, float: 2, text: 3, blob: 4, null: 5 } as const;

/** `sqlite3_db_config` (sqlite.org/c3ref/c_dbconfig_defensive.html). */
export const DbConfig = {
  foreignKeys: 1002,
  triggers: 1003,
  defensive: 1010,
  trustedSchema: 1017,
  doubleQuotedStrings: 1013,
} as const;

/** `sqlite3_limit` (sqlite.org/c3ref/c_limit_attached.html). */
export const Limit = {
  vdbeOperations: 5,
  schemaObjects: 13,
} as const;

export const OpenFlag = {
  readWrite: 0x2,
  create: 0x4,
  mainDatabase: 0x100,
  mainJournal: 0x800,
  wal: 0x80000,
  extendedResults: 0x2000000,
} as const;
