// The statements of a script that differ from one before in their values alone, as those of a dump do: prepared once, and bound with the
// values that stand in the text.
import { matchPattern, Literals } from './literals.ts';
import type { LiteralPattern, TextOffset, TextUnits } from './literals.ts';
import { patternOf } from './literal-pattern.ts';

/** A dump goes table by table; some programs write to a handful of them in turns. */
const MAX_PATTERNS = 8;
/** Longer statements cost more to run than to prepare. */
const MAX_UNITS = 8_192;
/** A statement is of the same kind as the statement before if this many characters at their beginnings are the same. */
const SAME_UNITS = 12;
/** After this many patterns of one kind of statement of which none was used, no more are made. */
const MAX_IN_VAIN = 8;

/** Nothing else is read between matching and binding. */
const literals = new Literals();

/** The text of a script as its engine reads it. */
export interface ScriptText {
  readonly units: TextUnits;
  slice(from: TextOffset, to: TextOffset): string;
  /** Encodes into units of the same kind. */
  encode(text: string): TextUnits;
}

export interface LiteralStatement {
  readonly parameterCount: number;
  /** Binds literals of `text`, until the statement is reset. Returns whether the engine accepts the literals. */
  bindLiterals(literals: Literals, text: ScriptText): boolean;
  finalize(): void;
}

export interface RepeatedStatement<S extends LiteralStatement> {
  readonly statement: S;
  /** End of its semicolon. */
  readonly tail: TextOffset;
}

export class RepeatedStatements<S extends LiteralStatement> {
  readonly #text: ScriptText;
  readonly #prepare: (sql: string) => S;
  /** The pattern that was made last comes first. */
  readonly #patterns: LiteralPattern[] = [];
  readonly #refused = new Set<string>();
  #inVain = 0;
  /** The statement that was prepared last. */
  #last: TextOffset | null = null;

  /** @param prepare from the cache of the connection, which knows what a change of the schema makes invalid */
  constructor(text: ScriptText, prepare: (sql: string) => S) {
    this.#text = text;
    this.#prepare = prepare;
  }

  /** The statement at `at`, bound; null if no pattern matches. */
  take(at: TextOffset): RepeatedStatement<S> | null {
    if (this.#patterns.length === 0) return null;
    const { units } = this.#text;
    for (let index = 0; index < this.#patterns.length; index++) {
      const pattern = this.#patterns[index]!;
      const end = matchPattern(pattern, units, at, literals);
      if (end < 0) continue;
      if (index > 0) {
        this.#patterns.splice(index, 1);
        this.#patterns.unshift(pattern);
      }
      const tail = units[end] === 0 ? end : end + 1;
      const statement = this.#bound(pattern);
      if (statement === null) return null;
      this.#inVain = 0;
      return { statement, tail };
    }
    return null;
  }

  /** A statement of the script that SQLite has taken. */
  learn(at: TextOffset, tail: TextOffset): void {
    const isOfKind = this.#isOfLastKind(at);
    this.#last = at;
    if (!isOfKind) this.#inVain = 0;
    if (!isOfKind || this.#inVain >= MAX_IN_VAIN || tail - at > MAX_UNITS) return;
    this.#inVain++;
    const pattern = this.#patternOf(at, tail);
    if (pattern === null || this.#refused.has(pattern.sql)) return;
    this.#patterns.unshift(pattern);
    if (this.#patterns.length > MAX_PATTERNS) this.#patterns.pop();
  }

  /** Where a column has REAL, NULL, and short numbers in turns, patterns learn from each other. */
  #patternOf(at: TextOffset, tail: TextOffset): LiteralPattern | null {
    const text = this.#text.slice(at, tail);
    const sql = text.endsWith(';') ? text.slice(0, -1) : text;
    const encode = (part: string): TextUnits => this.#text.encode(part);
    const own = patternOf(sql, encode);
    const other = own && this.#patterns.find((known) => isSameText(known, own));
    const both = other ? patternOf(sql, encode, other.reals) : null;
    return both && matchPattern(both, this.#text.units, at, literals) >= 0 ? both : own;
  }

  #isOfLastKind(at: TextOffset): boolean {
    const last = this.#last;
    if (last === null) return false;
    const { units } = this.#text;
    for (let index = 0; index < SAME_UNITS; index++) if (units[at + index] !== units[last + index]) return false;
    return true;
  }

  /** Null when SQLite has to prepare the text itself, so that its error names the problem and the position. */
  #bound(pattern: LiteralPattern): S | null {
    let statement: S | null = null;
    try {
      statement = this.#prepare(pattern.sql);
      if (statement.parameterCount === literals.count && statement.bindLiterals(literals, this.#text)) return statement;
    } catch {
      // SQLite prepares the text as written instead.
    }
    statement?.finalize();
    this.#patterns.splice(this.#patterns.indexOf(pattern), 1);
    this.#refused.add(pattern.sql);
    return null;
  }
}

const isSameText = (one: LiteralPattern, other: LiteralPattern): boolean =>
  one.ends.length === other.ends.length &&
  one.parts.length === other.parts.length &&
  one.ends.every((end, index) => end === other.ends[index]) &&
  one.parts.every((unit, index) => unit === other.parts[index]);
