// Text to prepared statements, with the place of an error in the text.
import { AppError } from '#shared/protocol/errors.ts';
import { admit, movedBy, refused, type Admitted } from './admission.ts';
import { findErrorOffset } from '../runtime/error-offset.ts';
import { nativeError } from '../runtime/errors.ts';
import type { Database, PreparedStatement } from '../runtime/load.ts';
import { mayNameFile, returnsOneRow } from './program.ts';
import type { StatementShape } from './statement-shape.ts';

interface CompilerContext {
  /** True when another program has changed the schema: then what could not be prepared may be now. */
  readonly refreshSchema: () => boolean;
  /** @throws AppError for a statement that must not reach SQLite */
  readonly assertLight: (sql: string) => void;
  /** Called when a text was prepared. Missing where no files can be attached. @throws AppError for a statement that must not run */
  readonly assertKept?: (sql: string) => void;
  /** Temporary files would not be encrypted, so a statement must not ask for any. */
  readonly isEncrypted: boolean;
  /** Who has the file locked, in words. */
  readonly holders: () => string | null;
}

const NO_OTHER_FILES =
  "Other database files cannot be attached here, and VACUUM INTO cannot write one. Open the other file itself instead; ATTACH of ':memory:' works.";

/** All text that is not ours reaches SQLite through here, and through {@link admit}. */
export class Compiler {
  readonly #db: Database;
  readonly #context: CompilerContext;

  constructor(db: Database, context: CompilerContext) {
    this.#db = db;
    this.#context = context;
  }

  /** @throws AppError with the offset of the error, counted from the beginning of `sql` */
  prepare(sql: string, shape: StatementShape): PreparedStatement {
    const text = sql.slice(shape.from, shape.to);
    this.#context.assertLight(text);
    try {
      return this.#prepareText(text);
    } catch (error) {
      if (error instanceof AppError) throw movedBy(shape.from, error);
      const offset =
        error instanceof Error ? findErrorOffset(text, error.message, (other) => this.#messageOf(other)) : -1;
      throw nativeError(error, { offset: offset < 0 ? -1 : offset + shape.from, holders: this.#context.holders });
    }
  }

  /** Checks a statement as {@link prepare} does, without any effect: a PRAGMA is understood without SQLite. */
  check(sql: string, shape: StatementShape): void {
    if (!this.#acts(sql.slice(shape.from, shape.to))) this.prepare(sql, shape);
  }

  /** A statement that was prepared before, with other expressions in the place of its parameters. */
  prepareAgain(sql: string): PreparedStatement {
    try {
      return this.#admitted(sql);
    } catch (error) {
      throw nativeError(error);
    }
  }

  /** The statement must have been prepared before. */
  returnsOneRow(sql: string): boolean {
    try {
      return returnsOneRow(this.#db.explain(sql));
    } catch {
      return false; // another program may have changed the schema: running it says so
    }
  }

  #prepareText(sql: string): PreparedStatement {
    try {
      return this.#admitted(sql);
    } catch (error) {
      // Our triggers may name columns that another program has dropped.
      if (error instanceof AppError || !this.#context.refreshSchema()) throw error;
      return this.#admitted(sql);
    }
  }

  #acts(sql: string): boolean {
    try {
      return this.#admit(sql).acts;
    } catch {
      return false; // preparing it says why
    }
  }

  #messageOf(sql: string): string | null {
    try {
      this.#admitted(sql);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  }

  #admit(sql: string): Admitted {
    return admit(sql, this.#context.isEncrypted);
  }

  #admitted(sql: string): PreparedStatement {
    const { text, isExamined } = this.#admit(sql);
    const prepared = this.#db.prepare(text);
    if (isExamined && mayNameFile(this.#db.explain(text))) throw refused(NO_OTHER_FILES);
    this.#context.assertKept?.(text);
    return prepared;
  }
}
