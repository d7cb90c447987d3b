// Two texts line by line, side by side: which lines are the same, and which replace which.

export interface LinePair {
  /** Null if only the other text has this line. */
  readonly before: string | null;
  readonly after: string | null;
  readonly isSame: boolean;
}

/** If either side has more changed lines, they are not compared: that would take time in proportion to their product. */
const MAX_COMPARED_LINES = 1500;

export function lineDifference(before: string, after: string): readonly LinePair[] {
  const [then, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < then.length && start < now.length && then[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(then.length, now.length) - start && then.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (lines: readonly string[]): LinePair[] =>
    lines.map((line) => ({ before: line, after: line, isSame: true }));
  return [
    ...same(then.slice(0, start)),
    ...middle(then.slice(start, then.length - end), now.slice(start, now.length - end)),
    ...same(then.slice(then.length - end)),
  ];
}

function middle(then: readonly string[], now: readonly string[]): readonly LinePair[] {
  if (then.length > MAX_COMPARED_LINES || now.length > MAX_COMPARED_LINES) return changed(then, now);
  const pairs: LinePair[] = [];
  let [i, j] = [0, 0];
  for (const [atThen, atNow] of commonLines(then, now)) {
    pairs.push(...changed(then.slice(i, atThen), now.slice(j, atNow)));
    pairs.push({ before: then[atThen]!, after: now[atNow]!, isSame: true });
    [i, j] = [atThen + 1, atNow + 1];
  }
  return [...pairs, ...changed(then.slice(i), now.slice(j))];
}

function changed(then: readonly string[], now: readonly string[]): readonly LinePair[] {
  return Array.from({ length: Math.max(then.length, now.length) }, (_, at) => ({
    before: then[at] ?? null,
    after: now[at] ?? null,
    isSame: false,
  }));
}

/** A longest common subsequence, as pairs of positions. */
function commonLines(then: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const width = now.length + 1;
  const lengths = new Uint16Array((then.length + 1) * width);
  for (let i = then.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        then[i] === now[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < then.length && j < now.length;) {
    if (then[i] === now[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
