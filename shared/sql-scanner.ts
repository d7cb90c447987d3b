// Reads SQL text token by token, as SQLite's own tokenizer does (sqlite.org/src/file/src/tokenize.c), in UTF-16 places.

export const Token = { end: 0, word: 1, quoted: 2, text: 3, variable: 4, semicolon: 5, other: 6, number: 7 } as const;
export type Token = (typeof Token)[keyof typeof Token];

const SPACE = /[ \t\n\f\r\ufeff]/y;
// A vertical tab is white space behind other white space only, as it is no beginning of any token.
const BLANK = /(?:[ \t\n\f\r][ \t\n\v\f\r]*|\ufeff|--[^\n\0]*|\/\*(?=[^\0])(?:[^*\0]|\*(?!\/))*(?:\*\/|(?=\0)|$))+/y;
const WORD = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NUMBER = /0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/y;
/** What neither is a semicolon nor begins anything in which one may stand. */
const PLAIN = /[^;'"`[\-/\0]+/y;
const VARIABLE = /\?\d*|[:@#$][\w$\u0080-\uffff]+/y;

/** One token at a time, nothing allocated for it: {@link kind}, {@link from} and {@link to} describe the current one. */
export class SqlScanner {
  readonly sql: string;
  kind: Token = Token.end;
  from = 0;
  to: number;

  constructor(sql: string, at = 0) {
    this.sql = sql;
    this.to = at;
  }

  /** The text of the current token. */
  get text(): string {
    return this.sql.slice(this.from, this.to);
  }

  /** The name that a word or a quoted name stands for. */
  get name(): string {
    return this.kind === Token.word ? this.text : unquote(this.text);
  }

  /** Moves to the next token, past white space and comments. A NUL character ends the text, as it does for SQLite. */
  next(): Token {
    const { sql } = this;
    const from = skipBlank(sql, this.to);
    this.from = from;
    const code = from < sql.length ? sql.charCodeAt(from) : 0;
    this.kind = this.#read(code, from);
    return this.kind;
  }

  /** Moves to the next semicolon, or to the end of the text, and reads of what is between only what may hide a semicolon. */
  toSemicolon(): Token {
    do if (this.#matches(PLAIN, this.to)) this.to = PLAIN.lastIndex;
    while (this.next() !== Token.semicolon && this.kind !== Token.end);
    return this.kind;
  }

  #read(code: number, from: number): Token {
    if (code === 0) return this.#end(Token.end, from);
    if (code === 0x3b) return this.#end(Token.semicolon, from + 1);
    if (code === 0x27) return this.#end(Token.text, endOfQuoted(this.sql, from, "'"));
    if (code === 0x22) return this.#end(Token.quoted, endOfQuoted(this.sql, from, '"'));
    if (code === 0x60) return this.#end(Token.quoted, endOfQuoted(this.sql, from, '`'));
    if (code === 0x5b) return this.#end(Token.quoted, endOf(this.sql, this.sql.indexOf(']', from)));
    if (this.#matches(WORD, from)) return this.#wordOrBlob(from);
    if (this.#matches(VARIABLE, from)) return this.#end(Token.variable, VARIABLE.lastIndex);
    if (this.#matches(NUMBER, from)) return this.#end(Token.number, NUMBER.lastIndex);
    return this.#end(Token.other, from + 1);
  }

  #wordOrBlob(from: number): Token {
    const to = WORD.lastIndex;
    const isBlob = to === from + 1 && /[xX]/.test(this.sql[from]!) && this.sql[to] === "'";
    // No quote stands twice inside: the next one ends it.
    return isBlob ? this.#end(Token.other, endOf(this.sql, this.sql.indexOf("'", to + 1))) : this.#end(Token.word, to);
  }

  #matches(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(this.sql);
  }

  #end(kind: Token, to: number): Token {
    this.to = to;
    return kind;
  }
}

/** The first place from `at` that is neither white space nor comment. An open comment at the end is a comment for SQLite too. */
function skipBlank(sql: string, at: number): number {
  SPACE.lastIndex = at;
  const code = sql.charCodeAt(at);
  // Most tokens follow each other directly or after one blank.
  if (code !== 0x2d && code !== 0x2f && !SPACE.test(sql)) return at;
  BLANK.lastIndex = at;
  return BLANK.test(sql) ? BLANK.lastIndex : at;
}

/** The same past empty statements. */
export function skipToStatement(sql: string, at: number): number {
  for (;;) {
    const from = skipBlank(sql, at);
    if (sql[from] !== ';') return from;
    at = from + 1;
  }
}

/** `"a ""b"""` names `a "b"`. */
export function unquote(text: string): string {
  const quote = text[0]!;
  if (quote === '[') return text.slice(1, -1);
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

function endOfQuoted(sql: string, from: number, quote: string): number {
  let at = from + 1;
  for (;;) {
    const index = sql.indexOf(quote, at);
    if (index < 0) return endOf(sql, -1);
    if (sql[index + 1] !== quote) return index + 1;
    at = index + 2;
  }
}

/** An unclosed token reaches to the end of the text. */
function endOf(sql: string, index: number): number {
  return index < 0 ? sql.length : index + 1;
}
