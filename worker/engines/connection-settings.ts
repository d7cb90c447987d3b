// Settings of a connection besides its SQL: its part of the page caches, and how durable its commits are.
import type { Durability } from '#shared/protocol/library.ts';
import { MEMORY_BUDGET } from './memory-budget.ts';
import type { CacheBudget, CacheShare } from './memory-budget.ts';

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
