// A script that is walked by its text: each statement ends with the next, and the last with the script.
import { skipToStatement } from '#shared/sql-scanner.ts';
import { closedError, nulCharacterError } from '../../engine-errors.ts';
import type { Script, ScriptStatement } from '../../engine.ts';

/** Prepares the statement at a position of the text; null if only white space and comments follow. */
type NextStatement = (position: number) => ScriptStatement | null;

export class TextScript implements Script {
  readonly #owner: { readonly isOpen: boolean };
  readonly #nextOf: NextStatement;
  #sql: string | null;
  #position = 0;
  #current: ScriptStatement | null = null;

  constructor(owner: { readonly isOpen: boolean }, sql: string, nextOf: NextStatement) {
    this.#owner = owner;
    this.#sql = sql;
    this.#nextOf = nextOf;
  }

  get position(): number {
    return this.#position;
  }

  next(): ScriptStatement | null {
    this.#current?.finalize();
    this.#current = null;
    if (!this.#owner.isOpen) throw closedError();
    const sql = this.#sql;
    if (sql === null) return null;
    this.#current = this.#nextOf(this.#position);
    if (this.#current === null) this.#finish(sql);
    else this.#position = this.#current.to;
    return this.#current;
  }

  dispose(): void {
    this.#current?.finalize();
    this.#current = null;
    this.#sql = null;
  }

  #finish(sql: string): void {
    this.#position = skipToStatement(sql, this.#position);
    this.dispose();
    if (this.#position < sql.length) throw nulCharacterError(this.#position);
  }
}
