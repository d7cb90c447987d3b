// Walks the statements of a script, each found by its tokens and prepared alone, or bound again.
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { Script, ScriptParameters } from '../../engine.ts';
import { parameterValues } from '../../engine-errors.ts';
import { RepeatedStatements, type ScriptText } from '../../repeated/repeated-statements.ts';
import { skipToStatement } from '#shared/sql-scanner.ts';
import type { Preparer } from './statement-cache.ts';
import { readStatement } from './statement-shape.ts';
import { NativeStatement } from './statement.ts';
import { TextScript } from './text-script.ts';

/** The part of its connection that a script needs. */
interface ScriptOwner extends Preparer {
  /** One statement, from those that are kept by their text. */
  prepare(sql: string): NativeStatement;
}

export function nativeScript(owner: ScriptOwner, sql: string, parameters: ScriptParameters): Script {
  const repeated = new RepeatedStatements(new Utf16Text(sql), (text) => owner.prepare(text));

  const takeRepeated = (position: number): NativeStatement | null => {
    const from = skipToStatement(sql, position);
    const taken = repeated.take(from);
    if (taken === null) return null;
    const { statement, tail } = taken;
    statement.from = from;
    statement.to = tail;
    return statement;
  };

  const prepareNext = (position: number): NativeStatement | null => {
    const shape = readStatement(sql, position);
    if (shape === null) return null;
    const prepared = owner.prepareShape(sql, shape);
    const statement = new NativeStatement(owner, sql.slice(shape.from, shape.to), shape, prepared);
    if (parameters !== 'bound' && statement.parameterCount > 0) bind(statement, shape.from, parameters);
    statement.from = shape.from;
    statement.to = shape.to;
    repeated.learn(shape.from, shape.to);
    return statement;
  };

  return new TextScript(owner, sql, (position) => takeRepeated(position) ?? prepareNext(position));
}

function bind(statement: NativeStatement, from: number, values: ParameterValues): void {
  try {
    statement.bind(parameterValues(statement.sql, from, values));
  } catch (error) {
    statement.finalize();
    throw error;
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
