// Aligns two query plans: equal lines are side by side, the others are marked.
import type { PlanLine } from '#shared/protocol/index.ts';

export interface PlanRow {
  /** Null if this side has no corresponding line. */
  readonly left: string | null;
  readonly right: string | null;
  readonly depth: number;
  readonly isSame: boolean;
}

interface Line {
  readonly text: string;
  readonly depth: number;
}

export function alignPlans(left: readonly PlanLine[], right: readonly PlanLine[]): readonly PlanRow[] {
  const [a, b] = [withDepths(left), withDepths(right)];
  const common = longestCommon(a, b);
  const rows: PlanRow[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [here, there] = [a[i], b[j]];
    if (here && there && isEqual(here, there)) rows.push(rowOf(here, there, true));
    else if (here && there && common(i + 1, j + 1) === common(i, j)) rows.push(rowOf(here, there, false));
    else if (here && (!there || common(i + 1, j) === common(i, j))) {
      rows.push(rowOf(here, null, false));
      i++;
      continue;
    } else {
      rows.push(rowOf(null, there!, false));
      j++;
      continue;
    }
    i++;
    j++;
  }
  return rows;
}

const rowOf = (left: Line | null, right: Line | null, isSame: boolean): PlanRow => ({
  left: left?.text ?? null,
  right: right?.text ?? null,
  depth: (left ?? right)!.depth,
  isSame,
});

const isEqual = (a: Line, b: Line): boolean => a.text === b.text && a.depth === b.depth;

function withDepths(lines: readonly PlanLine[]): Line[] {
  const depths = new Map<number, number>();
  return lines.map(({ id, parent, detail }) => {
    const depth = depths.has(parent) ? depths.get(parent)! + 1 : 0;
    depths.set(id, depth);
    return { text: detail, depth };
  });
}

/** Length of the longest common subsequence of both rests from there on. */
function longestCommon(a: readonly Line[], b: readonly Line[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] = isEqual(a[i]!, b[j]!)
        ? table[(i + 1) * width + j + 1]! + 1
        : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
  return (i, j) => table[Math.min(i, a.length) * width + Math.min(j, b.length)]!;
}
