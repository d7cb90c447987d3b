// Two lists, or two texts line by line, beside each other: equal items on the same level, and what differs between them.

interface AlignedPair<T> {
  /** Null where this side has no item. */
  readonly left: T | null;
  readonly right: T | null;
  readonly isSame: boolean;
}

type AlignedLine = AlignedPair<string>;

/** Beyond this many pairs of items the middle is shown as different as a whole: a comparison must not take seconds. */
const MAX_PAIRS = 4_000_000;

export function alignLines(left: string, right: string): readonly AlignedLine[] {
  return alignLists(linesOf(left), linesOf(right));
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/\r\n?|\n/));

/** @param keyOf items with the same key are equal */
export function alignLists<T>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (item: T) => unknown = (item) => item,
): readonly AlignedPair<T>[] {
  const [one, other] = [left.map(keyOf), right.map(keyOf)];
  const pairs: AlignedPair<T>[] = [];
  let [at, to] = [0, 0];
  for (const [sameAt, sameTo] of commonItems(one, other)) {
    addDiffering(pairs, left.slice(at, sameAt), right.slice(to, sameTo));
    pairs.push({ left: left[sameAt]!, right: right[sameTo]!, isSame: true });
    [at, to] = [sameAt + 1, sameTo + 1];
  }
  addDiffering(pairs, left.slice(at), right.slice(to));
  return pairs;
}

function addDiffering<T>(pairs: AlignedPair<T>[], left: readonly T[], right: readonly T[]): void {
  for (let at = 0; at < Math.max(left.length, right.length); at++)
    pairs.push({ left: left[at] ?? null, right: right[at] ?? null, isSame: false });
}

/** Positions of a longest common subsequence: the equal items at both ends, and those of the middle. */
function* commonItems(one: readonly unknown[], other: readonly unknown[]): Generator<readonly [number, number]> {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  for (let at = 0; at < start; at++) yield [at, at];
  const middle = (list: readonly unknown[]): readonly unknown[] => list.slice(start, list.length - end);
  for (const [at, to] of commonInMiddle(middle(one), middle(other))) yield [start + at, start + to];
  for (let at = end; at > 0; at--) yield [one.length - at, other.length - at];
}

function* commonInMiddle(one: readonly unknown[], other: readonly unknown[]): Generator<readonly [number, number]> {
  if (one.length * other.length > MAX_PAIRS) return;
  const width = other.length + 1;
  /** Length of the longest common subsequence of the items from each pair of positions on. */
  const common = new Uint32Array((one.length + 1) * width);
  for (let at = one.length - 1; at >= 0; at--)
    for (let to = other.length - 1; to >= 0; to--)
      common[at * width + to] =
        one[at] === other[to]
          ? common[(at + 1) * width + to + 1]! + 1
          : Math.max(common[(at + 1) * width + to]!, common[at * width + to + 1]!);
  for (let at = 0, to = 0; at < one.length && to < other.length;) {
    if (one[at] === other[to]) yield [at++, to++];
    else if (common[(at + 1) * width + to]! >= common[at * width + to + 1]!) at++;
    else to++;
  }
}
