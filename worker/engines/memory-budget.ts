// How much memory databases may take together, and who may have how much of it for pages of its file.

const MB = 2 ** 20;

/** ARCHITECTURE.md says what the rest of the memory is for. */
export const MEMORY_BUDGET = {
  /** Page caches of all connections of an engine together. */
  pageCaches: 256 * MB,
  /** Of one database, at most. */
  pageCache: 64 * MB,
  /** For the side file with the steps of one database. */
  historyCache: 2 * MB,
  /** For a database that is not in use: what a small request needs. */
  unusedCache: 0.5 * MB,
  /** Rows of all results that are kept in memory; past it they go into temporary files. */
  results: 256 * MB,
} as const;

/** A connection's part of the budget. */
export interface CacheShare {
  /** Whether the database is in use. If not, its cache is given back. */
  use(isUsed: boolean): void;
  /** The connection is closed. */
  leave(): void;
}

interface Member {
  readonly mostBytes: number;
  /** At once: what is over it is freed. */
  readonly limit: (bytes: number) => void;
  isUsed: boolean;
  bytes: number;
}

/** Divides {@link MEMORY_BUDGET.pageCaches}: who wants little gets that, the others share the rest equally. */
export class CacheBudget {
  readonly #totalBytes: number;
  readonly #members = new Set<Member>();

  constructor(totalBytes: number = MEMORY_BUDGET.pageCaches) {
    this.#totalBytes = totalBytes;
  }

  /** @param limit called at once, and whenever the share is another */
  join(mostBytes: number, limit: (bytes: number) => void): CacheShare {
    const member: Member = { mostBytes, limit, isUsed: true, bytes: 0 };
    this.#members.add(member);
    this.#divide();
    return {
      use: (isUsed) => {
        if (member.isUsed === isUsed) return;
        member.isUsed = isUsed;
        this.#divide();
      },
      leave: () => {
        if (this.#members.delete(member)) this.#divide();
      },
    };
  }

  #divide(): void {
    const wanted = (member: Member): number =>
      member.isUsed ? member.mostBytes : Math.min(member.mostBytes, MEMORY_BUDGET.unusedCache);
    const members = [...this.#members].sort((a, b) => wanted(a) - wanted(b));
    let left = this.#totalBytes;
    const shares = members.map((member, index) => {
      const bytes = Math.min(wanted(member), Math.floor(left / (members.length - index)));
      left -= bytes;
      return { member, bytes };
    });
    // Those that get less come first: at no moment is it more than the budget.
    shares.sort((a, b) => a.bytes - a.member.bytes - (b.bytes - b.member.bytes));
    for (const { member, bytes } of shares) {
      if (member.bytes === bytes) continue;
      member.bytes = bytes;
      member.limit(bytes);
    }
  }
}
