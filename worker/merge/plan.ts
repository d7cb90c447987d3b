// Decides about each row that `theirs` changed, and writes the plan.
import type { MergeSide } from '#shared/protocol/merge.ts';
import type { MergeRowKind } from '#shared/protocol/source.ts';
import type { MergeFile, RowToPlan } from '../library/merge/merge-file.ts';
import type { MergedTables } from './merged-tables.ts';
import type { KeyedChange, SideChanges, WholeChange } from './side-changes.ts';
import { decide, type Row } from './three-way.ts';

export interface Planning {
  readonly changes: SideChanges;
  readonly file: MergeFile;
  readonly tables: MergedTables;
  readonly choiceOf: (table: string) => MergeSide | null;
}

/** Conflicts that the choice for a table has decided, by table. */
export type Chosen = ReadonlyMap<string, number>;

export const BOTH_REPLACED = 'Both sides changed or removed this row. The table has no key, so what either made of it cannot be told: the row is removed, and all new rows are kept.'; // prettier-ignore

/** @yields a number for each row */
export function* planMerge({ changes, file, tables, choiceOf }: Planning): Generator<number, Chosen> {
  const chosen = new Map<string, number>();
  for (const change of changes.keyed()) {
    const { name } = tables.of(change.table);
    const { state, row, isChosen } = decide(change, choiceOf(name));
    if (isChosen) chosen.set(name, (chosen.get(name) ?? 0) + 1);
    if (state !== 'keep') file.plan(planned(change, state === 'take', row));
    yield 1;
  }
  const replaced = new Map<string, boolean>();
  for (const change of changes.whole()) {
    for (const row of plannedWhole(change)) file.plan(row);
    if (change.ours < 0 && change.theirs < 0) {
      const { table } = change;
      const isReplaced = replaced.get(table) ?? (changes.hasAdded('ours', table) && changes.hasAdded('theirs', table));
      replaced.set(table, isReplaced);
      if (isReplaced) file.plan({ table, kind: 'deleted', state: 'ask', key: change.row, base: change.row });
    }
    yield 1;
  }
  return chosen;
}

/** @param row what it becomes, if it is taken */
function planned({ table, key, base, ours, theirs }: KeyedChange, isTaken: boolean, row: Row): RowToPlan {
  const goal = isTaken ? row : theirs;
  const kind: MergeRowKind = goal === null ? 'deleted' : ours === null ? 'inserted' : 'updated';
  return { table, kind, state: isTaken ? 'take' : 'ask', key, base, row };
}

/** A copy of a row that both sides removed, or both added, is the same one. */
function* plannedWhole({ table, row, ours, theirs, hint }: WholeChange): Generator<RowToPlan> {
  const removed = theirs < 0 ? Math.min(-theirs, Math.max(0, ours - theirs)) : 0;
  for (let left = removed; left > 0; left--)
    yield { table, kind: 'deleted', state: 'take', key: [hint, ...row], base: row };
  const added = theirs > 0 ? Math.min(theirs, Math.max(0, theirs - ours)) : 0;
  for (let left = added; left > 0; left--) yield { table, kind: 'inserted', state: 'both', key: row, base: null, row };
}
