// JSON over several lines: checked and indented in one pass, in slices, keeping only the requested part.

/** Deeper levels are not broken into lines: each line would begin with more blanks than a panel is wide. */
export const MAX_LEVELS = 24;
const SLICE_CHARS = 16_384;
const BREAKS = Array.from({ length: MAX_LEVELS + 1 }, (_, level) => `\n${'  '.repeat(level)}`);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** The longest word, `false`, is shorter than this. */
const MAX_WORD_CHARS = 6;

export interface JsonPart {
  readonly text: string;
  /** Where it ends in the whole indented text. */
  readonly to: number;
  /** Length of the whole indented text; if the value is cut, of the part that is available. */
  readonly totalChars: number;
  readonly hasDeeperLevels: boolean;
}

export interface JsonOptions {
  /** Offset in the indented text. */
  readonly from: number;
  readonly maxChars: number;
  readonly maxLines: number;
  /** The text is only the beginning of the value: it may end anywhere. */
  readonly isCut: boolean;
}

/** Whether it is worth trying: only objects and arrays are shown as JSON. */
export const looksLikeJson = (text: string): boolean => /^[ \t\r\n]*[[{]/.test(text.slice(0, 1000));

type Expected = 'value' | 'value or ]' | 'key or }' | 'key' | ':' | ', or end' | 'end';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isDelimiter = (code: number): boolean =>
  isSpace(code) || code === 0x2c || code === 0x3a || code === 0x5d || code === 0x7d || code === 0x5b || code === 0x7b;

/** Time and memory grow with the length of the text alone, however deep it is. Numbers keep their digits: they are never parsed. */
export class JsonIndenter {
  readonly #text: string;
  readonly #options: JsonOptions;
  /** Code of each bracket that is open. */
  readonly #open: number[] = [];
  readonly #pieces: string[] = [];
  #at = 0;
  /** Start of the string or word being read; −1 between them. */
  #start = -1;
  #expected: Expected = 'value';
  #total = 0;
  #lines = 0;
  #to: number;
  #hasDeeperLevels = false;

  constructor(text: string, options: JsonOptions) {
    this.#text = text;
    this.#options = options;
    this.#to = options.from + options.maxChars;
  }

  /** Continues for about 16,000 characters. Null: not JSON. `'more'`: call it again. */
  read(): JsonPart | null | 'more' {
    const end = Math.min(this.#text.length, this.#at + SLICE_CHARS);
    while (this.#at < end) if (!this.#step(end)) return null;
    if (this.#at < this.#text.length) return 'more';
    if (this.#expected !== 'end' && !this.#options.isCut) return null;
    if (this.#start >= 0) this.#put(this.#text.slice(this.#start));
    return {
      text: this.#pieces.join(''),
      to: Math.min(this.#to, this.#total),
      totalChars: this.#total,
      hasDeeperLevels: this.#hasDeeperLevels,
    };
  }

  /** False: not JSON. */
  #step(end: number): boolean {
    if (this.#start >= 0) return this.#text.charCodeAt(this.#start) === QUOTE ? this.#inString(end) : this.#inWord(end);
    const code = this.#text.charCodeAt(this.#at);
    if (isSpace(code)) {
      this.#at++;
      return true;
    }
    if (this.#expected === ':' || this.#expected === ', or end') return this.#between(code);
    return this.#begin(code);
  }

  /** Begins a value or a key, or ends an empty pair of brackets. */
  #begin(code: number): boolean {
    const isFirst = this.#expected === 'value or ]' || this.#expected === 'key or }';
    if (isFirst && code === this.#open.at(-1)! + 2) return this.#close(code, true);
    const isKey = this.#expected === 'key' || this.#expected === 'key or }';
    if (this.#expected === 'end' || (isKey && code !== QUOTE)) return false;
    // The root must be an object or array.
    const isBracket = code === 0x5b || code === 0x7b;
    if (this.#open.length === 0 && !isBracket) return false;
    if (isFirst) this.#break(this.#open.length);
    if (!isBracket) {
      this.#start = this.#at;
      this.#at++;
      return true;
    }
    this.#open.push(code);
    this.#expected = code === 0x5b ? 'value or ]' : 'key or }';
    return this.#take(code);
  }

  #between(code: number): boolean {
    const bracket = this.#open.at(-1)!;
    if (this.#expected === ':') {
      if (code !== 0x3a) return false;
      this.#expected = 'value';
      this.#at++;
      this.#put(': ');
      return true;
    }
    // The codes of `]` and `}` are two more than those of their partners.
    if (code === bracket + 2) return this.#close(code, false);
    if (code !== 0x2c) return false;
    this.#expected = bracket === 0x5b ? 'value' : 'key';
    this.#take(code);
    this.#break(this.#open.length);
    return true;
  }

  #close(code: number, isEmpty: boolean): boolean {
    const level = this.#open.length;
    this.#open.pop();
    if (!isEmpty && level <= MAX_LEVELS) this.#put(BREAKS[level - 1]!);
    this.#expected = level === 1 ? 'end' : ', or end';
    return this.#take(code);
  }

  #inString(end: number): boolean {
    const text = this.#text;
    for (; this.#at < end; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code < 0x20) return false;
      if (code === BACKSLASH) {
        const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(this.#at, this.#at + 6));
        // An escape may be cut at the end of a cut value.
        if (!escape && !(this.#options.isCut && this.#at + 6 > text.length)) return false;
        this.#at += (escape?.[0].length ?? 6) - 1;
      } else if (code === QUOTE) {
        this.#at++;
        this.#ended(this.#expected === 'key' || this.#expected === 'key or }');
        return true;
      }
    }
    this.#at = Math.min(this.#at, text.length);
    return true;
  }

  #inWord(end: number): boolean {
    while (this.#at < end && !isDelimiter(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === end) return true;
    const length = this.#at - this.#start;
    const word = this.#text.slice(this.#start, this.#at);
    const isKnown = length < MAX_WORD_CHARS && (word === 'true' || word === 'false' || word === 'null');
    if (!isKnown && !NUMBER.test(word)) return false;
    this.#ended(false);
    return true;
  }

  #ended(isKey: boolean): void {
    this.#put(this.#text.slice(this.#start, this.#at));
    this.#start = -1;
    this.#expected = isKey ? ':' : ', or end';
  }

  #take(code: number): true {
    this.#at++;
    this.#put(String.fromCharCode(code));
    return true;
  }

  #break(level: number): void {
    if (level <= MAX_LEVELS) return this.#put(BREAKS[level]!);
    this.#hasDeeperLevels = true;
    if (this.#expected === 'value' || this.#expected === 'key') this.#put(' ');
  }

  #put(text: string): void {
    const { from, maxLines } = this.#options;
    if (text.charCodeAt(0) === 0x0a && this.#total >= from && ++this.#lines === maxLines)
      this.#to = Math.min(this.#to, this.#total);
    const start = Math.max(0, from - this.#total);
    const end = this.#to - this.#total;
    if (start < text.length && end > 0) this.#pieces.push(text.slice(start, end));
    this.#total += text.length;
  }
}
