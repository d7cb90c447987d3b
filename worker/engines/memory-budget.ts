// How much memory all databases may use together, and how much of it each connection gets for its page cache.

const MB = 2 ** 20;

/** `sessions/MEMORY.md` describes the use of the remaining memory. */
export const MEMORY_BUDGET = {
  /** Page caches of all connections of an engine together. */
  pageCaches: 256 * MB,
  /** Maximum for one database. */
  pageCache: 64 * MB,
  /** Cache for the side file with the steps of one database. */
  historyCache: 2 * MB,
  /** Cache for a database that is not in use: what a small request needs. */
  unusedCache: 0.5 * MB,
  /** Cache for a file of tables that is read before it is imported: most of its pages are written once, and copied once. */
  transferCache: 24 * MB,
  /** Cache for work that comes back to no page it has written, or only to the last ones. */
  passingCache: 4 * MB,
  /** Rows of all results in memory; beyond this they go to temporary files. */
  results: 256 * MB,
} as const;

/** A connection's part of the budget. */
export interface CacheShare {
  /** Whether the database is in use. If not, its cache is given back. */
  use(isUsed: boolean): void;
  /** Sets the most that the cache may be, until the next call. */
  limit(bytes: number): void;
  /** Call when the connection is closed. */
  leave(): void;
}

interface Member {
  readonly mostBytes: number;
  /** Takes effect at once: frees memory beyond the limit. */
  readonly limit: (bytes: number) => void;
  isUsed: boolean;
  limitBytes: number;
  bytes: number;
}

/** Divides {@link MEMORY_BUDGET.pageCaches}: connections that want less than an equal share get that, the others share the rest equally. */
export class CacheBudget {
  readonly #totalBytes: number;
  readonly #members = new Set<Member>();

  constructor(totalBytes: number = MEMORY_BUDGET.pageCaches) {
    this.#totalBytes = totalBytes;
  }

  /** @param limit called at once, and whenever the share changes */
  join(mostBytes: number, limit: (bytes: number) => void): CacheShare {
    const member: Member = { mostBytes, limit, isUsed: true, limitBytes: Infinity, bytes: 0 };
    this.#members.add(member);
    this.#divide();
    return {
      use: (isUsed) => {
        if (member.isUsed === isUsed) return;
        member.isUsed = isUsed;
        this.#divide();
      },
      limit: (limitBytes) => {
        if (member.limitBytes === limitBytes) return;
        member.limitBytes = limitBytes;
        this.#divide();
      },
      leave: () => {
        if (this.#members.delete(member)) this.#divide();
      },
    };
  }

  #divide(): void {
    const wanted = (member: Member): number =>
      Math.min(member.mostBytes, member.limitBytes, member.isUsed ? Infinity : MEMORY_BUDGET.unusedCache);
    const members = [...this.#members].sort((a, b) => wanted(a) - wanted(b));
    let left = this.#totalBytes;
    const shares = members.map((member, index) => {
      const bytes = Math.min(wanted(member), Math.floor(left / (members.length - index)));
      left -= bytes;
      return { member, bytes };
    });
    // Shrinking shares come first, so that the sum never exceeds the budget.
    shares.sort((a, b) => a.bytes - a.member.bytes - (b.bytes - b.member.bytes));
    for (const { member, bytes } of shares) {
      if (member.bytes === bytes) continue;
      member.bytes = bytes;
      member.limit(bytes);
    }
  }
}
