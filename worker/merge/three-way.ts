// What becomes of one row that the other side changed, from what it was, what it is here, and what it is there.
import type { MergeSide } from '#shared/protocol/merge.ts';
import type { Value } from '#shared/protocol/values.ts';
import { sameRow, sameValue } from '../sql/same-value.ts';

/** Null: there is no such row. */
export type Row = readonly Value[] | null;

export interface ThreeRows {
  readonly base: Row;
  readonly ours: Row;
  readonly theirs: Row;
}

/** `keep`: nothing is to be done here. `take`: the row becomes `row`. `conflict`: both changed it, and nobody has chosen. */
export interface Decision {
  readonly state: 'keep' | 'take' | 'conflict';
  readonly row: Row;
  /** Both sides changed the same, and the choice for the table decided. */
  readonly isChosen: boolean;
}

/** Values of a row that is in all three are merged one by one: different columns can come from different sides. */
export function decide(rows: ThreeRows, choice: MergeSide | null): Decision {
  const { base, ours, theirs } = rows;
  if (sameRow(ours, theirs) || sameRow(base, theirs)) return { state: 'keep', row: ours, isChosen: false };
  if (sameRow(ours, base)) return { state: 'take', row: theirs, isChosen: false };
  if (base === null || ours === null || theirs === null) {
    if (choice === null) return { state: 'conflict', row: ours, isChosen: false };
    return { state: choice === 'ours' ? 'keep' : 'take', row: choice === 'ours' ? ours : theirs, isChosen: true };
  }
  const places = conflictingPlaces({ base, ours, theirs });
  if (places.size > 0 && choice === null) return { state: 'conflict', row: ours, isChosen: false };
  const row = ours.map((value, at) => {
    const isTheirs = places.has(at) ? choice === 'theirs' : !sameValue(theirs[at]!, base[at]!);
    return isTheirs ? theirs[at]! : value;
  });
  return { state: sameRow(row, ours) ? 'keep' : 'take', row, isChosen: places.size > 0 };
}

/** Places of the values that both sides changed, to different ones; all where a side has no row. */
export function conflictingPlaces({ base, ours, theirs }: ThreeRows): ReadonlySet<number> {
  const all = [...(base ?? ours ?? theirs ?? []).keys()];
  if (base === null || ours === null || theirs === null) return new Set(all);
  const isChanged = (row: readonly Value[], at: number): boolean => !sameValue(row[at]!, base[at]!);
  return new Set(
    all.filter((at) => isChanged(ours, at) && isChanged(theirs, at) && !sameValue(ours[at]!, theirs[at]!)),
  );
}
