// Two texts line by line beside each other: equal lines on the same level, and what differs between them.

export interface AlignedLine {
  /** Null where this side has no line. */
  readonly left: string | null;
  readonly right: string | null;
  readonly isSame: boolean;
}

/** Beyond this many pairs of lines the middle is shown as different as a whole: a comparison must not take seconds. */
const MAX_PAIRS = 4_000_000;

export function alignLines(left: string, right: string): readonly AlignedLine[] {
  const [one, other] = [linesOf(left), linesOf(right)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++;
  const same = (line: string): AlignedLine => ({ left: line, right: line, isSame: true });
  return [
    ...one.slice(0, start).map(same),
    ...alignMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map(same),
  ];
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/\r\n?|\n/));

/** Aligns lines by their longest common subsequence. */
function alignMiddle(one: readonly string[], other: readonly string[]): readonly AlignedLine[] {
  if (one.length * other.length > MAX_PAIRS) return beside(one, other);
  const width = other.length + 1;
  /** Length of the longest common subsequence of the lines from each pair of positions on. */
  const common = new Uint32Array((one.length + 1) * width);
  for (let at = one.length - 1; at >= 0; at--)
    for (let to = other.length - 1; to >= 0; to--)
      common[at * width + to] =
        one[at] === other[to]
          ? common[(at + 1) * width + to + 1]! + 1
          : Math.max(common[(at + 1) * width + to]!, common[at * width + to + 1]!);
  const lines: AlignedLine[] = [];
  let [at, to, fromAt, fromTo] = [0, 0, 0, 0];
  const differing = (): void => {
    lines.push(...beside(one.slice(fromAt, at), other.slice(fromTo, to)));
  };
  while (at < one.length && to < other.length) {
    if (one[at] === other[to]) {
      differing();
      lines.push({ left: one[at]!, right: other[to]!, isSame: true });
      at++;
      to++;
      [fromAt, fromTo] = [at, to];
    } else if (common[(at + 1) * width + to]! >= common[at * width + to + 1]!) at++;
    else to++;
  }
  [at, to] = [one.length, other.length];
  differing();
  return lines;
}

function beside(one: readonly string[], other: readonly string[]): readonly AlignedLine[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => ({
    left: one[index] ?? null,
    right: other[index] ?? null,
    isSame: false,
  }));
}
