// Aligns two query plans: equal lines are side by side, the others are marked.
import type { PlanLine } from '#shared/protocol/index.ts';
import { alignLists } from '#shared/schema-diff/aligned-lines.ts';

interface PlanRow {
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
  const pairs = alignLists(withDepths(left), withDepths(right), ({ text, depth }) => `${depth} ${text}`);
  return pairs.map(({ left: here, right: there, isSame }) => ({
    left: here?.text ?? null,
    right: there?.text ?? null,
    depth: (here ?? there)!.depth,
    isSame,
  }));
}

function withDepths(lines: readonly PlanLine[]): Line[] {
  const depths = new Map<number, number>();
  return lines.map(({ id, parent, detail }) => {
    const depth = depths.has(parent) ? depths.get(parent)! + 1 : 0;
    depths.set(id, depth);
    return { text: detail, depth };
  });
}
