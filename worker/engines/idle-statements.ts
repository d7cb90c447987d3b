// Prepared statements of one connection that are not in use at the moment, kept by their text.

/** Longer texts are hardly ever repeated. */
export const MAX_KEPT_TEXT = 8_192;

interface Statement {
  /** The statement is about to be reused. */
  revive(): void;
}

interface Last<T> {
  readonly statement: T;
  readonly sql: string;
  isIdle: boolean;
}

export class IdleStatements<T extends Statement> {
  readonly #most: number;
  readonly #drop: (statement: T) => void;
  /** The least recently used first, without {@link #last}. */
  readonly #idle = new Map<string, T>();
  /** The statement released last. In a script of similar statements it is used next, and found without a lookup in the maps. */
  #last: Last<T> | null = null;
  /** The statements in use that may return. */
  #texts = new WeakMap<T, string>();

  /** @param drop called with each statement that is not kept */
  constructor(most: number, drop: (statement: T) => void = () => undefined) {
    this.#most = most;
    this.#drop = drop;
  }

  /** Returns a statement with exactly this text. */
  take(sql: string): T | null {
    const last = this.#last;
    const isLast = last !== null && last.isIdle && last.sql === sql;
    const statement = isLast ? last.statement : this.#idle.get(sql);
    if (statement === undefined) return null;
    if (isLast) last.isIdle = false;
    else this.#idle.delete(sql);
    statement.revive();
    return statement;
  }

  /** A statement that may be kept when it is released. */
  lend(statement: T, sql: string): void {
    this.#texts.set(statement, sql);
  }

  release(statement: T): void {
    const last = this.#last;
    if (last !== null && last.statement === statement) {
      last.isIdle = true;
      return;
    }
    const sql = this.#texts.get(statement);
    const isLast = last !== null && last.isIdle && last.sql === sql;
    if (sql === undefined || isLast || this.#idle.has(sql)) return this.#drop(statement);
    this.#last = { statement, sql, isIdle: true };
    if (!last?.isIdle) return;
    this.#idle.set(last.sql, last.statement);
    if (this.#idle.size < this.#most) return;
    const [oldest] = this.#idle;
    this.#idle.delete(oldest![0]);
    this.#drop(oldest![1]);
  }

  /** SQLite prepares statements again after a schema change, but the columns and tables that are known of these would be the old ones. */
  clear(): void {
    for (const statement of this.#idle.values()) this.#drop(statement);
    if (this.#last?.isIdle) this.#drop(this.#last.statement);
    this.#idle.clear();
    this.#last = null;
    this.#texts = new WeakMap();
  }
}
