// Walks the statements of a script, each found by its tokens and understood alone.
import { skipToStatement } from '#shared/sql-scanner.ts';
import { closedError } from '../../closed-error.ts';
import type { Script, ScriptParameters, ScriptStatement } from '../../engine.ts';
import { parameterValues } from '../../script-parameters.ts';
import { nulCharacterError } from '../../sql-text-error.ts';
import { readStatement } from '../../native/statements/statement-shape.ts';
import type { StatementShape } from '../../native/statements/statement-shape.ts';
import type { RemoteStatement } from './remote-statement.ts';

interface ScriptOwner {
  readonly isOpen: boolean;
  prepareShape(sql: string, shape: StatementShape): RemoteStatement;
}

export class RemoteScript implements Script {
  readonly #owner: ScriptOwner;
  readonly #parameters: ScriptParameters;
  #sql: string | null;
  #position = 0;
  #current: RemoteStatement | null = null;

  constructor(owner: ScriptOwner, sql: string, parameters: ScriptParameters) {
    this.#owner = owner;
    this.#sql = sql;
    this.#parameters = parameters;
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
    if (shape === null) return this.#finish(sql);
    const statement = this.#owner.prepareShape(sql, shape);
    if (this.#parameters !== 'bound' && statement.parameterCount > 0)
      statement.bind(parameterValues(statement.sql, shape.from, this.#parameters));
    statement.isOfScript = true;
    statement.from = shape.from;
    statement.to = this.#position = shape.to;
    this.#current = statement;
    return statement;
  }

  dispose(): void {
    this.#current?.finalize();
    this.#current = null;
    this.#sql = null;
  }

  #finish(sql: string): null {
    this.#position = skipToStatement(sql, this.#position);
    this.dispose();
    if (this.#position < sql.length) throw nulCharacterError(this.#position);
    return null;
  }
}
