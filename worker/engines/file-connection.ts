// Common base of the connections of the engines that open files: small reads, settings, and what follows each statement.
import type { Durability } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import { blameObject } from './blamed-object.ts';
import { closedError } from './engine-errors.ts';
import type { Connection } from './engine.ts';
import { GuardedSwitches } from './guarded-switches.ts';
import { SmallReads } from './small-reads.ts';
import { HeavyGuard } from './heavy-guard.ts';
import type { RecordOptions } from './row-log/recording.ts';
import type { RowLog } from './row-log/row-log.ts';
import { assertNoTransaction } from './transaction.ts';
import type { TransactionChanges } from './transaction-changes.ts';
import { MEMORY_BUDGET, type CacheBudget, type CacheShare } from './memory-budget.ts';

/** Watches what statements change. */
interface Watch {
  readonly rollbacks: number;
  readonly openLog: RowLog | null;
  /** The open transaction must not be committed. */
  readonly isRefused: boolean;
  record(options: RecordOptions | null): void;
  /** True once after the schema may have changed. */
  takeSchemaTouched(): boolean;
  takeCommitted(): TransactionChanges | null;
}

export abstract class FileConnection extends SmallReads implements Partial<Connection> {
  abstract readonly isOpen: boolean;
  abstract readonly autocommit: boolean;
  abstract readonly settings: ConnectionSettings;
  protected abstract readonly watch: Watch;
  protected readonly switches = new GuardedSwitches();
  readonly heavyGuard = new HeavyGuard((sql) => this.all(sql));
  #isExplaining = false;
  protected commitListener: ((changes: TransactionChanges) => void) | null = null;

  run(sql: string, params: readonly Value[] = []): number {
    return this.explaining(sql, () => this.runOnce(sql, params));
  }

  moveSchemaRows(statements: readonly string[]): void {
    this.heavyGuard.whileMoving(() => {
      this.run('PRAGMA writable_schema = ON');
      try {
        for (const sql of statements) this.run(sql);
      } finally {
        this.run('PRAGMA writable_schema = OFF');
      }
    });
  }

  protected abstract runOnce(sql: string, params: readonly Value[]): number;
  /** Call when what is known of the statements comes from an older schema. */
  protected abstract forgetSchema(): void;

  get rollbacks(): number {
    return this.watch.rollbacks;
  }

  setDurability(durability: Durability): void {
    this.assertOpen();
    this.settings.setDurability(durability);
  }

  useCache(isUsed: boolean): void {
    this.assertOpen();
    this.settings.useCache(isUsed);
  }

  passCache(isPassed: boolean): void {
    this.assertOpen();
    this.settings.passCache(isPassed);
  }

  record(options: RecordOptions | null): void {
    this.watch.record(options);
  }

  get openLog(): RowLog | null {
    return this.watch.openLog;
  }

  beginWithoutForeignKeys(): void {
    this.assertReady();
    assertNoTransaction(this.autocommit);
    const isOn = (): boolean => this.one('PRAGMA foreign_keys')?.[0] === 1;
    // SQLite ignores the PRAGMA inside a transaction, so it runs before.
    const turn = (on: boolean): void => {
      this.run(`PRAGMA foreign_keys = ${on ? 'ON' : 'OFF'}`);
      if (isOn() !== on) throw new Error('Foreign keys did not change.');
    };
    const before = isOn();
    this.switches.holdOff({ set: () => turn(false), restore: () => turn(before) }, () => this.run('BEGIN IMMEDIATE'));
  }

  /** A statement is reset: commits may be published now. */
  settled(): void {
    if (this.watch.takeSchemaTouched()) this.forgetSchema();
    this.settings.settled();
    if (this.switches.isHeld && this.autocommit) this.switches.release();
    if (this.watch.isRefused && !this.autocommit) this.run('ROLLBACK');
    const changes = this.watch.takeCommitted();
    if (changes !== null) this.publish(changes);
  }

  override one(sql: string, params: readonly Value[] = []): readonly Value[] | null {
    this.heavyGuard.assertLightNames(sql, params);
    return super.one(sql, params);
  }

  override all(sql: string, params: readonly Value[] = []): readonly (readonly Value[])[] {
    this.heavyGuard.assertLightNames(sql, params);
    return super.all(sql, params);
  }

  protected override explaining<T>(sql: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      // Reads of the explanation that fail are not explained.
      if (this.#isExplaining || !this.isOpen) throw error;
      this.#isExplaining = true;
      try {
        throw blameObject(this, error, sql);
      } finally {
        this.#isExplaining = false;
      }
    }
  }

  protected publish(changes: TransactionChanges): void {
    this.commitListener?.(changes);
  }

  protected assertOpen(): void {
    if (!this.isOpen) throw closedError();
  }

  /** Call before any SQL runs. */
  protected assertReady(): void {
    this.assertOpen();
    this.switches.assertOn();
  }
}

/** How the connection runs PRAGMAs. */
interface Pragmas {
  readonly autocommit: () => boolean;
  readonly set: (pragma: string) => void;
  /** Ignores errors: only memory is at stake, and they would surface in a call that only happened to make this necessary. */
  readonly setQuietly: (pragma: string) => void;
}

export class ConnectionSettings {
  readonly #pragmas: Pragmas;
  #cacheShare: CacheShare | null = null;
  /** Set once the open transaction has ended. */
  #pendingDurability: Durability | null = null;

  constructor(pragmas: Pragmas) {
    this.#pragmas = pragmas;
  }

  /** Call once the connection is set up: from then on its page cache is part of the budget. */
  shareCache(budget: CacheBudget, mostBytes: number): void {
    this.#cacheShare = budget.join(mostBytes, (bytes) =>
      this.#pragmas.setQuietly(`main.cache_size = -${Math.ceil(bytes / 1024)}`),
    );
  }

  /** See {@link Connection.useCache}. */
  useCache(isUsed: boolean): void {
    this.#cacheShare?.use(isUsed);
    // Frees all but the pages that a half-read statement uses (sqlite.org/pragma.html#pragma_shrink_memory).
    if (!isUsed) this.#pragmas.setQuietly('shrink_memory');
  }

  /** See {@link Connection.passCache}. */
  passCache(isPassed: boolean): void {
    this.#cacheShare?.limit(isPassed ? MEMORY_BUDGET.passingCache : Infinity);
  }

  setDurability(durability: Durability): void {
    this.#pendingDurability = durability;
    this.settled();
  }

  /** Call after each statement: SQLite refuses a change of durability inside a transaction. */
  settled(): void {
    const durability = this.#pendingDurability;
    if (durability === null || !this.#pragmas.autocommit()) return;
    this.#pendingDurability = null;
    this.#pragmas.set(`main.synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  }

  /** Call when the connection is closed. */
  end(): void {
    this.#cacheShare?.leave();
  }
}
