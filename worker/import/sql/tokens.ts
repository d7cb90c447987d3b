// Statements of other databases as tokens, for those that must be rewritten for SQLite. Text is made of bytes.
import { AppError } from '#shared/protocol/errors.ts';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { asText, byteText, isUtf8Text } from './byte-text.ts';

export interface SqlToken {
  /** `name`: a quoted name; `string`: a text, of which `value` is the content; `sql`: written for SQLite already, as text and not as bytes. */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'sign' | 'sql';
  /** Text as written in the file. */
  readonly text: string;
  /** A name or string without quotes and escapes. */
  readonly value: string;
  /** Start position. */
  readonly at: number;
}

/** A comment that is not closed goes to the end. */
const BLANK = /(?:\s+|--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$))+/y;
/** What MySQL alone reads of a comment is no comment, unless it is for a version that will never be. */
const MYSQL_BLANK =
  /(?:\s+|--(?=\s|$)[^\n]*|#[^\n]*|\/\*M?!99\d{3,4}[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)|\/\*M?!\d*|\*\/|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$))+/y;
const WORD = /[A-Za-z_\x80-\xff][\w$\x80-\xff]*/y;
const NUMBER = /0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const DOLLARS = /\$([A-Za-z_\x80-\xff][\w\x80-\xff]*)?\$/y;
const MYSQL_ESCAPES: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' };
const POSTGRES_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Escapes within `E'…'`: bytes in hexadecimal and octal digits, the two halves of a character, and characters of Unicode. */
const CODED =
  /x([\da-fA-F]{1,2})|([0-7]{1,3})|u([dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})/y;

const SPACE = 0x20;
const BACKSLASH = 0x5c;
/** First characters of what both patterns of blanks match, besides control characters and spaces. */
const BLANK_SIGNS = new Set(['-', '#', '/', '*', '\u00a0'].map((sign) => sign.charCodeAt(0)));

/** `mysql-ansi`: MySQL in a mode in which double quotes enclose names. */
export type TokenDialect = Exclude<SqlDialect, 'sqlite'> | 'mysql-ansi';

/** Each takes about a hundred bytes. Programs that write dumps end a statement after a few megabytes. */
const MAX_TOKENS = 1 << 20;

const tooMany = (): AppError =>
  AppError.tooBig(
    `It has more than ${MAX_TOKENS.toLocaleString('en-US')} words and values, which do not fit into memory. Write the dump with shorter statements.`,
  );

/** @throws AppError `too-big` */
export function tokensOf(text: string, dialect: TokenDialect): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let token = tokenAt(text, 0, dialect); token; token = tokenAt(text, endOf(token), dialect)) {
    if (tokens.length === MAX_TOKENS) throw tooMany();
    tokens.push(token);
  }
  return tokens;
}

export const endOf = ({ at, text }: SqlToken): number => at + text.length;

function tokenAt(text: string, from: number, dialect: TokenDialect): SqlToken | null {
  const isMysql = dialect === 'mysql' || dialect === 'mysql-ansi';
  const at = afterBlank(text, from, isMysql ? MYSQL_BLANK : BLANK);
  if (at >= text.length) return null;
  const character = text[at]!;
  if (character === "'") return quoted(text, at, at, 'string', isMysql ? MYSQL_ESCAPES : null);
  if (character === '"' && dialect === 'mysql') return quoted(text, at, at, 'string', MYSQL_ESCAPES);
  if (character === '"') return quoted(text, at, at, 'name', null);
  if (character === '`') return quoted(text, at, at, 'name', null);
  if (dialect === 'tsql' && character === '[') return quoted(text, at, at, 'name', null);
  const next = isMysql ? undefined : text[at + 1];
  if (next === "'" && /[eEnNbBxX]/.test(character)) return prefixed(text, at, character.toLowerCase());
  if (next === '&' && dialect === 'postgresql' && isUnicodePrefix(text, at)) return withUnicodeEscapes(text, at);
  const dollars = dialect === 'postgresql' && character === '$' ? dollarQuoted(text, at) : null;
  if (dollars) return dollars;
  const wordEnd = endOfMatch(WORD, text, at);
  const end = wordEnd < 0 ? endOfMatch(NUMBER, text, at) : wordEnd;
  if (end < 0) return { kind: 'sign', text: character, value: character, at };
  const found = text.slice(at, end);
  return { kind: wordEnd < 0 ? 'number' : 'word', text: found, value: found, at };
}

/** Most tokens follow each other, or one space: no pattern is needed to see that. */
function afterBlank(text: string, from: number, blank: RegExp): number {
  const at = text.charCodeAt(from) === SPACE ? from + 1 : from;
  const code = text.charCodeAt(at);
  const mayBeBlank = code <= SPACE || BLANK_SIGNS.has(code);
  return mayBeBlank ? Math.max(at, endOfMatch(blank, text, at)) : at;
}

function dollarQuoted(text: string, at: number): SqlToken | null {
  DOLLARS.lastIndex = at;
  const mark = DOLLARS.exec(text)?.[0];
  if (mark === undefined) return null;
  const close = text.indexOf(mark, at + mark.length);
  const end = close < 0 ? text.length : close + mark.length;
  return {
    kind: 'string',
    text: text.slice(at, end),
    value: text.slice(at + mark.length, close < 0 ? end : close),
    at,
  };
}

/** `E'…'`, `N'…'` and the bits of `B'…'` and `X'…'` of PostgreSQL. */
function prefixed(text: string, at: number, prefix: string): SqlToken {
  const token = quoted(text, at, at + 1, 'string', prefix === 'e' ? POSTGRES_ESCAPES : null);
  if (prefix !== 'x') return token;
  const bits = [...token.value].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'));
  return { ...token, value: bits.join('') };
}

/** Where an escape is none, it stays as it is, which SQLite refuses. */
function withUnicodeEscapes(text: string, at: number): SqlToken {
  const token = quoted(text, at, at + 2, text[at + 2] === '"' ? 'name' : 'string', null);
  const { escape, length } = unicodeEnd(text, endOf(token));
  const whole = text.slice(at, endOf(token) + length);
  const value = unicodeText(token.value, escape);
  return value === null ? { ...token, kind: 'sql', text: whole } : { ...token, text: whole, value };
}

/** Position after what the sticky pattern matches; -1 if it does not. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** @param open position of the quote; a letter may precede it */
function quoted(
  text: string,
  at: number,
  open: number,
  kind: 'name' | 'string',
  escapes: Readonly<Record<string, string>> | null,
): SqlToken {
  const quote = text[open] === '[' ? ']'.charCodeAt(0) : text.charCodeAt(open);
  // Joined at once: a text that grows piece by piece is taken apart again by the first search in it.
  const pieces: string[] = [];
  let isValid = true;
  let from = open + 1;
  let index = from;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      if (text.charCodeAt(index + 1) !== quote) break;
      pieces.push(text.slice(from, ++index));
      from = index + 1;
    } else if (code === BACKSLASH && escapes) {
      if (from < index) pieces.push(text.slice(from, index));
      const letter = text[++index] ?? '';
      const coded = escapes === POSTGRES_ESCAPES ? codedAt(text, index) : null;
      if (coded !== null) {
        isValid &&= coded.text !== null;
        pieces.push(coded.text ?? '');
        from = coded.end;
        index = coded.end - 1;
        continue;
      }
      // LIKE treats these two specially.
      pieces.push(
        escapes[letter] ?? (escapes === MYSQL_ESCAPES && (letter === '%' || letter === '_') ? `\\${letter}` : letter),
      );
      from = index + 1;
    }
  }
  const end = Math.min(index + 1, text.length);
  const rest = text.slice(from, index);
  const value = pieces.length === 0 ? rest : pieces.join('') + rest;
  // What is no character stays as it is, which SQLite refuses.
  return { kind: isValid ? kind : 'sql', text: text.slice(at, end), value, at };
}

/** What is written by its number behind a backslash, as bytes (null: no character), and where it ends; null: something else. */
function codedAt(text: string, at: number): { readonly text: string | null; readonly end: number } | null {
  CODED.lastIndex = at;
  const found = CODED.exec(text);
  if (!found) return null;
  const [, hex, octal, halves, short, long] = found;
  const end = CODED.lastIndex;
  if (hex !== undefined) return { text: String.fromCharCode(Number.parseInt(hex, 16)), end };
  if (octal !== undefined) return { text: String.fromCharCode(Number.parseInt(octal, 8) & 0xff), end };
  const codes = halves === undefined ? [short ?? long!] : halves.split('\\u');
  return { text: charactersOf(codes.map((code) => Number.parseInt(code, 16))), end };
}

/** The text that begins with the quote at `open`. */
export const mysqlTextAt = (text: string, open: number): SqlToken => quoted(text, open, open, 'string', MYSQL_ESCAPES);

export const isWord = (token: SqlToken | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toUpperCase());

export const isSign = (token: SqlToken | undefined, sign: string): boolean =>
  token?.kind === 'sign' && token.text === sign;

/** Places of the AS of a CAST, and of the parenthesis that ends it. */
export interface Cast {
  readonly as: number;
  readonly end: number;
}

/** Each `CAST (… AS type)` by its place, found in one pass: there may be thousands within each other. */
export function castsIn(tokens: readonly SqlToken[]): ReadonlyMap<number, Cast> {
  const casts = new Map<number, Cast>();
  const open: { readonly at: number; as: number }[] = [];
  for (const [at, token] of tokens.entries()) {
    const last = open.at(-1);
    if (isSign(token, '(')) open.push({ at, as: -1 });
    else if (isSign(token, ')')) {
      open.pop();
      if (last !== undefined && last.as >= 0 && isWord(tokens[last.at - 1], 'CAST'))
        casts.set(last.at - 1, { as: last.as, end: at });
    } else if (last !== undefined && isWord(token, 'AS')) last.as = at;
  }
  return casts;
}

/** Whether a column is computed: `AS (…)`. @param tokens after its type */
export const isComputed = (tokens: readonly SqlToken[]): boolean =>
  tokens.some((token, at) => isWord(token, 'AS') && isSign(tokens[at + 1], '('));

/** `PERIOD FOR SYSTEM_TIME (a, b)` among the columns of a table: which of them hold the time of a row. */
export const isPeriod = ([first, second]: readonly SqlToken[]): boolean =>
  isWord(first, 'PERIOD') && isWord(second, 'FOR');

/** Returns the index after the parenthesis that closes the one at `at`. */
export function afterParentheses(tokens: readonly SqlToken[], at: number): number {
  let depth = 0;
  for (let index = at; index < tokens.length; index++) {
    if (isSign(tokens[index], '(')) depth++;
    else if (isSign(tokens[index], ')') && --depth === 0) return index + 1;
  }
  return tokens.length;
}

/** What is in the parentheses that are around all of it: `((1))`. */
export function withoutParentheses(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let [from, to] = [0, tokens.length];
  const closes = closings(tokens);
  while (to - from > 2 && isSign(tokens[from], '(') && closes.get(from) === to - 1) {
    from++;
    to--;
  }
  return tokens.slice(from, to);
}

/** The place of each parenthesis that closes, by that of the one it closes. */
function closings(tokens: readonly SqlToken[]): ReadonlyMap<number, number> {
  const open: number[] = [];
  const closes = new Map<number, number>();
  tokens.forEach((token, at) => {
    if (isSign(token, '(')) open.push(at);
    const from = isSign(token, ')') ? open.pop() : undefined;
    if (from !== undefined) closes.set(from, at);
  });
  return closes;
}

/** What stands in parentheses behind each CHECK, with them. Inside of other parentheses the word is something else. */
export function checksIn(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const checks: (readonly SqlToken[])[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isSign(tokens[at], '(')) continue;
    const end = afterParentheses(tokens, at);
    if (isWord(tokens[at - 1], 'CHECK')) checks.push(tokens.slice(at, end));
    at = end - 1;
  }
  return checks;
}

/** The lists between commas outside of parentheses. */
export function splitAtCommas(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, '(')) depth++;
    else if (isSign(token, ')')) depth--;
    if (depth === 0 && isSign(token, ',')) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

// `U&'d\0061t\+000061'` and `U&"d!0061" UESCAPE '!'` of PostgreSQL (postgresql.org/docs/current/sql-syntax-lexical.html, 4.1.2.3).

const UESCAPE = /\s+UESCAPE\s+'([^\s\da-f+'"])'/iy;
const LONE_SURROGATE = /\p{Surrogate}/u;

const encoder = new TextEncoder();

const isUnicodePrefix = (text: string, at: number): boolean => /^U&['"]/i.test(text.slice(at, at + 3));

interface UnicodeEnd {
  readonly escape: string;
  /** Length of ` UESCAPE '!'`; 0 where there is none. */
  readonly length: number;
}

/** What follows the closing quote before `at`. */
function unicodeEnd(text: string, at: number): UnicodeEnd {
  UESCAPE.lastIndex = at;
  const [found = '', escape = '\\'] = UESCAPE.exec(text) ?? [];
  return { escape, length: found.length };
}

/** The text that is meant, as bytes; null where an escape is none. @param value between the quotes, of bytes */
function unicodeText(value: string, escape: string): string | null {
  if (!isUtf8Text(value)) return null;
  const mark = `\\u{${escape.codePointAt(0)!.toString(16)}}`;
  const pattern = new RegExp(`${mark}(?:(${mark})|([\\da-f]{4})|\\+([\\da-f]{6}))?`, 'giu');
  let isValid = true;
  const text = asText(value).replace(pattern, (_found, twice?: string, short?: string, long?: string) => {
    if (twice !== undefined) return escape;
    const code = Number.parseInt(short ?? long ?? '0', 16);
    isValid &&= code > 0 && code <= 0x10ffff;
    return isValid ? String.fromCodePoint(code) : '';
  });
  return isValid ? bytesOfText(text) : null;
}

/** Null where one is no character. */
function charactersOf(codes: readonly number[]): string | null {
  return codes.every((code) => code > 0 && code <= 0x10ffff) ? bytesOfText(String.fromCodePoint(...codes)) : null;
}

/** Two escapes may be the halves of one character. */
const bytesOfText = (text: string): string | null =>
  LONE_SURROGATE.test(text) ? null : byteText(encoder.encode(text));
