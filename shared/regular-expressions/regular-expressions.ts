// Regular expressions in linear time: what `X REGEXP pattern` finds on both engines, and what a filter takes.
import { toAppError } from '../protocol/errors.ts';
import { Automaton } from './automaton.ts';
import { parseExpression } from './parse.ts';

/** A statement has one pattern, or a few. */
const MOST_KEPT = 16;

/** Regular expressions by text, made once. */
export class RegularExpressions {
  readonly #kept = new Map<string, Automaton>();

  /**
   * Takes time linear in `text`.
   * @param tick called now and then in long texts; what it throws ends the search
   * @throws AppError `invalid` if `pattern` is not a regular expression, with the place in it
   */
  test(pattern: string, text: string, tick?: () => void): boolean {
    return this.#of(pattern).test(text, tick);
  }

  #of(pattern: string): Automaton {
    const known = this.#kept.get(pattern);
    if (known) return known;
    const made = new Automaton(parseExpression(pattern));
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(pattern, made);
    return made;
  }
}

/** @throws AppError `invalid` */
export function assertRegularExpression(pattern: string): void {
  new Automaton(parseExpression(pattern));
}

/** Problem of a pattern, as a sentence; null if there is none. */
export function regularExpressionProblem(pattern: string): string | null {
  try {
    assertRegularExpression(pattern);
    return null;
  } catch (error) {
    return toAppError(error).message;
  }
}
