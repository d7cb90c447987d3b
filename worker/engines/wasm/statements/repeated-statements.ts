// The statements of a script that differ from one before in their values alone, as those of a dump do: prepared once, and bound with the
// values that stand in the text.
import { matchPattern, Literals } from './literals.ts';
import type { LiteralPattern } from './literals.ts';
import { patternOf } from './literal-pattern.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import type { WasmStatement } from './statement.ts';

/** A dump goes table by table; some programs write to a handful of them in turns. */
const MAX_PATTERNS = 8;
/** Longer ones cost more to run than to prepare. */
const MAX_BYTES = 8_192;
/** A statement is looked at when the one before began with the same words. */
const SAME_BYTES = 12;
/** So many of one kind in a row of which none came again: the others will not either. */
const MAX_IN_VAIN = 8;

const decoder = new TextDecoder();
/** Nothing else is read between matching and binding. */
const literals = new Literals();

export interface RepeatedStatement {
  readonly statement: WasmStatement;
  /** Behind its semicolon. */
  readonly tail: Pointer;
}

export class RepeatedStatements {
  readonly #sqlite: Sqlite;
  readonly #prepare: (sql: string) => WasmStatement;
  /** The one that came last first. */
  readonly #patterns: LiteralPattern[] = [];
  readonly #refused = new Set<string>();
  #inVain = 0;
  /** The statement that was prepared last. */
  #last: Pointer = 0;

  /** @param prepare from the cache of the connection, which knows what a change of the schema makes invalid */
  constructor(sqlite: Sqlite, prepare: (sql: string) => WasmStatement) {
    this.#sqlite = sqlite;
    this.#prepare = prepare;
  }

  /** The statement at `at`, bound; null when it is none that is known. */
  take(at: Pointer): RepeatedStatement | null {
    const { bytes } = this.#sqlite.heap;
    for (let index = 0; index < this.#patterns.length; index++) {
      const pattern = this.#patterns[index]!;
      const end = matchPattern(pattern, bytes, at, literals);
      if (end < 0) continue;
      if (index > 0) {
        this.#patterns.splice(index, 1);
        this.#patterns.unshift(pattern);
      }
      const tail = bytes[end] === 0 ? end : end + 1;
      const statement = this.#bound(pattern);
      if (statement === null) return null;
      this.#inVain = 0;
      return { statement, tail };
    }
    return null;
  }

  /** A statement of the script that SQLite has taken. */
  learn(at: Pointer, tail: Pointer): void {
    const { bytes } = this.#sqlite.heap;
    const isOfKind = this.#isOfLastKind(bytes, at);
    this.#last = at;
    if (!isOfKind) this.#inVain = 0;
    if (!isOfKind || this.#inVain >= MAX_IN_VAIN || tail - at > MAX_BYTES) return;
    this.#inVain++;
    const text = decoder.decode(bytes.subarray(at, tail));
    const pattern = patternOf(text.endsWith(';') ? text.slice(0, -1) : text);
    if (pattern === null || this.#refused.has(pattern.sql)) return;
    this.#patterns.unshift(pattern);
    if (this.#patterns.length > MAX_PATTERNS) this.#patterns.pop();
  }

  #isOfLastKind(bytes: Uint8Array, at: Pointer): boolean {
    if (this.#last === 0) return false;
    for (let index = 0; index < SAME_BYTES; index++) if (bytes[at + index] !== bytes[this.#last + index]) return false;
    return true;
  }

  /** Null when SQLite takes the text only as it stands: then it says what is wrong with it, and where. */
  #bound(pattern: LiteralPattern): WasmStatement | null {
    let statement: WasmStatement | null = null;
    try {
      statement = this.#prepare(pattern.sql);
      if (statement.parameterCount === literals.count && statement.bindLiterals(literals) === 0) return statement;
    } catch {
      // As it stands.
    }
    statement?.finalize();
    this.#patterns.splice(this.#patterns.indexOf(pattern), 1);
    this.#refused.add(pattern.sql);
    return null;
  }
}
