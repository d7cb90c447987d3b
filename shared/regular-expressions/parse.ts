// Reads the text of a regular expression: the part of JavaScript's syntax that can be matched in linear time.
import { AppError } from '../protocol/errors.ts';

/** Inclusive ranges of code points, sorted and apart from each other. */
export type CodeRanges = readonly (readonly [from: number, to: number])[];

export type Assertion = 'start' | 'end' | 'word' | 'no-word';

export type Node =
  | { readonly kind: 'chars'; readonly ranges: CodeRanges }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'all'; readonly parts: readonly Node[] }
  | { readonly kind: 'any'; readonly parts: readonly Node[] }
  /** `most`: Infinity for no limit. */
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

const LAST = 0x10ffff;
const DIGIT: CodeRanges = [[48, 57]];
export const WORD: CodeRanges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACE = sorted([
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
const LINE_ENDS: CodeRanges = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };
/** More are of no use to a person, and make the automaton large. */
const MOST_REPEATS = 1000;
const DEEPEST = 200;
/** Reading one takes time with its length, at worst some thousand steps for each character. */
const MOST_CHARS = 10_000;

/** @throws AppError `invalid` with what is wrong, and where */
export function parseExpression(text: string): Node {
  if (text.length > MOST_CHARS)
    throw AppError.invalid(
      `A regular expression can have at most 10,000 characters, and this one has ${text.length.toLocaleString('en-US')}.`,
    );
  const flags = /^\(\?([ims]+)\)/.exec(text);
  const reader = new Reader(text, flags?.[0].length ?? 0, flags?.[1] ?? '');
  const node = reader.alternatives(0);
  if (!reader.isAtEnd) reader.fail('There is a “)” without “(”.');
  return node;
}

class Reader {
  readonly #chars: readonly string[];
  readonly #ignoresCase: boolean;
  readonly #dotIsAny: boolean;
  #at: number;

  constructor(text: string, at: number, flags: string) {
    this.#chars = [...text];
    this.#at = at;
    this.#ignoresCase = flags.includes('i');
    this.#dotIsAny = flags.includes('s');
    if (flags.includes('m')) this.fail('The flag m is not supported.');
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#chars.length;
  }

  fail(what: string): never {
    throw AppError.invalid(
      `This is not a regular expression that Sidelite can use, at character ${this.#at + 1}: ${what}`,
    );
  }

  alternatives(depth: number): Node {
    if (depth > DEEPEST) this.fail('Parentheses are nested too deeply.');
    const parts = [this.#sequence(depth)];
    while (this.#take('|')) parts.push(this.#sequence(depth));
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts };
  }

  #sequence(depth: number): Node {
    const parts: Node[] = [];
    while (!this.isAtEnd && this.#next !== '|' && this.#next !== ')') parts.push(this.#repeated(depth));
    return parts.length === 1 ? parts[0]! : { kind: 'all', parts };
  }

  #repeated(depth: number): Node {
    let part = this.#atom(depth);
    for (;;) {
      const counts = this.#counts();
      if (counts === null) return part;
      if (part.kind === 'assert') this.fail('There is nothing to repeat.');
      // Whether as few or as many as possible are taken decides what is found, not whether something is.
      this.#take('?');
      part = { kind: 'repeat', part, ...counts };
      if (this.#counts() !== null) this.fail('There is nothing to repeat.');
    }
  }

  #counts(): { readonly least: number; readonly most: number } | null {
    if (this.#take('*')) return { least: 0, most: Infinity };
    if (this.#take('+')) return { least: 1, most: Infinity };
    if (this.#take('?')) return { least: 0, most: 1 };
    if (this.#next !== '{') return null;
    const braces = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#chars.slice(this.#at, this.#at + 16).join(''));
    if (!braces) this.fail('Write \\{ for the character {.');
    const least = Number(braces[1]);
    const most = braces[2] === undefined ? least : braces[3] === '' ? Infinity : Number(braces[3]);
    if (most < least) this.fail('The numbers of {…} are in the wrong order.');
    if (Math.max(least, most === Infinity ? 0 : most) > MOST_REPEATS)
      this.fail(`Nothing can be repeated more than ${MOST_REPEATS} times.`);
    this.#at += braces[0].length;
    return { least, most };
  }

  #atom(depth: number): Node {
    const char = this.#next!;
    this.#at++;
    switch (char) {
      case '(':
        return this.#group(depth);
      case '[':
        return this.#chosen(this.#charClass());
      case '.':
        return this.#chosen(this.#dotIsAny ? [[0, LAST]] : without(LINE_ENDS));
      case '^':
        return { kind: 'assert', assertion: 'start' };
      case '$':
        return { kind: 'assert', assertion: 'end' };
      case '*':
      case '+':
      case '?':
        this.#at--;
        return this.fail('There is nothing to repeat.');
      case '{':
        this.#at--;
        return this.fail('Write \\{ for the character {.');
      case '\\':
        if (this.#take('b')) return { kind: 'assert', assertion: 'word' };
        if (this.#take('B')) return { kind: 'assert', assertion: 'no-word' };
        return this.#chosen(this.#escape());
      default:
        return this.#chosen(one(char.codePointAt(0)!));
    }
  }

  #group(depth: number): Node {
    if (this.#take('?') && !this.#take(':'))
      this.fail(
        'Only groups (…) and (?:…) are supported; lookahead and lookbehind are not. Flags such as (?i) come first.',
      );
    const node = this.alternatives(depth + 1);
    if (!this.#take(')')) this.fail('A “)” is missing.');
    // So that a repetition of it is one of the group.
    return { kind: 'all', parts: [node] };
  }

  #charClass(): CodeRanges {
    const isInverse = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#take(']')) {
      if (this.isAtEnd) this.fail('A “]” is missing.');
      const first = this.#classPart();
      if (
        this.#next === '-' &&
        this.#chars[this.#at + 1] !== ']' &&
        first.length === 1 &&
        first[0]![0] === first[0]![1]
      ) {
        this.#at++;
        if (this.isAtEnd) this.fail('A “]” is missing.');
        const last = this.#classPart();
        if (last.length !== 1 || last[0]![0] !== last[0]![1])
          this.fail('A range of characters ends with one character.');
        if (last[0]![0] < first[0]![0]) this.fail('The ends of a range of characters are in the wrong order.');
        ranges.push([first[0]![0], last[0]![0]]);
      } else ranges.push(...first);
    }
    const found = this.#ignoresCase ? bothCases(sorted(ranges)) : sorted(ranges);
    return isInverse ? without(found) : found;
  }

  #classPart(): CodeRanges {
    const char = this.#next!;
    this.#at++;
    if (char !== '\\') return one(char.codePointAt(0)!);
    return this.#take('b') ? one(8) : this.#escape();
  }

  /** Parses what follows the backslash. */
  #escape(): CodeRanges {
    const char = this.#next;
    if (char === undefined) this.fail('A character is missing after \\.');
    this.#at++;
    if (char === 'd') return DIGIT;
    if (char === 'D') return without(DIGIT);
    if (char === 'w') return WORD;
    if (char === 'W') return without(WORD);
    if (char === 's') return SPACE;
    if (char === 'S') return without(SPACE);
    if (char === 'x' || char === 'u') return one(this.#hex(char));
    if (/[1-9]/.test(char)) this.fail('Back references to groups are not supported.');
    const control = CONTROLS[char];
    if (control !== undefined) return one(control);
    if (/[A-Za-z]/.test(char)) this.fail(`There is no \\${char}.`);
    return one(char.codePointAt(0)!);
  }

  #hex(kind: 'x' | 'u'): number {
    const rest = this.#chars.slice(this.#at, this.#at + 8).join('');
    const digits = (kind === 'x' ? /^([\da-f]{2})/i : /^(?:([\da-f]{4})|\{([\da-f]{1,6})\})/i).exec(rest);
    const code = digits && Number.parseInt(digits[1] ?? digits[2]!, 16);
    if (digits === null || code === null || code > LAST) this.fail('The number of the character is missing.');
    this.#at += digits[0].length;
    return code;
  }

  #chosen(ranges: CodeRanges): Node {
    return { kind: 'chars', ranges: this.#ignoresCase ? bothCases(ranges) : ranges };
  }

  get #next(): string | undefined {
    return this.#chars[this.#at];
  }

  #take(char: string): boolean {
    if (this.#next !== char) return false;
    this.#at++;
    return true;
  }
}

const one = (code: number): CodeRanges => [[code, code]];

function sorted(ranges: readonly (readonly [number, number])[]): CodeRanges {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function without(ranges: CodeRanges): CodeRanges {
  const rest: [number, number][] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from > at) rest.push([at, from - 1]);
    at = to + 1;
  }
  if (at <= LAST) rest.push([at, LAST]);
  return rest;
}

/** The scripts that have cases end below this, except for a few that are never typed. */
const LAST_CASED = 0x24ff;

/** Letters with their other case, as far as one stands for one. Made when it is first needed. */
let casePairs: readonly (readonly [number, number])[] | null = null;

function bothCases(ranges: CodeRanges): CodeRanges {
  casePairs ??= findCasePairs();
  const others = casePairs.filter(([code]) => ranges.some(([from, to]) => code >= from && code <= to));
  return sorted([...ranges, ...others.map(([, other]) => [other, other] as const)]);
}

function findCasePairs(): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let code = 0; code <= LAST_CASED; code++) {
    const char = String.fromCharCode(code);
    for (const other of new Set([char.toLowerCase(), char.toUpperCase()]))
      if (other !== char && other.length === 1) pairs.push([code, other.charCodeAt(0)]);
  }
  return pairs;
}
