// The prepared statements of one connection, kept by their text.
import { noStatementError, nulCharacterError, secondStatementError } from '../../sql-text-error.ts';
import { skipToStatement } from '#shared/sql-scanner.ts';
import { readStatement } from './statement-shape.ts';
import type { StatementShape } from './statement-shape.ts';
import { NativeStatement } from './statement.ts';
import type { StatementOwner } from './statement.ts';
import type { PreparedStatement } from '../runtime/load.ts';

const MAX_STATEMENTS = 50;
/** Longer texts are hardly ever sent twice. */
const MAX_TEXT = 8_192;

export interface Preparer extends StatementOwner {
  /** @throws AppError with the offset of the error, counted from the beginning of `sql` */
  prepareShape(sql: string, shape: StatementShape): PreparedStatement;
  /** The same, but nothing acts. */
  checkShape(sql: string, shape: StatementShape): void;
}

export class StatementCache {
  readonly #owner: Preparer;
  /** Idle statements, the one used longest ago first. */
  readonly #idle = new Map<string, NativeStatement>();
  /** Which of those that are out may come back. */
  #texts = new WeakMap<NativeStatement, string>();

  constructor(owner: Preparer) {
    this.#owner = owner;
  }

  take(sql: string): NativeStatement {
    const idle = this.#idle.get(sql);
    if (idle === undefined) return this.#prepare(sql);
    this.#idle.delete(sql);
    idle.revive();
    return idle;
  }

  check(sql: string): void {
    readOne(sql, (shape) => this.#owner.checkShape(sql, shape));
  }

  /** Called by a statement that was finalized. better-sqlite3 finalizes it once it is garbage. */
  release(statement: NativeStatement): void {
    const sql = this.#texts.get(statement);
    if (sql === undefined || this.#idle.has(sql)) return;
    this.#idle.set(sql, statement);
    if (this.#idle.size <= MAX_STATEMENTS) return;
    const [oldest] = this.#idle.keys();
    this.#idle.delete(oldest!);
  }

  /** SQLite prepares again by itself after a change of the schema, but columns that we know of would be the old ones. */
  clear(): void {
    this.#idle.clear();
    this.#texts = new WeakMap();
  }

  #prepare(sql: string): NativeStatement {
    const { shape, prepared } = readOne(sql, (read) => this.#owner.prepareShape(sql, read));
    const statement = new NativeStatement(this.#owner, sql.slice(shape.from, shape.to), shape, prepared);
    const definesSchema = shape.verb === 'create' || shape.verb === 'drop' || shape.verb === 'alter';
    if (sql.length <= MAX_TEXT && !definesSchema) this.#texts.set(statement, sql);
    return statement;
  }
}

function readOne<T>(
  sql: string,
  prepare: (shape: StatementShape) => T,
): { readonly shape: StatementShape; readonly prepared: T } {
  const nul = sql.indexOf('\0');
  if (nul >= 0) throw nulCharacterError(nul);
  const shape = readStatement(sql);
  if (shape === null) throw noStatementError(sql.length);
  const prepared = prepare(shape);
  const rest = skipToStatement(sql, shape.to);
  if (rest < sql.length) throw secondStatementError(rest);
  return { shape, prepared };
}
