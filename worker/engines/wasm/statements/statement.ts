// One prepared statement: binding, stepping, and what is left behind when it ends or fails.
import type { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Control, ScriptStatement, TableRead } from '../../engine.ts';
import { closedError } from '../../closed-error.ts';
import type { StatementFacts } from './statement-facts.ts';
import { bindLiterals } from './bind-literals.ts';
import { Parameters } from './bind.ts';
import type { RollbackPoint } from '../../transaction-facts.ts';
import type { Literals } from '../../repeated/literals.ts';
import type { Sqlite } from '../runtime/load.ts';
import { Result } from '../runtime/raw.ts';
import type { Pointer } from '../runtime/raw.ts';
import { packRow, readValue } from './row.ts';

/** Counters of `sqlite3_stmt_status`: steps of full scans (SQLITE_STMTSTATUS_FULLSCAN_STEP); place 0, which has no name, counts all other steps. */
const VISITS = [0, 1] as const;
/** Rows between two looks at the clock. */
const CLOCK_ROWS = 16;

/** The part of its connection that a statement needs. */
export interface StatementOwner {
  readonly sqlite: Sqlite;
  /** 0 once the connection is closed. */
  readonly db: Pointer;
  /** Every statement that is not destroyed yet: closing does that. The newest last: those of scripts come and go. */
  readonly live: WasmStatement[];
  /** Call before the first step of a statement that may write. Returns the state at that moment. */
  begin(facts: StatementFacts): Before;
  succeeded(facts: StatementFacts, before: Before | null): void;
  /** Undoes what the failed statement noted; the error is for throwing after {@link settled}. */
  failed(code: number, before: Before | null, statement: Pointer): AppError;
  /** A statement that has done all it does must not stay done: why. Its transaction is rolled back by {@link settled}. */
  refused(): AppError | null;
  /** The statement is reset: commits may be published now. */
  settled(): void;
  release(statement: WasmStatement): void;
}

export interface Before {
  readonly autocommit: boolean;
  readonly totalChanges: number;
  readonly mark: RollbackPoint;
  /** The statement writes to virtual tables, itself or by triggers. */
  readonly writesVirtual: boolean;
}

export class WasmStatement implements ScriptStatement {
  /** Position in the script that has it now. */
  from = 0;
  to = 0;
  readonly columnCount: number;
  readonly readonly: boolean;
  readonly parameterCount: number;
  readonly facts: StatementFacts;
  readonly #owner: StatementOwner;
  readonly #pointer: Pointer;
  readonly #parameters: Parameters;
  #columns: readonly ResultColumn[] | null = null;
  #state: 'ready' | 'running' | 'done' | 'finalized' = 'ready';
  #before: Before | null = null;

  constructor(owner: StatementOwner, pointer: Pointer, facts: StatementFacts) {
    const { raw } = owner.sqlite;
    this.#owner = owner;
    this.#pointer = pointer;
    this.facts = facts;
    this.#parameters = new Parameters(owner.sqlite, pointer);
    this.columnCount = raw.sqlite3_column_count(pointer);
    this.readonly = raw.sqlite3_stmt_readonly(pointer) !== 0;
    this.parameterCount = raw.sqlite3_bind_parameter_count(pointer);
    owner.live.push(this);
  }

  get columns(): readonly ResultColumn[] {
    this.#columns ??= Array.from({ length: this.columnCount }, (_, index) => this.#describe(index));
    return this.#columns;
  }

  get control(): Control | null {
    return this.facts.control;
  }

  get readTables(): readonly string[] {
    return this.facts.reads.map(({ table }) => table);
  }

  get reads(): readonly TableRead[] {
    return this.facts.reads;
  }

  bind(params: readonly Value[]): void {
    this.#assertOpen();
    if (this.#state !== 'ready') this.reset();
    if (params.length < this.parameterCount) this.#owner.sqlite.raw.sqlite3_clear_bindings(this.#pointer);
    const code = this.#parameters.bind(params);
    if (code !== 0) throw this.#owner.failed(code, null, this.#pointer);
  }

  /** Binds literals of a text that must not move until this is reset. Returns whether SQLite accepts them. */
  bindLiterals(literals: Literals): boolean {
    return bindLiterals(this.#owner.sqlite, this.#pointer, literals) === 0;
  }

  /** Used by a caller that keeps the values in place until the statement is reset. `bind` returns SQLite's result code. */
  bindRecord(bind: (statement: Pointer) => number): void {
    this.#assertOpen();
    if (this.#state !== 'ready') this.reset();
    const code = bind(this.#pointer);
    if (code !== 0) throw this.#owner.failed(code, null, this.#pointer);
  }

  /** The values that are bound are no longer where they were. */
  forgetValues(): void {
    this.#owner.sqlite.raw.sqlite3_clear_bindings(this.#pointer);
  }

  step(): boolean {
    if (this.#state === 'done') return false;
    this.#assertOpen();
    if (this.#state === 'ready') {
      // Transaction control counts as read-only, so it is never undone here: SQLite does that itself.
      this.#before = this.readonly ? null : this.#owner.begin(this.facts);
      this.#state = 'running';
    }
    const code = this.#owner.sqlite.raw.sqlite3_step(this.#pointer);
    if (code === Result.row) return true;
    this.#end(code);
    return false;
  }

  get writtenTables(): readonly string[] {
    return this.facts.writtenTables;
  }

  get rowsVisited(): number {
    const { raw } = this.#owner.sqlite;
    return VISITS.reduce<number>((sum, counter) => sum + raw.sqlite3_stmt_status(this.#pointer, counter, 0), 0);
  }

  value(column: number): Value {
    return readValue(this.#owner.sqlite, this.#pointer, column);
  }

  pack(writer: PackedRowsWriter, limits: { maxRows: number; maxBytes?: number; deadlineMs?: number }): boolean {
    const { sqlite } = this.#owner;
    const maxBytes = limits.maxBytes ?? Infinity;
    const deadlineMs = limits.deadlineMs ?? Infinity;
    for (let row = 1; row <= limits.maxRows; row++) {
      if (!this.step()) return false;
      packRow(sqlite, this.#pointer, this.columnCount, writer);
      if (writer.sizeBytes >= maxBytes) return true;
      if (row % CLOCK_ROWS === 0 && deadlineMs !== Infinity && performance.now() >= deadlineMs) return true;
    }
    return true;
  }

  reset(): void {
    if (this.#state === 'running' && this.#owner.db !== 0) {
      // Ends a half-read INSERT … RETURNING: its rows are in, its commit happens now and can still fail.
      const code = this.#owner.sqlite.raw.sqlite3_reset(this.#pointer);
      const error =
        code === 0 || this.readonly ? this.#owner.refused() : this.#owner.failed(code, this.#before, this.#pointer);
      this.#settle(error);
    }
    if (this.#state !== 'finalized') this.#state = 'ready';
  }

  finalize(): void {
    if (this.#state === 'finalized') return;
    try {
      this.reset();
    } finally {
      this.#state = 'finalized';
      this.#owner.release(this);
    }
  }

  /** Called by the statement cache: puts it back in use after {@link finalize}. */
  revive(): void {
    const { raw } = this.#owner.sqlite;
    this.#state = 'ready';
    raw.sqlite3_clear_bindings(this.#pointer);
    for (const counter of VISITS) raw.sqlite3_stmt_status(this.#pointer, counter, 1);
  }

  /** Called by the owner: really ends it. */
  destroy(): void {
    const { live } = this.#owner;
    if (live[live.length - 1] === this) live.pop();
    else live.splice(live.lastIndexOf(this), 1);
    this.#owner.sqlite.raw.sqlite3_finalize(this.#pointer);
    this.#parameters.free();
  }

  #end(code: number): void {
    const error = code === Result.done ? this.#owner.refused() : this.#owner.failed(code, this.#before, this.#pointer);
    // Reset at once, not with the next bind: a statement that is done must not hold its locks.
    this.#owner.sqlite.raw.sqlite3_reset(this.#pointer);
    this.#state = 'done';
    this.#settle(error);
  }

  #settle(error: AppError | null): void {
    this.#parameters.release();
    if (error === null) this.#owner.succeeded(this.facts, this.#before);
    else this.#state = 'ready';
    this.#owner.settled();
    if (error !== null) throw error;
  }

  #assertOpen(): void {
    if (this.#state !== 'finalized' && this.#owner.db !== 0) return;
    throw closedError();
  }

  #describe(index: number): ResultColumn {
    const { raw, heap } = this.#owner.sqlite;
    const table = raw.sqlite3_column_table_name(this.#pointer, index);
    const isMain = heap.text(raw.sqlite3_column_database_name(this.#pointer, index)) === 'main';
    return {
      name: heap.text(raw.sqlite3_column_name(this.#pointer, index)),
      declaredType: heap.text(raw.sqlite3_column_decltype(this.#pointer, index)),
      origin: isMain
        ? { table: heap.text(table), column: heap.text(raw.sqlite3_column_origin_name(this.#pointer, index)) }
        : null,
    };
  }
}
