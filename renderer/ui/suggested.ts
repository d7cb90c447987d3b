// Suggestions under a field, and which of them is highlighted, while a search continues to find more.

export interface Suggestion {
  /** The same for two finds of the same value. */
  readonly id: string;
  /** The value first, then words that explain it. */
  readonly parts: readonly string[];
  readonly isNull?: boolean;
}

export interface Suggestions<S extends Suggestion> {
  readonly items: readonly S[];
  /** How many there are, or why there are none. */
  readonly note: string;
  readonly isSearching: boolean;
}

export interface Suggested<S extends Suggestion> extends Suggestions<S> {
  readonly highlighted: S | null;
}

/**
 * Enter chooses the highlighted suggestion, so no find may put another value in its place: the highlight moves along with its value, and a
 * value that a new search has not found yet stays as the first one until that search ends without it. Earlier finds stay until a search
 * finds anything: a person who sees a suggestion and presses a key means that suggestion.
 */
export function suggestFound<S extends Suggestion>(before: Suggested<S>, found: Suggestions<S>): Suggested<S> {
  const { highlighted } = before;
  if (found.isSearching && found.items.length === 0) return { ...before, note: found.note, isSearching: true };
  const again = found.items.find(({ id }) => id === highlighted?.id);
  if (again || highlighted === null || !found.isSearching) return { ...found, highlighted: again ?? null };
  return { ...found, items: [highlighted, ...found.items], highlighted };
}

/** Moves the highlight; moving up from the first suggestion returns to the text. */
export function moveHighlight<S extends Suggestion>(suggested: Suggested<S>, step: number): Suggested<S> {
  const { items, highlighted } = suggested;
  const at = highlighted === null ? -1 : items.indexOf(highlighted);
  const next = at < 0 ? (step > 0 ? 0 : -1) : Math.max(-1, Math.min(items.length - 1, at + step));
  return { ...suggested, highlighted: items[next] ?? null };
}
