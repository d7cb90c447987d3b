// The patterns of SQLite's LIKE and GLOB (sqlite.org/lang_expr.html#like), for texts that are not in a database.

/** One part of a pattern: any number of characters, or one that passes the test. */
type PatternPart = '*' | ((character: string) => boolean);

const ANY: PatternPart = () => true;

/** LIKE takes only the letters of ASCII for equal in both cases. */
export const lowered = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `%` any text, `_` one character; without ESCAPE. */
export function likeMatcher(pattern: string): (text: string) => boolean {
  const parts = [...lowered(pattern)].map((character): PatternPart =>
    character === '%' ? '*' : character === '_' ? ANY : (other) => other === character,
  );
  return (text) => matches(parts, [...lowered(text)]);
}

/** `*` any text, `?` one character, `[a-z]` and `[^a-z]` one of some. */
export function globMatcher(pattern: string): (text: string) => boolean {
  const plain = plainMatcher(pattern);
  if (plain) return plain;
  const characters = [...pattern];
  const parts: PatternPart[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === '*') parts.push('*');
    else if (character === '?') parts.push(ANY);
    else if (character === '[') {
      const set = setAt(characters, at + 1);
      // SQLite matches nothing with a set that does not end.
      if (!set) return () => false;
      parts.push(set.part);
      at = set.end;
    } else parts.push((other) => other === character);
  }
  return (text) => matches(parts, [...text]);
}

/** One text, alone or with `*` before and after it, which a search asks for; null for another pattern. */
function plainMatcher(pattern: string): ((text: string) => boolean) | null {
  const [, before, literal, after] = /^(\*?)((?:[^*?[]|\[[*?[]\])*)(\*?)$/.exec(pattern) ?? [];
  if (literal === undefined || before !== after) return null;
  const wanted = literal.replace(/\[(.)\]/g, '$1');
  return before === '' ? (text) => text === wanted : (text) => text.includes(wanted);
}

/** `]` and `-` in the first place stand for themselves. Null if the set does not end. */
function setAt(pattern: readonly string[], from: number): { readonly part: PatternPart; readonly end: number } | null {
  let at = from;
  const isNegated = pattern[at] === '^';
  if (isNegated) at++;
  const ranges: (readonly [low: number, high: number])[] = [];
  /** The character before a `-` that makes a range; null after a range, as in SQLite. */
  let before: number | null = null;
  if (pattern[at] === ']') {
    ranges.push([codeOf(']'), codeOf(']')]);
    at++;
  }
  for (; pattern[at] !== ']'; at++) {
    const character = pattern[at];
    if (character === undefined) return null;
    const next = pattern[at + 1];
    if (character === '-' && next !== ']' && next !== undefined && before !== null) {
      ranges.push([before, codeOf(next)]);
      before = null;
      at++;
    } else {
      before = codeOf(character);
      ranges.push([before, before]);
    }
  }
  const part: PatternPart = (character) => {
    const code = codeOf(character);
    return ranges.some(([low, high]) => code >= low && code <= high) !== isNegated;
  };
  return { part, end: at };
}

const codeOf = (character: string): number => character.codePointAt(0)!;

/** Only the last `*` is ever tried again, so the time is at most that of the text times the pattern. */
function matches(parts: readonly PatternPart[], text: readonly string[]): boolean {
  let part = 0;
  let star = -1;
  let resume = 0;
  for (let at = 0; at < text.length;) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part++;
      resume = at;
    } else if (wanted?.(text[at]!)) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else return false;
  }
  while (parts[part] === '*') part++;
  return part === parts.length;
}
