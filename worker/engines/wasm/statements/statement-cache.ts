// The prepared statements of one connection, kept by their text.
import { noStatementError, nulCharacterError, secondStatementError } from '../../sql-text-error.ts';
import { PREPARE_PERSISTENT, prepareAt } from './prepare.ts';
import type { PrepareContext } from './prepare.ts';
import { skipBlank, utf16Length } from './sql-text.ts';
import { WasmStatement } from './statement.ts';
import type { StatementOwner } from './statement.ts';

/** A few kilobytes each. More than the number of live queries a user can have on screen, which run in turn. */
const MAX_STATEMENTS = 150;
/** Longer texts are hardly ever repeated. */
const MAX_TEXT = 8_192;

export class StatementCache {
  readonly #owner: StatementOwner & PrepareContext;
  /** Idle statements, the least recently used first. */
  readonly #idle = new Map<string, WasmStatement>();
  /** The statements in use that may return to the cache. */
  #texts = new WeakMap<WasmStatement, string>();

  constructor(owner: StatementOwner & PrepareContext) {
    this.#owner = owner;
  }

  take(sql: string): WasmStatement {
    const idle = this.#idle.get(sql);
    if (idle === undefined) return this.#prepare(sql);
    this.#idle.delete(sql);
    idle.revive();
    return idle;
  }

  /** Prepares the text without caching the statement. */
  check(sql: string): void {
    this.#prepare(sql).destroy();
  }

  /** Called by a statement that was finalized. */
  release(statement: WasmStatement): void {
    if (this.#owner.db === 0) return;
    const sql = this.#texts.get(statement);
    if (sql === undefined || this.#idle.has(sql)) {
      statement.destroy();
      return;
    }
    this.#idle.set(sql, statement);
    if (this.#idle.size <= MAX_STATEMENTS) return;
    const [oldest] = this.#idle;
    this.#idle.delete(oldest![0]);
    oldest![1].destroy();
  }

  /** SQLite prepares statements again by itself after a schema change, but the columns and tables cached here would be the old ones. */
  clear(): void {
    for (const statement of this.#idle.values()) statement.destroy();
    this.#idle.clear();
    this.#texts = new WeakMap();
  }

  #prepare(sql: string): WasmStatement {
    const nul = sql.indexOf('\0');
    if (nul >= 0) throw nulCharacterError(nul);
    const { heap } = this.#owner.sqlite;
    const { pointer } = heap.allocateText(sql);
    try {
      const locate = (address: number): number => utf16Length(heap.bytes, pointer, address);
      const prepared = prepareAt(this.#owner, pointer, PREPARE_PERSISTENT, locate);
      const rest = skipBlank(heap.bytes, prepared.tail);
      if (prepared.statement === 0 || heap.bytes[rest] !== 0) {
        this.#owner.sqlite.raw.sqlite3_finalize(prepared.statement);
        throw prepared.statement === 0 ? noStatementError(locate(rest)) : secondStatementError(locate(rest));
      }
      const statement = new WasmStatement(this.#owner, prepared.statement, prepared.facts);
      const isReusable = sql.length <= MAX_TEXT && prepared.facts.definedTables.length === 0;
      if (isReusable) this.#texts.set(statement, sql);
      return statement;
    } finally {
      heap.free(pointer);
    }
  }
}
