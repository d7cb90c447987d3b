// Statements that the engine runs on its own behalf, bypassing everything that watches the statements of others.
import type { Database, PreparedStatement } from './load.ts';

/** Long enough for the short commits of another program; the thread can do nothing else in the meantime. */
export const BUSY_TIMEOUT_MS = 200;
/** While a lock is asked for, no new reader of a rollback journal gets in: otherwise readers that come and go could keep a write out forever. */
const ASKING_TIMEOUT_MS = 10;
/** `auto_vacuum`, where free pages stay in the file until they are asked for. */
const INCREMENTAL = 2;

export class Internals {
  readonly db: Database;
  /** Rows that are being read: better-sqlite3 refuses to write in the meantime, SQLite does not. */
  readonly reading: ReadonlySet<unknown>;
  readonly #totalChanges: PreparedStatement;
  readonly #changes: PreparedStatement;
  readonly #lastInsertRowid: PreparedStatement;
  readonly #schemaVersion: PreparedStatement;
  readonly #dataVersion: PreparedStatement;
  readonly #recursiveTriggers: PreparedStatement;
  readonly #locking: Readonly<
    Record<'impatient' | 'asking' | 'patient' | 'read' | 'lock' | 'unlock', PreparedStatement>
  >;
  /** Files are attached that are only read, so nothing may lock them for others. */
  locksMainOnly = false;
  #isUnsafe = false;
  /** SQLite's last answer, until something runs that may have changed it; asking takes as long as a part of a small statement. */
  #knownTransaction: boolean | null = null;
  #knownChanges: number | null = null;
  /** Rows that the last statement without columns changed itself. */
  #lastChanges = 0;

  constructor(db: Database, reading: ReadonlySet<unknown>) {
    this.db = db;
    this.reading = reading;
    this.#totalChanges = db.prepare('SELECT total_changes()').pluck(true);
    this.#changes = db.prepare('SELECT changes()').pluck(true);
    this.#lastInsertRowid = db.prepare('SELECT last_insert_rowid()').pluck(true).safeIntegers(true);
    this.#schemaVersion = db.prepare('PRAGMA main.schema_version').pluck(true);
    this.#dataVersion = db.prepare('PRAGMA main.data_version').pluck(true);
    this.#recursiveTriggers = db.prepare('PRAGMA recursive_triggers').pluck(true);
    this.#locking = {
      impatient: db.prepare('PRAGMA busy_timeout = 0'),
      asking: db.prepare(`PRAGMA busy_timeout = ${ASKING_TIMEOUT_MS}`),
      patient: db.prepare(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`),
      read: db.prepare('SELECT 1 FROM main.sqlite_schema LIMIT 1'),
      // Readers of a rollback journal are in the way of its commit: EXCLUSIVE, where IMMEDIATE would let the write begin.
      lock: db.prepare('BEGIN EXCLUSIVE'),
      unlock: db.prepare('COMMIT'),
    };
  }

  get inTransaction(): boolean {
    return (this.#knownTransaction ??= this.db.inTransaction);
  }

  get totalChanges(): number {
    // A statement that writes and returns rows makes further changes with each of them.
    if (this.reading.size > 0) return this.#totalChanges.get() as number;
    return (this.#knownChanges ??= this.#totalChanges.get() as number);
  }

  /** Something runs, or has failed, that may begin or end a transaction, or change rows. */
  forgetState(): void {
    this.#knownTransaction = this.#knownChanges = null;
  }

  /**
   * A statement has ended that changes rows and no transaction.
   * @param totalBefore null where others may have changed rows too, as triggers do
   */
  rowsChanged(inTransaction: boolean, totalBefore: number | null): void {
    this.#knownTransaction = inTransaction;
    this.#knownChanges = totalBefore === null ? null : totalBefore + this.#lastChanges;
  }

  /** Rows changed by the last statement itself, excluding what followed from it; 0 if it was rolled back. */
  get changes(): number {
    return this.#changes.get() as number;
  }

  get lastInsertRowid(): bigint {
    return this.#lastInsertRowid.get() as bigint;
  }

  /** Counts up with each change of the schema of `main`, by any connection. */
  get schemaVersion(): number {
    return this.#schemaVersion.get() as number;
  }

  /**
   * Changes after commits of other connections. @throws what better-sqlite3 throws, at once, while another connection has the file locked
   */
  get dataVersion(): number {
    const { impatient, patient } = this.#locking;
    impatient.get();
    try {
      return this.#dataVersion.get() as number;
    } finally {
      patient.get();
    }
  }

  get recursiveTriggers(): boolean {
    return this.#recursiveTriggers.get() === 1;
  }

  run(sql: string): void {
    this.execute(this.db.prepare(sql), []);
  }

  /**
   * Does not wait for locks, and ignores errors: they would surface in a call, usually on another connection, that only happened to make
   * this necessary.
   */
  setQuietly(pragma: string): void {
    const { impatient, patient } = this.#locking;
    impatient.get();
    try {
      this.run(`PRAGMA ${pragma}`);
    } catch {
      // Only memory use is affected.
    } finally {
      patient.get();
    }
  }

  /** Returns the rows the statement changed. */
  execute(prepared: PreparedStatement, args: readonly unknown[]): number {
    this.forgetState();
    if (this.reading.size === 0) this.#lastChanges = prepared.run(...args).changes;
    // Better-sqlite3 only lets us write beside a reader in a mode that is not defensive. What defensive mode forbids was already
    // refused when the statement was prepared.
    else this.#lastChanges = this.#withoutDefense(() => prepared.run(...args).changes);
    return this.#lastChanges;
  }

  /** Runs a statement that is not prepared, while nothing is being read. */
  executeText(sql: string): void {
    this.forgetState();
    this.db.exec(sql);
    this.#lastChanges = this.changes;
  }

  /** Whether another program keeps us from it at this moment. Not inside a transaction. */
  isLocked(work: 'read' | 'write'): boolean {
    const { asking, patient, read, lock, unlock } = this.#locking;
    asking.get();
    try {
      if (work === 'read') read.get();
      else {
        if (this.locksMainOnly) this.beginMain();
        else this.execute(lock, []);
        this.execute(unlock, []);
      }
      return false;
    } catch (error) {
      if (this.db.inTransaction) this.execute(unlock, []);
      // Whatever else is wrong the work itself will say.
      return String((error as { readonly code?: unknown }).code).startsWith('SQLITE_BUSY');
    } finally {
      patient.get();
    }
  }

  /**
   * BEGIN IMMEDIATE for `main` alone: SQLite's own locks attached files, too, and other programs could not write to them. To free a page of
   * a file that keeps none to be freed begins to write, and changes nothing.
   */
  beginMain(): void {
    if (this.setting('main.auto_vacuum') === INCREMENTAL) return this.run('BEGIN IMMEDIATE');
    this.run('BEGIN');
    try {
      this.run('PRAGMA main.incremental_vacuum(1)');
    } catch (error) {
      this.run('ROLLBACK');
      throw error;
    }
  }

  /** Statements that are not run, as those of EXPLAIN, are otherwise prepared with the schema as this connection knows it. */
  loadSchema(): void {
    this.#locking.read.get();
  }

  /** Names of the attached schemas by their number in SQLite's programs. */
  get attachedNames(): ReadonlyMap<number, string> {
    const rows = this.db.prepare('PRAGMA database_list').raw(true).all() as readonly (readonly [number, string])[];
    return new Map(rows.flatMap(([number, name]) => (number > 1 ? [[number, name]] : [])));
  }

  /** Defensive mode, which better-sqlite3 takes away together with its own caution. */
  defend(on: boolean): void {
    this.db.unsafeMode(!on);
    this.#isUnsafe = !on;
  }

  /** Value of a boolean PRAGMA, bypassing everything that watches statements. */
  setting(name: string): number {
    return Number(this.db.prepare(`PRAGMA ${name}`).pluck(true).get());
  }

  #withoutDefense<T>(body: () => T): T {
    if (this.#isUnsafe) return body();
    this.defend(false);
    try {
      return body();
    } finally {
      this.defend(true);
    }
  }
}
