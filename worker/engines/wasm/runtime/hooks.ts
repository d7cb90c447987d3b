// The functions SQLite calls back, installed in the wasm function table once for all connections.
import type { StandInState } from '#shared/stand-ins.ts';
import type { PreparedStandIn } from '../../stand-ins/define.ts';
import { StandInFunctions, type StandInTarget } from '../statements/stand-in-functions.ts';
import { TextFunctions } from '../statements/text-functions.ts';
import type { Sqlite } from './load.ts';
import type { Pointer } from './raw.ts';

/** Callbacks of one connection. None of them may run statements (sqlite.org/c3ref/commit_hook.html). */
export interface HookTarget {
  /** Called for a row that is about to change; its values can be asked for while this runs. An insert has one key, twice. */
  row(operation: number, schema: Pointer, table: Pointer, oldRowid: bigint, newRowid: bigint): void;
  /** False makes it a rollback. */
  commit(): boolean;
  rollback(): void;
  authorize(action: number, first: Pointer, second: Pointer, schema: Pointer): number;
  /** True stops the running statement. */
  progress(): boolean;
}

const PROGRESS_OPERATIONS = 1_000;

export class Hooks {
  readonly #sqlite: Sqlite;
  readonly #targets = new Map<Pointer, HookTarget>();
  readonly #row: Pointer;
  readonly #commit: Pointer;
  readonly #rollback: Pointer;
  readonly #authorize: Pointer;
  readonly #progress: Pointer;
  readonly #functions: TextFunctions;
  readonly #isStopped: (db: Pointer) => boolean;
  #standIns: StandInFunctions | null = null;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    const target = (db: Pointer): HookTarget => this.#targets.get(db)!;
    this.#row = sqlite.install(
      'vppippjj',
      (
        context: Pointer,
        _db: Pointer,
        operation: number,
        schema: Pointer,
        table: Pointer,
        oldRowid: bigint,
        newRowid: bigint,
      ) => target(context).row(operation, schema, table, oldRowid, newRowid),
    );
    this.#commit = sqlite.install('ip', (context: Pointer) => (target(context).commit() ? 0 : 1));
    this.#rollback = sqlite.install('vp', (context: Pointer) => target(context).rollback());
    this.#authorize = sqlite.install(
      'ipipppp',
      (context: Pointer, action: number, first: Pointer, second: Pointer, schema: Pointer) =>
        target(context).authorize(action, first, second, schema),
    );
    this.#progress = sqlite.install('ip', (context: Pointer) => (target(context).progress() ? 1 : 0));
    this.#isStopped = (db) => target(db).progress();
    this.#functions = new TextFunctions(sqlite, this.#isStopped);
  }

  /**
   * Call before the first statement of a connection: a DELETE without WHERE prepared earlier would never report its rows. The plain update
   * hook is silent for it, for WITHOUT ROWID tables and for rows REPLACE removes; the preupdate hook is not.
   */
  attach(db: Pointer, target: HookTarget): void {
    const { raw } = this.#sqlite;
    this.#targets.set(db, target);
    raw.sqlite3_preupdate_hook(db, this.#row, db);
    raw.sqlite3_commit_hook(db, this.#commit, db);
    raw.sqlite3_rollback_hook(db, this.#rollback, db);
    raw.sqlite3_set_authorizer(db, this.#authorize, db);
    this.#functions.register(db);
  }

  /** Whether each row is reported. SQLite looks for this hook when a row is inserted, not when the statement is prepared. */
  watchRows(db: Pointer, on: boolean): void {
    this.#sqlite.raw.sqlite3_preupdate_hook(db, on ? this.#row : 0, db);
  }

  watchProgress(db: Pointer, on: boolean): void {
    this.#sqlite.raw.sqlite3_progress_handler(db, on ? PROGRESS_OPERATIONS : 0, on ? this.#progress : 0, db);
  }

  /** Returns what became of each. */
  define(connection: StandInTarget, standIns: readonly PreparedStandIn[]): readonly StandInState[] {
    this.#standIns ??= new StandInFunctions(this.#sqlite, this.#isStopped);
    return this.#standIns.define(connection, standIns);
  }

  /** Call after the connection is closed. */
  detach(db: Pointer): void {
    this.#standIns?.forget(db);
    this.#targets.delete(db);
  }
}
