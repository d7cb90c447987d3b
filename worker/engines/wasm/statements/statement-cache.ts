// The prepared statements of one connection, kept by their text.
import { IdleStatements, MAX_KEPT_TEXT } from '../../idle-statements.ts';
import { noStatementError, nulCharacterError, secondStatementError } from '../../engine-errors.ts';
import { PREPARE_PERSISTENT, prepareAt, type PrepareContext } from './prepare.ts';
import { skipBlank, utf16Length } from './sql-text.ts';
import { WasmStatement, type StatementOwner } from './statement.ts';

/** A few kilobytes each. More than the number of live queries a user can have on screen, which run in turn. */
const MAX_STATEMENTS = 150;

export class StatementCache {
  readonly #owner: StatementOwner & PrepareContext;
  readonly #idle = new IdleStatements<WasmStatement>(MAX_STATEMENTS, (statement) => statement.destroy());

  constructor(owner: StatementOwner & PrepareContext) {
    this.#owner = owner;
  }

  take(sql: string): WasmStatement {
    return this.#idle.take(sql) ?? this.#prepare(sql);
  }

  /** Prepares the text without caching the statement. */
  check(sql: string): void {
    this.#prepare(sql).destroy();
  }

  /** Called by a statement that was finalized. */
  release(statement: WasmStatement): void {
    if (this.#owner.db === 0) return;
    this.#idle.release(statement);
  }

  clear(): void {
    this.#idle.clear();
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
      const isReusable = sql.length <= MAX_KEPT_TEXT && prepared.facts.definedTables.length === 0;
      if (isReusable) this.#idle.lend(statement, sql);
      return statement;
    } finally {
      heap.free(pointer);
    }
  }
}
