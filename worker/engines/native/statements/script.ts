// Walks the statements of a script, each found by its tokens and prepared alone.
import type { Script, ScriptParameters, ScriptStatement } from '../../engine.ts';
import { closedError } from '../../closed-error.ts';
import { openParameter } from '../../open-parameters.ts';
import { skipToStatement } from '../../../sql/sql-scanner.ts';
import { nulCharacterError } from '../../sql-text-error.ts';
import type { Preparer } from './statement-cache.ts';
import { readStatement } from './statement-shape.ts';
import { NativeScriptStatement } from './statement.ts';

export class NativeScript implements Script {
  readonly #owner: Preparer;
  readonly #parameters: ScriptParameters;
  #sql: string | null;
  #position = 0;
  #current: NativeScriptStatement | null = null;

  constructor(owner: Preparer, sql: string, parameters: ScriptParameters) {
    this.#owner = owner;
    this.#parameters = parameters;
    this.#sql = sql;
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
    const shape = readStatement(sql, this.#position);
    if (shape === null) {
      this.#finish(sql);
      return null;
    }
    const prepared = this.#owner.prepareShape(sql, shape);
    const text = sql.slice(shape.from, shape.to);
    const statement = new NativeScriptStatement(this.#owner, text, shape, prepared, shape.from);
    if (this.#parameters === 'refused' && statement.parameterCount > 0) {
      statement.finalize();
      throw openParameter(text, shape.from);
    }
    this.#position = shape.to;
    this.#current = statement;
    return statement;
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
