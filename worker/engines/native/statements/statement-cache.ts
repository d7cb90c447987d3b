// The prepared statements of one connection, kept by their text.
import { IdleStatements, MAX_KEPT_TEXT } from '../../idle-statements.ts';
import { noStatementError, nulCharacterError, secondStatementError } from '../../engine-errors.ts';
import { skipToStatement } from '#shared/sql-scanner.ts';
import { readStatement, type StatementShape } from './statement-shape.ts';
import { NativeStatement, type StatementOwner } from './statement.ts';
import type { PreparedStatement } from '../runtime/load.ts';

const MAX_STATEMENTS = 50;

export interface Preparer extends StatementOwner {
  /** @throws AppError with the offset of the error, counted from the beginning of `sql` */
  prepareShape(sql: string, shape: StatementShape): PreparedStatement;
  /** Checks a statement as {@link prepareShape} does, without any effect. */
  checkShape(sql: string, shape: StatementShape): void;
}

export class StatementCache {
  readonly #owner: Preparer;
  /** better-sqlite3 finalizes a statement once it is garbage. */
  readonly #idle = new IdleStatements<NativeStatement>(MAX_STATEMENTS);

  constructor(owner: Preparer) {
    this.#owner = owner;
  }

  take(sql: string): NativeStatement {
    return this.#idle.take(sql) ?? this.#prepare(sql);
  }

  check(sql: string): void {
    readOne(sql, (shape) => this.#owner.checkShape(sql, shape));
  }

  /** Called by a statement that was finalized. */
  release(statement: NativeStatement): void {
    this.#idle.release(statement);
  }

  clear(): void {
    this.#idle.clear();
  }

  #prepare(sql: string): NativeStatement {
    const { shape, prepared } = readOne(sql, (read) => this.#owner.prepareShape(sql, read));
    const statement = new NativeStatement(this.#owner, sql.slice(shape.from, shape.to), shape, prepared);
    const definesSchema = shape.verb === 'create' || shape.verb === 'drop' || shape.verb === 'alter';
    if (sql.length <= MAX_KEPT_TEXT && !definesSchema) this.#idle.lend(statement, sql);
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
