// Splits a file of SQL into statements while it is read: it keeps one statement in memory, whatever the size of the file.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { leadingWords } from '#shared/split-statements.ts';
import { isExecutedComment } from './mysql-comments.ts';
import type { SqlItem } from './sql-items.ts';

// Ends of statements of SQL Server, which needs no semicolon: a statement ends where a line begins another one, and a batch with GO.

const NEXT_STATEMENT =
  /\n[ \t\r]*(?:INSERT|CREATE|ALTER|DROP|USE|PRINT|EXEC|EXECUTE|DECLARE|TRUNCATE|GRANT|DENY|IF|BEGIN|COMMIT|SET|DELETE|UPDATE)\b/iy;
const GO = /[ \t]*GO(?:[ \t]+\d+)?[ \t]*(?:--[^\n]*)?(?:\r?\n|$)/iy;
const REPEATED_GO = /[ \t]*GO[ \t]+0*(?!1\b)\d/iy;
const WHOLE_BATCH = /^(?:CREATE|ALTER)\s+(?:OR\s+ALTER\s+)?(?:PROC|PROCEDURE|FUNCTION|TRIGGER|VIEW)\b/i;
/** Characters after a line break that say whether a statement begins there. */
const LONGEST_NEXT = 200;

/** The place after a line with GO at `at`; null for any other line, and for one that is not read to its end. */
function endOfGo(text: string, at: number, isLast: boolean): number | null {
  GO.lastIndex = at;
  if (!GO.test(text)) return null;
  const isWhole = GO.lastIndex < text.length || isLast || text[GO.lastIndex - 1] === '\n';
  return isWhole ? GO.lastIndex : null;
}

/** `GO 5` runs its batch five times. */
function isRepeatedGo(text: string, at: number): boolean {
  REPEATED_GO.lastIndex = at;
  return REPEATED_GO.test(text);
}

/** It ends with its batch. */
const isWholeBatch = (text: string): boolean => WHOLE_BATCH.test(text.slice(0, 100));

/** @param at of a line break. @param depth open parentheses before it */
function beginsStatement(text: string, at: number, depth: number): boolean {
  GO.lastIndex = at + 1;
  if (GO.test(text)) return true;
  NEXT_STATEMENT.lastIndex = at;
  const next = NEXT_STATEMENT.exec(text)?.[0].trim().toUpperCase();
  if (next === undefined || depth > 0 || isWholeBatch(text)) return false;
  // `UPDATE t` and `SET a = 1` may be two lines.
  return next !== 'SET' || !/^UPDATE\b/i.test(text);
}

const BLANK = /[ \t\n\v\f\r]/;
const WORD_CHARACTER = /[\w$\x80-\xff]/;
const DOLLAR_TAG = /\$(?:[A-Za-z_\x80-\xff][\w\x80-\xff]*)?\$/y;
/** The character that a line for the program begins with: psql, sqlite3, sqlcmd. */
const COMMANDS: Readonly<Record<string, string>> = { postgresql: '\\', sqlite: '.', tsql: ':' };
const DELIMITER_COMMAND = /DELIMITER[ \t]+(\S+)[^\n]*(?:\n|$)/iy;
const COPY_COMMAND = /^COPY\s(?:[^;"]|"[^"]*")*\bFROM\s+stdin\b/i;
/** The line after the last row. */
const COPY_END = '\\.';
/** The body of a trigger ends with this between two semicolons. */
const END_OF_TRIGGER =
  /^(?:\s|--[^\n]*\n|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*end(?:\s|--[^\n]*\n|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*$/i;
/** Comments may come before the word TRIGGER. */
const BEGINNING = 1 << 16;
const AFTER = 60;
/** Characters that may begin something in which a delimiter ends nothing. */
const SPECIAL = new Uint8Array(256);
for (const character of `'"\`[$#-/`) SPECIAL[character.charCodeAt(0)] = 1;

interface TextModes {
  /** Double quotes of MySQL enclose names, in which a backslash is one. */
  readonly hasAnsiQuotes?: boolean;
  /** Backslashes are escapes in texts without a prefix, too. */
  readonly hasEscapes?: boolean;
}

export class StatementSplitter {
  readonly #dialect: SqlDialect;
  readonly #hasTextInDoubleQuotes: boolean;
  readonly #hasEscapes: boolean;
  /** Text that has not been handed out. */
  #text = '';
  /** `#text` has been scanned up to here; the statement begins at 0. */
  #scanned = 0;
  #line = 1;
  #isLast = false;
  #delimiter = ';';
  #inCopy = false;
  #isTrigger: boolean | null = null;
  /** Behind the last semicolon inside the definition of a trigger; -1 where there was none. */
  #behindSemicolon = -1;
  /** Open parentheses, where the end of a statement depends on them. */
  #depth = 0;

  constructor(dialect: SqlDialect, { hasAnsiQuotes = false, hasEscapes = dialect === 'mysql' }: TextModes = {}) {
    this.#dialect = dialect;
    this.#hasTextInDoubleQuotes = dialect === 'mysql' && !hasAnsiQuotes;
    this.#hasEscapes = hasEscapes;
  }

  /** Characters that wait for the rest of their statement. */
  get pending(): number {
    return this.#text.length;
  }

  /** Line where the incomplete statement begins. */
  get line(): number {
    return this.#line;
  }

  /** Continues on another line. Call where nothing is pending. */
  moveTo(line: number): void {
    this.#line = line;
  }

  /** Forgets the incomplete statement, and returns how long it is so far: it is to be fed again. */
  takeBack(): number {
    const { length } = this.#text;
    this.#text = '';
    this.#take(0);
    return length;
  }

  /** @param pieces one character for each byte. They are joined once: a long statement is most of the memory that reading takes. */
  feed(pieces: readonly string[], isLast: boolean): void {
    this.#text = [this.#text, ...pieces].join('');
    this.#isLast = isLast;
  }

  /** The next item; null when more of the file is needed, or at its end. */
  next(): SqlItem | null {
    if (this.#inCopy) return this.#copiedRows();
    if (this.#scanned === 0 && !this.#skipToStatement()) return null;
    if (this.#scanned === 0) {
      const command = this.#command();
      if (command !== undefined) return command;
    }
    const end = this.#endOfStatement();
    if (end >= 0) return this.#statement(end, false);
    if (!this.#isLast) return null;
    return this.#text === '' ? null : this.#statement(this.#text.length, true);
  }

  #statement(end: number, isOpen: boolean): SqlItem {
    const isDelimited = !isOpen && this.#text.startsWith(this.#delimiter, end - this.#delimiter.length);
    const text = this.#text.slice(0, isDelimited ? end - this.#delimiter.length : end);
    const { line } = this;
    // Comments reach to the end of the file.
    const isQuoted = isOpen && this.#scanned < end;
    const after = this.#text.slice(end, end + AFTER);
    this.#take(end);
    if (this.#dialect === 'postgresql' && COPY_COMMAND.test(text)) {
      this.#inCopy = true;
      // The rows begin in the next line.
      const next = this.#text.indexOf('\n');
      this.#take(next < 0 ? 0 : next + 1);
    }
    return { kind: 'statement', text, line, isOpen, isQuoted, after };
  }

  #take(length: number): void {
    for (let at = this.#text.indexOf('\n'); at >= 0 && at < length; at = this.#text.indexOf('\n', at + 1)) this.#line++;
    this.#text = this.#text.slice(length);
    this.#scanned = 0;
    this.#isTrigger = null;
    this.#behindSemicolon = -1;
    this.#depth = 0;
  }

  /** Skips white space, comments and lone semicolons. False when there may be more of them. */
  #skipToStatement(): boolean {
    let at = 0;
    for (;;) {
      at = afterBlanks(this.#text, at);
      const end = this.#endOfGo(at) ?? this.#endOfDelimiter(at) ?? this.#endOfComment(at);
      if (end === at) break;
      if (end < 0) {
        this.#take(this.#isLast ? this.#text.length : at);
        return false;
      }
      at = end;
    }
    this.#take(at);
    // A comment may begin with the next character.
    return this.#text.length > (this.#isLast ? 0 : AFTER);
  }

  #endOfGo(at: number): number | null {
    return this.#dialect === 'tsql' && !isRepeatedGo(this.#text, at) ? endOfGo(this.#text, at, this.#isLast) : null;
  }

  /** The end of a line of MySQL that changes the delimiter; null for any other. */
  #endOfDelimiter(at: number): number | null {
    if (this.#dialect !== 'mysql') return null;
    DELIMITER_COMMAND.lastIndex = at;
    const found = DELIMITER_COMMAND.exec(this.#text);
    if (!found || (!found[0].endsWith('\n') && !this.#isLast)) return null;
    this.#delimiter = found[1]!;
    return DELIMITER_COMMAND.lastIndex;
  }

  /** Returns the end of the comment at `at`; `at` where there is none; -1 when the end is not read yet. */
  #endOfComment(at: number): number {
    const text = this.#text;
    const isLine =
      (text[at] === '#' && this.#dialect === 'mysql') ||
      (text.startsWith('--', at) && (this.#dialect !== 'mysql' || BLANK.test(text[at + 2] ?? ' ')));
    if (isLine) return endOf(text, '\n', at, this.#isLast);
    if (!text.startsWith('/*', at)) return at;
    // A comment that only MySQL reads is a statement.
    if (this.#dialect === 'mysql' && isExecutedComment(text, at)) return at;
    return endOf(text, '*/', at + 2, this.#isLast);
  }

  /** A line for the program that reads the file. Undefined: no such line; null: it is incomplete. */
  #command(): SqlItem | null | undefined {
    const text = this.#text;
    if (text[0] !== COMMANDS[this.#dialect] && !(this.#dialect === 'tsql' && isRepeatedGo(text, 0))) return undefined;
    const end = endOf(text, '\n', 0, this.#isLast);
    if (end < 0) return null;
    const { line } = this;
    this.#take(end);
    return { kind: 'command', text: text.slice(0, end).trimEnd(), line };
  }

  /** Returns the position after the delimiter; -1 when it is not read yet. */
  #endOfStatement(): number {
    const text = this.#text;
    const { length } = text;
    const delimiter = this.#delimiter.charCodeAt(0);
    let at = this.#scanned;
    while (at < length) {
      const code = text.charCodeAt(at);
      let end = at + 1;
      if (this.#dialect === 'tsql') {
        if (code === 0x28) this.#depth++;
        else if (code === 0x29) this.#depth--;
        else if (code === 0x0a) {
          if (length - at < LONGEST_NEXT && !this.#isLast) break;
          if (beginsStatement(text, at, this.#depth)) return at;
        }
      }
      if (code === delimiter) {
        if (this.#delimiter.length > 1 && !text.startsWith(this.#delimiter, at)) end = at + 1;
        else if (!this.#isInTrigger(at) && !(this.#dialect === 'tsql' && isWholeBatch(text)))
          return at + this.#delimiter.length;
      } else if (SPECIAL[code] === 1) end = this.#endOfToken(code, at);
      if (end < 0) break;
      at = end;
    }
    this.#scanned = at;
    return -1;
  }

  /** Returns the end of a quoted text, name, or comment at `at`; the next place where there is none; -1 when it is not read to its end. */
  #endOfToken(code: number, at: number): number {
    const text = this.#text;
    switch (code) {
      case 0x27: // '
        return this.#endOfQuoted(at, "'", this.#hasBackslashes(at));
      case 0x22: // "
        return this.#endOfQuoted(at, '"', this.#hasTextInDoubleQuotes && this.#hasEscapes);
      case 0x60: // `
        return this.#dialect === 'postgresql' || this.#dialect === 'tsql' ? at + 1 : this.#endOfQuoted(at, '`', false);
      case 0x5b: // [
        return this.#dialect === 'sqlite' || this.#dialect === 'tsql' ? endOf(text, ']', at, false) : at + 1;
      case 0x24: // $
        return this.#dialect === 'postgresql' ? this.#endOfDollars(at) : at + 1;
      case 0x23: // #
      case 0x2d: // -
      case 0x2f: // /
        return this.#endInside(at);
      default:
        return at + 1;
    }
  }

  #endInside(at: number): number {
    // `/*!999999` is a comment, `/*!50000` is not.
    if (this.#text.length - at < 12 && !this.#isLast) return -1;
    const end = this.#endOfComment(at);
    return end === at ? at + 1 : end;
  }

  /** `E'…'` of PostgreSQL, and every text of MySQL. */
  #hasBackslashes(at: number): boolean {
    if (this.#hasEscapes || this.#dialect !== 'postgresql') return this.#hasEscapes;
    const before = this.#text[at - 1];
    return (before === 'E' || before === 'e') && !WORD_CHARACTER.test(this.#text[at - 2] ?? ' ');
  }

  #endOfQuoted(from: number, quote: string, hasBackslashes: boolean): number {
    const text = this.#text;
    for (let at = text.indexOf(quote, from + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
      if (hasBackslashes && isEscaped(text, at, from)) continue;
      if (text[at + 1] === quote) at++;
      // The other half of a doubled one may come next.
      else return at + 1 < text.length || this.#isLast ? at + 1 : -1;
    }
    return -1;
  }

  #endOfDollars(at: number): number {
    const text = this.#text;
    if (WORD_CHARACTER.test(text[at - 1] ?? ' ')) return at + 1;
    DOLLAR_TAG.lastIndex = at;
    const tag = DOLLAR_TAG.exec(text)?.[0];
    if (tag === undefined) return text.length - at < 80 && !this.#isLast && !text.includes('\n', at) ? -1 : at + 1;
    const end = text.indexOf(tag, at + tag.length);
    return end < 0 ? -1 : end + tag.length;
  }

  /** Semicolons inside CREATE TRIGGER end no statement, where there is no delimiter of its own. */
  #isInTrigger(at: number): boolean {
    if (this.#dialect !== 'sqlite') return false;
    this.#isTrigger ??= /^c/i.test(this.#text) && isTrigger(this.#text.slice(0, Math.min(at, BEGINNING)));
    if (!this.#isTrigger) return false;
    const from = this.#behindSemicolon;
    this.#behindSemicolon = at + 1;
    return from < 0 || !END_OF_TRIGGER.test(this.#text.slice(from, at));
  }

  /** Takes whole lines, up to the one that ends them. */
  #copiedRows(): SqlItem | null {
    const text = this.#text;
    const { line } = this;
    for (let end = nextMark(text, 0); end >= 0; end = nextMark(text, end + 1)) {
      const rest = endOf(text, '\n', end, this.#isLast);
      // The line may continue.
      if (rest < 0) return null;
      // In the format CSV, a value may begin so.
      if (text.slice(end, rest).trimEnd() !== COPY_END) continue;
      this.#inCopy = false;
      this.#take(rest);
      return { kind: 'rows', text: text.slice(0, end), line, isEnd: true, isOpen: false };
    }
    if (this.#isLast) {
      this.#inCopy = false;
      this.#take(text.length);
      return { kind: 'rows', text, line, isEnd: true, isOpen: true };
    }
    const whole = text.lastIndexOf('\n') + 1;
    if (whole === 0) return null;
    this.#take(whole);
    return { kind: 'rows', text: text.slice(0, whole), line, isEnd: false, isOpen: false };
  }
}

/** Where a line begins as the one after the last row does; -1 where none is. */
function nextMark(text: string, from: number): number {
  if (from === 0 && text.startsWith(COPY_END)) return 0;
  const at = text.indexOf(`\n${COPY_END}`, Math.max(0, from - 1));
  return at < 0 ? -1 : at + 1;
}

/** White space and semicolons: there can be millions. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x3b && code !== 0x20 && (code < 9 || code > 13)) break;
  }
  return at;
}

function isTrigger(text: string): boolean {
  const [first, second, third] = leadingWords(text, 0, 3);
  return first === 'CREATE' && (second === 'TRIGGER' || (second?.startsWith('TEMP') === true && third === 'TRIGGER'));
}

function isEscaped(text: string, at: number, from: number): boolean {
  let backslashes = 0;
  for (let before = at - 1; before > from && text.charCodeAt(before) === 0x5c; before--) backslashes++;
  return backslashes % 2 === 1;
}

/** Returns the position after the next `mark`; -1 when it is not read yet, the end of the text when it never will be. */
function endOf(text: string, mark: string, from: number, isLast: boolean): number {
  const at = text.indexOf(mark, from);
  if (at >= 0) return at + mark.length;
  return isLast ? text.length : -1;
}
