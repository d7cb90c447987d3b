// How well a typed text matches a name: letters in order, better at the beginnings of words and in runs.

export interface Match {
  readonly score: number;
  /** Positions of the matched characters in the name. */
  readonly places: readonly number[];
}

const RUN_BONUS = 8;
const WORD_START_BONUS = 10;
const FIRST_BONUS = 6;
const WHOLE_BONUS = 10;
const CASE_BONUS = 1;
const GAP_COST = 1;
const MAX_NAME = 200;

/** Null when the letters of `typed` do not all occur in `name` in this order. Spaces in `typed` are ignored. */
export function fuzzyMatch(typed: string, name: string): Match | null {
  const letters = [...typed.replace(/\s+/g, '')];
  if (letters.length === 0) return { score: 0, places: [] };
  const text = name.slice(0, MAX_NAME);
  const lower = text.toLowerCase();
  let best: Match | null = null;
  const first = letters[0]!.toLowerCase();
  // Trying each possible start finds the best run without the cost of a full alignment.
  for (let start = lower.indexOf(first); start >= 0; start = lower.indexOf(first, start + 1)) {
    const match = matchFrom(letters, text, lower, start);
    if (match && (!best || match.score > best.score)) best = match;
  }
  const whole = letters.length === text.length ? WHOLE_BONUS : 0;
  return best && { ...best, score: best.score + whole - text.length * 0.05 };
}

/** The letters are strewn over the name: more than one run of these letters begins inside a word. A person who typed a word did not mean the name. */
export function isScattered(name: string, places: readonly number[]): boolean {
  const inside = places.filter((at, index) => at !== (places[index - 1] ?? -2) + 1 && !isWordStart(name, at));
  return inside.length > 1;
}

function matchFrom(letters: readonly string[], text: string, lower: string, start: number): Match | null {
  const places: number[] = [];
  let score = start === 0 ? FIRST_BONUS : 0;
  let from = start;
  for (const letter of letters) {
    const at = bestPosition(lower, text, letter.toLowerCase(), from, places.at(-1));
    if (at < 0) return null;
    const previous = places.at(-1);
    if (previous !== undefined && at === previous + 1) score += RUN_BONUS;
    else if (previous !== undefined) score -= Math.min(5, at - previous - 1) * GAP_COST;
    if (isWordStart(text, at)) score += WORD_START_BONUS;
    if (text[at] === letter) score += CASE_BONUS;
    places.push(at);
    from = at + 1;
  }
  return { score, places };
}

/** The next position of the letter; a later beginning of a word wins over a position inside the current word. */
function bestPosition(lower: string, text: string, letter: string, from: number, previous: number | undefined): number {
  const next = lower.indexOf(letter, from);
  if (next < 0 || next === (previous ?? -2) + 1 || isWordStart(text, next)) return next;
  for (let at = lower.indexOf(letter, next + 1); at >= 0; at = lower.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at;
  return next;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text[at - 1]!;
  const here = text[at]!;
  return /[\s_\-./:()]/.test(before) || (/[a-z0-9]/.test(before) && /[A-Z]/.test(here));
}
