// Finds the differences of two results, to jump from one to the next.
import { lastWhere } from '#shared/binary-search.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';
import { sameCell } from '../../grid/rows/same-cell.ts';
import type { Outcome, RowsComparison, StatementPair } from './compare-view.ts';

/** Rows missing on one side, if that is the difference; otherwise the positions where the rows differ. */
export function targetsOf({ only, positions }: Pick<RowsComparison, 'only' | 'positions'>): readonly number[] {
  if (!only || only.left.length + only.right.length === 0) return positions;
  return [...new Set([...only.left, ...only.right])].sort((a, b) => a - b);
}

export function positionAmong(targets: readonly number[], row: number): number | null {
  const position = countBelow(targets, row);
  return targets[position] === row ? position : null;
}

export const targetAfter = (targets: readonly number[], row: number): number | null =>
  targets[countBelow(targets, row + 1)] ?? null;

export const targetBefore = (targets: readonly number[], row: number): number | null =>
  targets[countBelow(targets, row) - 1] ?? null;

const countBelow = (targets: readonly number[], row: number): number =>
  lastWhere(targets.length, (index) => targets[index]! < row) + 1;

/** The first differing column of the row at `position`; the first column when the row is not on both sides, or no compared cell differs. */
export async function firstDifferingColumn({ wasm, native }: StatementPair, position: number): Promise<number> {
  const [left, right] = [sourceOf(wasm), sourceOf(native)];
  if (!left || !right) return 0;
  const [here, there] = await Promise.all([readRow(left, position), readRow(right, position)]);
  if (!here || !there) return 0;
  const count = Math.min(left.columns.length, right.columns.length);
  for (let column = 0; column < count; column++) if (!sameCell(here, there, column)) return column;
  return 0;
}

export const sourceOf = (outcome: Outcome): ResultSource | null => (outcome.kind === 'ran' ? outcome.source : null);

export async function readRow(source: ResultSource, position: number) {
  if (position >= source.extent.rows) return null;
  const { rows } = await source.read(position, 1);
  return rows.rowCount === 0 ? null : { rows: new PackedRowsReader(rows), index: 0 };
}
