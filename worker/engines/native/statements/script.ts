// Walks the statements of a script, each found by its tokens and prepared alone, or bound anew.
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { Script, ScriptParameters, ScriptStatement } from '../../engine.ts';
import { closedError } from '../../closed-error.ts';
import { parameterValues } from '../../script-parameters.ts';
import { RepeatedStatements } from '../../repeated/repeated-statements.ts';
import type { ScriptText } from '../../repeated/repeated-statements.ts';
import { skipToStatement } from '#shared/sql-scanner.ts';
import { nulCharacterError } from '../../sql-text-error.ts';
import type { Preparer } from './statement-cache.ts';
import { readStatement } from './statement-shape.ts';
import { NativeStatement } from './statement.ts';

/** What a script needs of its connection. */
interface ScriptOwner extends Preparer {
  /** One statement, from those that are kept by their text. */
  prepare(sql: string): NativeStatement;
}

export class NativeScript implements Script {
  readonly #owner: ScriptOwner;
  readonly #parameters: ScriptParameters;
  readonly #repeated: RepeatedStatements<NativeStatement>;
  #sql: string | null;
  #position = 0;
  #current: NativeStatement | null = null;

  constructor(owner: ScriptOwner, sql: string, parameters: ScriptParameters) {
    this.#owner = owner;
    this.#parameters = parameters;
    this.#repeated = new RepeatedStatements(new Utf16Text(sql), (text) => owner.prepare(text));
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
    this.#current = this.#takeRepeated(sql) ?? this.#prepareNext(sql);
    return this.#current;
  }

  dispose(): void {
    this.#current?.finalize();
    this.#current = null;
    this.#sql = null;
  }

  #takeRepeated(sql: string): NativeStatement | null {
    const from = skipToStatement(sql, this.#position);
    const repeated = this.#repeated.take(from);
    if (repeated === null) return null;
    const { statement, tail } = repeated;
    statement.from = from;
    statement.to = this.#position = tail;
    return statement;
  }

  #prepareNext(sql: string): NativeStatement | null {
    const shape = readStatement(sql, this.#position);
    if (shape === null) {
      this.#finish(sql);
      return null;
    }
    const prepared = this.#owner.prepareShape(sql, shape);
    const text = sql.slice(shape.from, shape.to);
    const statement = new NativeStatement(this.#owner, text, shape, prepared);
    if (this.#parameters !== 'bound' && statement.parameterCount > 0)
      this.#bind(statement, shape.from, this.#parameters);
    statement.from = shape.from;
    statement.to = this.#position = shape.to;
    this.#repeated.learn(shape.from, shape.to);
    return statement;
  }

  #bind(statement: NativeStatement, from: number, values: ParameterValues): void {
    try {
      statement.bind(parameterValues(statement.sql, from, values));
    } catch (error) {
      statement.finalize();
      throw error;
    }
  }

  #finish(sql: string): void {
    this.#position = skipToStatement(sql, this.#position);
    this.dispose();
    if (this.#position < sql.length) throw nulCharacterError(this.#position);
  }
}

/** Units are made when they are first looked at: most scripts are one statement. */
class Utf16Text implements ScriptText {
  readonly #sql: string;
  #units: Uint16Array | null = null;

  constructor(sql: string) {
    this.#sql = sql;
  }

  get units(): Uint16Array {
    return (this.#units ??= toUnits(`${this.#sql}\0`));
  }

  slice(from: number, to: number): string {
    return this.#sql.slice(from, to);
  }

  encode(text: string): Uint16Array {
    return toUnits(text);
  }
}

function toUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
}
