// A connection that is closed while it is not used and reopened by the next call, transparently for its holder.
import { AppError } from '#shared/protocol/errors.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { Connection, LoadedExtension, Script, ScriptParameters } from '../engines/engine.ts';
import type { StandInState } from '#shared/stand-ins.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import { closedError } from '../engines/engine-errors.ts';
import type { RowLog } from '../engines/row-log/row-log.ts';

/** Counters that start at 0 each time a connection is opened. */
interface Counted {
  readonly totalChanges: number;
  readonly rollbacks: number;
  readonly dataVersion: number;
}

/** Facts that stay known about the file while it is closed. */
interface Left extends Counted {
  readonly commitMark: string;
  readonly fileSizeBytes: number;
}

/** Calls that reopen the connection and are otherwise its own. */
const FORWARDED = [
  'prepare', 'check', 'run', 'one', 'all', 'scan', 'readBeside', 'insertRecords', 'beginWithoutForeignKeys', 'replay', 'copyCommitted',
  'restoreFrom', 'readFile', 'copyPages', 'passCache', 'writeTogether', 'runInTransaction', 'openNear', 'refreshSchema', 'commitInPieces',
  'isSameCommit', 'attach', 'detach',
] as const satisfies readonly (keyof Connection)[]; // prettier-ignore

const NOTHING: Counted = { totalChanges: 0, rollbacks: 0, dataVersion: 0 };

/** Declares the members that the constructor of {@link RestingConnection} defines. */
const Forwarding = class {} as new () => Pick<Connection, (typeof FORWARDED)[number]>;

/**
 * While it rests, properties return their values from when it was closed; calls reopen it and throw what opening throws. State of the
 * connection that is not in the file is kept: handlers, durability, recording, counters. Results of SQL functions about earlier statements
 * are not (`last_insert_rowid()`, `changes()`, `total_changes()`).
 */
export class RestingConnection extends Forwarding implements Connection {
  readonly location: string;
  readonly isMetered?: true;
  readonly whyNotRestored?: string;
  readonly #open: (isStopped: () => boolean) => Connection;
  readonly #reopened: (changed: boolean) => void;
  #inner: Connection | null;
  /** As they were when it was opened last. */
  #standIns: readonly StandInState[];
  #isClosed = false;
  #left: Left;
  /** Added to the counters of the open connection. */
  #before: Counted = NOTHING;
  #durability: Durability | null = null;
  #refusesWrites = false;
  #isUsed = true;
  #progressHandler: Parameters<Connection['onProgress']>[0] = null;
  #commitListener: Parameters<Connection['onCommit']>[0] = null;
  #recording: Parameters<Connection['record']>[0] = null;
  /** The settings before SQL ran that may have changed some; null when none did. */
  #settingsBefore: string | null = null;

  /**
   * @param open called at once, and after each rest; its argument tells whether the work that needs it should end
   * @param reopened called after each rest; `changed`: the committed state is not the one from before
   * @throws what `open` throws
   */
  constructor(open: (isStopped: () => boolean) => Connection, reopened: (changed: boolean) => void = () => undefined) {
    super();
    this.#open = open;
    this.#reopened = reopened;
    this.#inner = open(() => false);
    this.#standIns = this.#inner.standIns ?? [];
    this.location = this.#inner.location;
    if (this.#inner.isMetered) this.isMetered = true;
    if (this.#inner.whyNotRestored !== undefined) this.whyNotRestored = this.#inner.whyNotRestored;
    for (const name of FORWARDED) {
      // A feature that the engine does not have: whoever works with the connection checks for it.
      if (this.#inner[name] === undefined) continue;
      const call = (...args: unknown[]): unknown => {
        const inner = this.#awake();
        return (inner[name] as (...args: unknown[]) => unknown).apply(inner, args);
      };
      Object.assign(this, { [name]: call });
    }
    this.#left = { ...NOTHING, commitMark: '', fileSizeBytes: 0 };
  }

  get isResting(): boolean {
    return this.#inner === null;
  }

  /**
   * Closes it until its next use, with everything committed in its file. No statement may be half read. Returns false when it has to stay
   * open because of a transaction, TEMP tables, changed settings, or another program that keeps the WAL.
   */
  rest(): boolean {
    const inner = this.#inner;
    if (inner === null) return true;
    try {
      if (!inner.autocommit || (this.#settingsBefore !== null && settingsOf(inner) !== this.#settingsBefore))
        return false;
      inner.checkpoint();
      this.#left = this.#counted(inner, {
        commitMark: inner.commitMark,
        fileSizeBytes: inner.fileSizeBytes,
      });
    } catch {
      return false;
    }
    this.#inner = null;
    this.#settingsBefore = null;
    inner.close();
    return true;
  }

  script(sql: string, parameters?: ScriptParameters): Script {
    const inner = this.#awake();
    if (this.#settingsBefore === null && inner.forgetsSettings !== true && mayConfigure(sql))
      this.#settingsBefore = settingsOf(inner);
    return inner.script(sql, parameters);
  }

  get autocommit(): boolean {
    return this.#inner?.autocommit ?? true;
  }

  get totalChanges(): number {
    return this.#inner === null ? this.#left.totalChanges : this.#before.totalChanges + this.#inner.totalChanges;
  }

  get rollbacks(): number {
    return this.#inner === null ? this.#left.rollbacks : this.#before.rollbacks + this.#inner.rollbacks;
  }

  get lastInsertRowid(): number | bigint {
    return this.#awake().lastInsertRowid;
  }

  setDurability(durability: Durability): void {
    this.#durability = durability;
    this.#inner?.setDurability(durability);
  }

  refuseWrites(refuses: boolean): void {
    if (this.#refusesWrites === refuses) return;
    this.#refusesWrites = refuses;
    const inner = this.#inner;
    const isAsBefore = inner !== null && this.#settingsBefore !== null && settingsOf(inner) === this.#settingsBefore;
    inner?.refuseWrites?.(refuses);
    if (isAsBefore) this.#settingsBefore = settingsOf(inner);
  }

  useCache(isUsed: boolean): void {
    if (this.#isUsed === isUsed) return;
    this.#isUsed = isUsed;
    this.#inner?.useCache(isUsed);
  }

  get memoryBytes(): number | null {
    return this.#inner === null ? 0 : this.#inner.memoryBytes;
  }

  onProgress(handler: (() => boolean) | null): void {
    this.#progressHandler = handler;
    this.#inner?.onProgress(handler);
  }

  onCommit(listener: ((changes: TransactionChanges) => void) | null): void {
    this.#commitListener = listener;
    this.#inner?.onCommit(listener);
  }

  record(options: Parameters<Connection['record']>[0]): void {
    this.#recording = options;
    this.#inner?.record(options);
  }

  get openLog(): RowLog | null {
    return this.#inner?.openLog ?? null;
  }

  get commitMark(): string {
    return this.#inner === null ? this.#left.commitMark : this.#inner.commitMark;
  }

  get dataVersion(): number {
    return this.#inner === null ? this.#left.dataVersion : this.#before.dataVersion + this.#inner.dataVersion;
  }

  /** Also covers a file that is locked so that it cannot even be opened. */
  lockedBy(work: 'read' | 'write'): string | null {
    try {
      return this.#awake().lockedBy?.(work) ?? null;
    } catch (error) {
      if (this.#inner === null && error instanceof AppError && error.code === 'locked') return '';
      throw error;
    }
  }

  lockHolders(): string | null {
    return this.#inner?.lockHolders?.() ?? null;
  }

  /** Why a file in place is read-only. */
  get whyReadOnly(): string | null {
    return (this.#inner as { readonly whyReadOnly?: string | null } | null)?.whyReadOnly ?? null;
  }

  get attached(): readonly string[] {
    return this.#awake().attached ?? [];
  }

  get extensions(): readonly LoadedExtension[] {
    return this.#awake().extensions ?? [];
  }

  get standIns(): readonly StandInState[] {
    return this.#standIns;
  }

  checkpoint(): void {
    // While it rests there is nothing to do: closing it was a checkpoint.
    this.#inner?.checkpoint();
  }

  get fileSizeBytes(): number {
    return this.#inner === null ? this.#left.fileSizeBytes : this.#inner.fileSizeBytes;
  }

  close(): void {
    const inner = this.#inner;
    this.#inner = null;
    this.#isClosed = true;
    inner?.close();
  }

  #awake(): Connection {
    if (this.#inner !== null) return this.#inner;
    if (this.#isClosed) throw closedError();
    const inner = this.#open(() => this.#progressHandler?.() ?? false);
    let changed: boolean;
    try {
      // Read before the mark, so that later commits are noticed as on any open connection.
      const { totalChanges, rollbacks, dataVersion } = this.#counted(inner, {});
      changed = inner.commitMark !== this.#left.commitMark;
      this.#before = {
        totalChanges: this.#left.totalChanges - totalChanges,
        rollbacks: this.#left.rollbacks - rollbacks,
        dataVersion: this.#left.dataVersion - dataVersion + (changed ? 1 : 0),
      };
      this.#equip(inner);
    } catch (error) {
      inner.close();
      throw error;
    }
    this.#inner = inner;
    this.#standIns = inner.standIns ?? [];
    this.#reopened(changed);
    return inner;
  }

  #counted<T extends object>({ totalChanges, rollbacks, dataVersion }: Connection, more: T): Counted & T {
    // While it is being reopened, the connection counts by itself.
    const before = this.#inner === null ? NOTHING : this.#before;
    return {
      totalChanges: before.totalChanges + totalChanges,
      rollbacks: before.rollbacks + rollbacks,
      dataVersion: before.dataVersion + dataVersion,
      ...more,
    };
  }

  #equip(inner: Connection): void {
    if (this.#durability !== null) inner.setDurability(this.#durability);
    if (this.#refusesWrites) inner.refuseWrites?.(true);
    if (!this.#isUsed) inner.useCache(false);
    inner.onProgress(this.#progressHandler);
    inner.onCommit(this.#commitListener);
    inner.record(this.#recording);
  }
}

// Settings and TEMP tables that the user's SQL can change in a connection and not in the file. They are lost when the connection closes.

/**
 * The settings that SQLite keeps per connection (sqlite.org/pragma.html), except `cache_size`, which Sidelite distributes, and
 * `cache_spill`, which follows it.
 */
const SETTINGS = [
  'analysis_limit', 'automatic_index', 'busy_timeout', 'cell_size_check', 'checkpoint_fullfsync', 'count_changes',
  'defer_foreign_keys', 'empty_result_callbacks', 'foreign_keys', 'full_column_names', 'fullfsync',
  'ignore_check_constraints', 'journal_mode', 'journal_size_limit', 'legacy_alter_table', 'locking_mode',
  'max_page_count', 'query_only', 'read_uncommitted', 'recursive_triggers', 'reverse_unordered_selects',
  'secure_delete', 'short_column_names', 'synchronous', 'temp_store', 'threads', 'trusted_schema',
  'wal_autocheckpoint', 'writable_schema',
]; // prettier-ignore

/** `case_sensitive_like` cannot be queried. Names of Sidelite's own TEMP objects begin with `sidelite`. */
const OTHERS = `SELECT 'a' LIKE 'A',
  (SELECT group_concat(type || ' ' || name) FROM temp.sqlite_schema WHERE name NOT LIKE 'sidelite%')`;

/** Whether the SQL may make a setting or a TEMP object. May return true without need, never false when it does. */
const mayConfigure = (sql: string): boolean => /\bpragma\b|\btemp/i.test(sql);

/** Two results are equal exactly when nothing has changed in between. */
function settingsOf(connection: Connection): string {
  const values = SETTINGS.map((name) => connection.one(`PRAGMA ${name}`)?.[0] ?? null);
  return JSON.stringify([values, connection.one(OTHERS)], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
