// Finds regular expressions that take more than linear time on a text that a stranger may have written: each is run on texts in which a part of it
// is repeated, as its own quantifiers suggest.
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { ROOT } from './paths.ts';

/** Characters of the texts. A pattern in linear time takes about a millisecond, one in quadratic time about a second. */
const LENGTH = 40_000;
const SLOW_MS = 60;
/** Repetitions, which grow up to {@link LENGTH}: at that length some patterns would never end, and with each step they take four times as long. */
const FEWEST = 12;
const STEP = 2;
/** From here on, all of these have been found. */
const MANY = 60;
/** Cubic time grows by eight with each step: a pattern that is just quick enough at one length takes no minute at the next. */
const GROWTH = 2;
const TRIES = 3;
/** What no repeated part continues with. */
const ENDS = ['', '\0', '\n!'];
const MOST_UNITS = 8;
const SAMPLES = ['😀', ...Array.from('a0 _A-.,;:"\'`/\\*()[]{}<>=+#$@!?|&%^~\n\t\ré\u2028\u202e')];
const IS_TEST = /\.(?:test|test-suite)\.tsx?$|\/test-threads\/|\/corpus\//;

interface Pattern {
  /** Path within the repository, with slashes, and the line. */
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** A part of a pattern that is repeated: a text that leads to it, and texts that it matches. */
interface Repeated {
  readonly lead: string;
  readonly units: readonly string[];
}

export function patternsIn(path: string, text: string): readonly Pattern[] {
  const patterns: Pattern[] = [];
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern: source, flags } = node.regex;
      patterns.push({ where: `${path}:${text.slice(0, node.start).split('\n').length}`, source, flags });
    },
  }).visit(parseSync(path, text).program);
  return patterns;
}

export function patternsHere(): readonly Pattern[] {
  return globSync('{shared,worker,renderer,electron}/**/*.{ts,tsx}', { cwd: ROOT })
    .map((file) => file.split(sep).join('/'))
    .filter((path) => !IS_TEST.test(path))
    .flatMap((path) => patternsIn(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** A text on which the pattern takes more than linear time, cut to its beginning; null if none was found. */
export function slowText({ source, flags }: Pattern): string | null {
  const pattern = new RegExp(source, flags);
  for (const { lead, units } of repeatedIn(source, flags)) {
    for (const unit of new Set(units.flatMap((one) => [one, lead + one]))) {
      for (const end of ENDS)
        if (unit !== '' && isSlow(pattern, lead, unit, end)) return (lead + unit.repeat(3)).slice(0, 60);
    }
  }
  return null;
}

function isSlow(pattern: RegExp, lead: string, unit: string, end: string): boolean {
  const most = Math.ceil(LENGTH / unit.length);
  for (let times = FEWEST; ; times = times < MANY ? times + STEP : Math.min(most, times * GROWTH)) {
    const text = lead + unit.repeat(times) + end;
    for (let left = TRIES; timeOf(pattern, text) > SLOW_MS; left--) if (left === 1) return true;
    if (times >= most) return false;
  }
}

/** Every match of a global pattern, as when it replaces. */
function timeOf(pattern: RegExp, text: string): number {
  const from = performance.now();
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
  return performance.now() - from;
}

/** Reads only as much of the syntax as it takes to find what is repeated (tc39.es/ecma262/#sec-patterns). */
function repeatedIn(source: string, flags: string): readonly Repeated[] {
  const found: Repeated[] = [];
  const atoms = new Atoms(source, flags);
  alternatives('');
  return found;

  /** Returns a text for each alternative up to the closing parenthesis, or the end. */
  function alternatives(lead: string): string[] {
    const texts: string[] = [''];
    while (!atoms.isAtEnd && !atoms.take(')')) {
      if (atoms.take('|')) {
        texts.push('');
        continue;
      }
      const before = texts.at(-1)!;
      const units = atoms.isGroup ? group(lead + before) : atoms.one();
      const { least, isMany } = atoms.quantifier();
      if (isMany) found.push({ lead: lead + before, units: units.slice(0, MOST_UNITS) });
      texts[texts.length - 1] = before + (units[0] ?? '').repeat(Math.min(least, 3));
    }
    return texts;
  }

  function group(lead: string): string[] {
    const looksAround = atoms.openGroup();
    const texts = alternatives(lead);
    return looksAround ? [''] : texts;
  }
}

class Atoms {
  #at = 0;
  readonly #source: string;
  readonly #flags: string;
  /** Characters that occur in the pattern are tried first: other parts of it may take them, too. */
  readonly #samples: readonly string[];

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gy]/g, '');
    this.#samples = [
      ...SAMPLES.filter((one) => source.includes(one)),
      ...SAMPLES.filter((one) => !source.includes(one)),
    ];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  get isGroup(): boolean {
    return this.#source[this.#at] === '(';
  }

  take(sign: string): boolean {
    if (this.#source[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  /** Returns whether the group takes no text. */
  openGroup(): boolean {
    const [opening] = this.#match(/\((?:\?(?:<?[=!]|:|<[^>]*>|[ims-]*:))?/y);
    return /[=!]$/.test(opening!);
  }

  /** One character, class, or assertion: texts that match it. */
  one(): string[] {
    const [atom] = this.#match(
      /\[(?:\\[^]|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pPk][{<][^}>]*[}>]|c[A-Za-z]|[^])|[^]/y,
    );
    if (atom === '^' || atom === '$' || /^\\[bB]$/.test(atom!)) return [''];
    if (/^[^\\[.]$/.test(atom!)) return [atom!];
    let isOne: RegExp;
    try {
      isOne = new RegExp(`^(?:${atom})$`, this.#flags);
    } catch {
      return ['']; // a reference to a group
    }
    return this.#samples.filter((sample) => isOne.test(sample));
  }

  quantifier(): { readonly least: number; readonly isMany: boolean } {
    const [text, from, to] = this.#match(/(?:[*+?]|\{(\d+)(?:(,)\d*)?\})?\??/y);
    if (text!.startsWith('*')) return { least: 0, isMany: true };
    if (text!.startsWith('+')) return { least: 1, isMany: true };
    if (text!.startsWith('?')) return { least: 0, isMany: false };
    return from === undefined
      ? { least: 1, isMany: false }
      : { least: Number(from), isMany: /,\}/.test(text!) && to === ',' };
  }

  #match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)!;
    this.#at = pattern.lastIndex;
    return found;
  }
}
