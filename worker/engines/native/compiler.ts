// Text to prepared statements, with the place of an error in the text.
import { AppError } from '#shared/protocol/errors.ts';
import { findErrorOffset } from './error-offset.ts';
import { nativeError } from './errors.ts';
import type { Database, PreparedStatement } from './load.ts';
import type { StatementShape } from './statement-shape.ts';

interface Surroundings {
  /** True when another program has changed the schema: then what could not be prepared may be now. */
  readonly refreshSchema: () => boolean;
  /** Who has the file locked, in words. */
  readonly holders: () => string | null;
}

export class Compiler {
  readonly #db: Database;
  readonly #around: Surroundings;

  constructor(db: Database, around: Surroundings) {
    this.#db = db;
    this.#around = around;
  }

  /** @throws AppError with the offset of the error, counted from the beginning of `sql` */
  prepare(sql: string, shape: StatementShape): PreparedStatement {
    if (shape.refusal !== null) {
      throw new AppError({
        code: 'unavailable',
        message: shape.refusal,
        sqlite: { result: 23, extended: 23, offset: -1 },
      });
    }
    const text = sql.slice(shape.from, shape.to);
    try {
      return this.#prepareText(text);
    } catch (error) {
      const offset =
        error instanceof Error ? findErrorOffset(text, error.message, (other) => this.#messageOf(other)) : -1;
      throw nativeError(error, { offset: offset < 0 ? -1 : offset + shape.from, holders: this.#around.holders });
    }
  }

  /** SQL of ours. */
  compile(sql: string): PreparedStatement {
    try {
      return this.#db.prepare(sql);
    } catch (error) {
      throw nativeError(error);
    }
  }

  #prepareText(sql: string): PreparedStatement {
    try {
      return this.#db.prepare(sql);
    } catch (error) {
      // Our triggers may name columns that another program has dropped.
      if (!this.#around.refreshSchema()) throw error;
      return this.#db.prepare(sql);
    }
  }

  #messageOf(sql: string): string | null {
    try {
      this.#db.prepare(sql);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  }
}
