// Finds the lines that two texts have in common, as one list. Pure.
import { alignLines } from '#shared/schema-diff/aligned-lines.ts';

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** All lines of both texts in order: of each change, the old lines come before the new ones. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const { left, right, isSame } of alignLines(before, after)) {
    if (isSame) {
      lines.push(...added, { kind: 'same', text: left! });
      added = [];
      continue;
    }
    if (left !== null) lines.push({ kind: 'removed', text: left });
    if (right !== null) added.push({ kind: 'added', text: right });
  }
  return [...lines, ...added];
}
