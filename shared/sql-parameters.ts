// Parameters in the text of statements, numbered and named as SQLite does (sqlite.org/lang_expr.html#varparam).
import { SqlScanner, Token } from './sql-scanner.ts';

export interface SqlParameter {
  /** Number within its statement, starting at 1. */
  readonly number: number;
  /** Name as written: `:a`, `@a`, `$a`, `?3`. A plain `?` is called by its number. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Numbers the parameters of one statement. A plain `?` or a new name gets the number after the highest so far. */
export class ParameterNumbers {
  readonly #byName = new Map<string, number>();
  #highest = 0;

  /** @param text the parameter as it is written */
  numberOf(text: string): number {
    const number = this.#next(text);
    if (number > this.#highest) this.#highest = number;
    return number;
  }

  #next(text: string): number {
    if (text === '?') return this.#highest + 1;
    if (text.startsWith('?')) return Number(text.slice(1));
    const known = this.#byName.get(text) ?? this.#highest + 1;
    this.#byName.set(text, known);
    return known;
  }
}

/**
 * The parameters of all statements of `sql`, in order, in UTF-16 places. Each semicolon begins a new count: those inside a trigger end no
 * statement, but parameters are not allowed there.
 */
export function parametersOf(sql: string): readonly SqlParameter[] {
  const found: SqlParameter[] = [];
  const scanner = new SqlScanner(sql);
  let numbers = new ParameterNumbers();
  while (scanner.next() !== Token.end) {
    if (scanner.kind === Token.semicolon) numbers = new ParameterNumbers();
    if (scanner.kind !== Token.variable) continue;
    const { text, from, to } = scanner;
    const number = numbers.numberOf(text);
    found.push({ number, name: text === '?' ? `?${number}` : text, from, to });
  }
  return found;
}
