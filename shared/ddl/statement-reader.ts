// Reads a CREATE statement token by token: checks and consumes tokens, and tracks positions.
import { SqlScanner, Token, unquote } from '../sql-scanner.ts';
import { isReserved } from './names.ts';
import type { Name, Span, SqlPart } from './table-model.ts';

/** A text that cannot be parsed reliably: it can be shown and run, but not edited in parts. */
export interface NotUnderstood {
  readonly understood: false;
  /** A full sentence for the user who wrote the text. */
  readonly reason: string;
  /** Span at which parsing stopped; empty at the end of a text that ends too early. */
  readonly span: Span;
}

/** Thrown while reading; {@link understand} turns it into a result. */
class Unreadable extends Error {
  readonly span: Span;

  constructor(reason: string, span: Span) {
    super(reason);
    this.span = span;
  }
}

/** Returns what `read` makes of the single statement in `text`, or why it cannot be parsed. Takes time proportional to the text. */
export function understand<Model>(text: string, read: (reader: StatementReader) => Model): Model | NotUnderstood {
  const reader = new StatementReader(text);
  try {
    const model = read(reader);
    reader.expectEnd();
    return model;
  } catch (error) {
    if (error instanceof Unreadable) return { understood: false, reason: error.message, span: error.span };
    throw error;
  }
}

/** Positioned at one token at a time. */
export class StatementReader {
  readonly text: string;
  /** End of the previous token. */
  lastEnd = 0;
  readonly #scanner: SqlScanner;

  constructor(text: string) {
    this.text = text;
    this.#scanner = new SqlScanner(text);
    this.#scanner.next();
  }

  get from(): number {
    return this.#scanner.from;
  }

  /** The current word in capitals; an operator or sign unchanged; '' for everything else. */
  get word(): string {
    const { kind, text } = this.#scanner;
    return kind === Token.word ? text.toUpperCase() : kind === Token.other || kind === Token.semicolon ? text : '';
  }

  get isEnd(): boolean {
    return this.#scanner.kind === Token.end;
  }

  /** Whether the token is a `nm` in SQLite's grammar: a word that is not reserved, or anything in quotes. */
  get isName(): boolean {
    const { kind } = this.#scanner;
    return kind === Token.quoted || kind === Token.text || (kind === Token.word && !isReserved(this.#scanner.text));
  }

  get isLiteral(): boolean {
    const { kind, text } = this.#scanner;
    return kind === Token.number || kind === Token.text || (kind === Token.other && text.length > 1);
  }

  next(): void {
    this.lastEnd = this.#scanner.to;
    this.#scanner.next();
  }

  /** Whether these words come next; if so, consumes them. */
  take(...words: readonly string[]): boolean {
    const { from } = this;
    const { lastEnd } = this;
    for (const word of words) {
      if (this.word !== word) {
        this.#goTo(from, lastEnd);
        return false;
      }
      this.next();
    }
    return true;
  }

  /** The same without consuming them. */
  peek(...words: readonly string[]): boolean {
    const { from, lastEnd } = this;
    const found = this.take(...words);
    this.#goTo(from, lastEnd);
    return found;
  }

  expect(...words: readonly string[]): void {
    for (const word of words) if (!this.take(word)) this.fail(`Expected ${word} here.`);
  }

  name(what: string): Name {
    if (!this.isName) {
      const { text } = this.#scanner;
      this.fail(
        this.word && isReserved(text) ? `${text} is a keyword: as ${what} it needs quotes.` : `Expected ${what} here.`,
      );
    }
    const { from, to, text, kind } = this.#scanner;
    this.next();
    return { name: kind === Token.word ? text : unquote(text), span: { from, to } };
  }

  /** Consumes `( … )` and returns the part inside. */
  parenthesized(): SqlPart {
    const open = this.from;
    this.expect('(');
    const from = this.from;
    const to = this.skipTo((word) => word === ')');
    if (this.isEnd) this.fail('This parenthesis is never closed.', { from: open, to: open + 1 });
    this.next();
    return this.part(from, to);
  }

  /**
   * Skips to a word outside nested parentheses for which `ends` is true, or to the end of the text.
   * @returns where the last token before it ended
   */
  skipTo(ends: (word: string) => boolean): number {
    let depth = 0;
    let to = this.lastEnd;
    for (; !this.isEnd; this.next()) {
      const { word } = this;
      if (depth === 0 && ends(word)) break;
      if (word === '(') depth += 1;
      if (word === ')') depth -= 1;
      if (depth < 0) this.fail('This parenthesis is never opened.');
      to = this.#scanner.to;
    }
    return to;
  }

  /** The text of a part; empty if `to` is before `from`. */
  part(from: number, to: number): SqlPart {
    const end = Math.max(from, to);
    return { sql: this.text.slice(from, end), span: { from, to: end } };
  }

  expectEnd(): void {
    while (this.take(';'));
    if (this.from < this.text.length)
      this.fail(
        this.isEnd
          ? 'The text has a NUL character, where SQLite stops reading.'
          : 'There is more text after the statement.',
      );
  }

  fail(reason: string, span: Span = { from: this.#scanner.from, to: this.#scanner.to }): never {
    throw new Unreadable(this.isEnd && this.from >= this.text.length ? 'The statement ends too early.' : reason, span);
  }

  #goTo(from: number, lastEnd: number): void {
    if (from === this.from) return;
    this.#scanner.to = from;
    this.#scanner.next();
    this.lastEnd = lastEnd;
  }
}
