// The history's record of a script: its current statement, or all of its transaction.
import { newRun, type WorkOrigin } from '../sessions/session.ts';
import { statementTitle } from '../sql/statement-title.ts';

/** The history keeps no more characters of a text. */
const KEPT_LENGTH = 2000;
const LEADING_BEGIN = /^\s*begin\b[^;]*;\s*(?=\S)/i;

export class ScriptOrigin implements WorkOrigin {
  readonly run = newRun();
  readonly withoutUndo: boolean;
  readonly #sql: string;
  readonly #title: string | null;
  #from = 0;
  #to: number;

  /** @param title instead of the text of the statements */
  constructor(sql: string, withoutUndo: boolean, title: string | null = null) {
    this.#sql = sql;
    this.#title = title;
    this.#to = sql.length;
    this.withoutUndo = withoutUndo;
  }

  get sql(): string {
    return this.#sql.slice(this.#from, Math.min(this.#to, this.#from + KEPT_LENGTH));
  }

  get title(): string {
    return this.#title ?? statementTitle(this.sql.replace(LEADING_BEGIN, '').replace(/;\s*$/, ''));
  }

  /** Notes the statement that runs next; inside a transaction the text begins where the transaction began. */
  at(from: number, to: number, inTransaction: boolean): void {
    if (!inTransaction) this.#from = from;
    this.#to = to;
  }
}
