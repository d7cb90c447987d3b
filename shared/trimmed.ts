/**
 * The text without characters of `set` at both ends, in one pass: `/x+$/` begins anew at each `x`, which takes forever in a text that a stranger
 * has filled with them.
 */
export function trimmed(text: string, set: string): string {
  let from = 0;
  while (from < text.length && set.includes(text[from]!)) from++;
  return trimmedEnd(text.slice(from), set);
}

/** The text without characters of `set` at its end. */
export function trimmedEnd(text: string, set: string): string {
  let to = text.length;
  while (to > 0 && set.includes(text[to - 1]!)) to--;
  return text.slice(0, to);
}
