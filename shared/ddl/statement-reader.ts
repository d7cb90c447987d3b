// Reads a CREATE statement token by token: what stands here, what has to stand here, and where it is.
import { SqlScanner, Token, unquote } from '../sql-scanner.ts';
import { isReserved } from './names.ts';
import type { Name, Span, SqlPart } from './table-model.ts';

/** A text that cannot be taken apart with certainty: it may be shown and run, but not edited by its parts. */
export interface NotUnderstood {
  readonly understood: false;
  /** A whole sentence for the user who wrote the text. */
  readonly reason: string;
  /** Where reading ended; an empty one at the end of a text that ends too early. */
  readonly span: Span;
}

/** Thrown while reading; {@link understand} makes it an answer. */
class Unreadable extends Error {
  readonly span: Span;

  constructor(reason: string, span: Span) {
    super(reason);
    this.span = span;
  }
}

/** What `read` makes of the one statement in `text`, or why nothing can be made of it. Takes time in proportion to the text. */
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

/** Stands on one token at a time. */
export class StatementReader {
  readonly text: string;
  /** Where the token before the current one ended. */
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

  /** The current word in capitals; a sign as it is; '' for everything else. */
  get word(): string {
    const { kind, text } = this.#scanner;
    return kind === Token.word ? text.toUpperCase() : kind === Token.other || kind === Token.semicolon ? text : '';
  }

  get isEnd(): boolean {
    return this.#scanner.kind === Token.end;
  }

  /** What SQLite's grammar calls `nm`: a word that is not reserved, or anything in quotes. */
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

  /** Whether these words come next; if they do, it is past them afterwards. */
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

  /** The same, and where it stays. */
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

  /** Past `( … )`; the part between them. */
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
   * Past everything up to a word that stands in no parentheses of its own, and that `ends` names; or to the end of the text.
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

  /** The text of a part; an empty one where `to` lies before `from`. */
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
          : 'There is more text behind the statement.',
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
