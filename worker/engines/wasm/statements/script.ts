// Walks the statements of a script: one copy of the text is in wasm memory, and each statement is prepared from where the last one ended,
// or bound again.
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { Script, ScriptParameters, ScriptStatement } from '../../engine.ts';
import { parameterValues, nulCharacterError, closedError } from '../../engine-errors.ts';
import { prepareAt, type PrepareContext } from './prepare.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import { RepeatedStatements, type ScriptText } from '../../repeated/repeated-statements.ts';
import { skipBlank, utf16Length } from './sql-text.ts';
import { WasmStatement, type StatementOwner } from './statement.ts';

/** The part of its connection that a script needs. */
interface ScriptOwner extends StatementOwner, PrepareContext {
  /** Prepares one statement through the statement cache. */
  prepare(sql: string): WasmStatement;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class WasmScript implements Script {
  readonly #owner: ScriptOwner;
  readonly #end: Pointer;
  readonly #parameters: ScriptParameters;
  /** Pure ASCII, as in nearly all big scripts, needs no counting. */
  readonly #isAscii: boolean;
  #text: Pointer;
  #at: Pointer;
  #position = 0;
  readonly #repeated: RepeatedStatements<WasmStatement>;
  #current: WasmStatement | null = null;

  constructor(owner: ScriptOwner, sql: string, parameters: ScriptParameters) {
    const { pointer, bytes } = owner.sqlite.heap.allocateText(sql);
    this.#owner = owner;
    this.#parameters = parameters;
    this.#repeated = new RepeatedStatements(textInMemory(owner.sqlite), (text) => owner.prepare(text));
    this.#text = pointer;
    this.#at = pointer;
    this.#end = pointer + bytes;
    this.#isAscii = bytes === sql.length;
  }

  get position(): number {
    return this.#position;
  }

  next(): ScriptStatement | null {
    this.#current?.finalize();
    this.#current = null;
    if (this.#owner.db === 0) throw closedError();
    while (this.#text !== 0) {
      this.#moveTo(skipBlank(this.#owner.sqlite.heap.bytes, this.#at));
      if (this.#owner.sqlite.heap.bytes[this.#at] === 0) {
        this.#finish();
        return null;
      }
      const from = this.#position;
      const statement = this.#take();
      if (statement !== null) {
        this.#current = statement;
        statement.from = from;
        statement.to = this.#position;
        return statement;
      }
    }
    return null;
  }

  /** Null when there was nothing but comments. */
  #take(): WasmStatement | null {
    const at = this.#at;
    const repeated = this.#repeated.take(at);
    if (repeated !== null) {
      this.#moveTo(repeated.tail);
      return repeated.statement;
    }
    const { statement, tail, facts } = prepareAt(this.#owner, at, 0, (address) => this.#measure(address));
    const from = this.#position;
    if (statement === 0) {
      this.#moveTo(tail);
      return null;
    }
    const prepared = new WasmStatement(this.#owner, statement, facts);
    if (this.#parameters !== 'bound' && prepared.parameterCount > 0) {
      const sql = decoder.decode(this.#owner.sqlite.heap.bytes.slice(at, tail));
      this.#bind(prepared, sql, from, this.#parameters);
    }
    this.#moveTo(tail);
    this.#repeated.learn(at, tail);
    return prepared;
  }

  #bind(statement: WasmStatement, sql: string, from: number, values: ParameterValues): void {
    try {
      statement.bind(parameterValues(sql, from, values));
    } catch (error) {
      statement.finalize();
      throw error;
    }
  }

  dispose(): void {
    this.#current?.finalize();
    this.#current = null;
    if (this.#text !== 0) this.#owner.sqlite.heap.free(this.#text);
    this.#text = 0;
  }

  #finish(): void {
    const isWhole = this.#at >= this.#end;
    const offset = this.#position;
    this.dispose();
    if (!isWhole) throw nulCharacterError(offset);
  }

  #moveTo(address: Pointer): void {
    this.#position = this.#measure(address);
    this.#at = address;
  }

  /** Counts from the current position, never from the beginning. */
  #measure(address: Pointer): number {
    if (this.#isAscii) return address - this.#text;
    return this.#position + utf16Length(this.#owner.sqlite.heap.bytes, this.#at, address);
  }
}

/** The array is replaced whenever the memory grows. */
function textInMemory({ heap }: Sqlite): ScriptText {
  return {
    get units() {
      return heap.bytes;
    },
    slice: (from, to) => decoder.decode(heap.bytes.subarray(from, to)),
    encode: (text) => encoder.encode(text),
  };
}
