// Applies a patch to a range of rows: which rows stay, which have other values now, which were added, and which were removed.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { RowsPatch } from '#shared/protocol/live.ts';
import type { CachedRow } from './row-cache.ts';
import { keyText } from './same-cell.ts';

/** Each patch adds a buffer; at this number they are merged into one, so that no buffer is kept for a single row. */
const MAX_BUFFERS = 24;

export interface RangeChange {
  readonly start: number;
  readonly before: readonly CachedRow[];
  readonly after: readonly CachedRow[];
  /** For each row of `after`, the index of the same row in `before`, whatever its values; −1 for an added row. */
  readonly origins: Int32Array;
  /** Like `origins`, but only for rows with the same values. */
  readonly kept: Int32Array;
}

/** `keyColumns`: identify a row; if empty, its position does. */
export function patchRows(before: readonly CachedRow[], patch: RowsPatch, keyColumns: readonly number[]): RangeChange {
  const shipped = new PackedRowsReader(patch.rows);
  let next = 0;
  const after: CachedRow[] = [];
  for (const origin of patch.origins) {
    const kept = origin < 0 ? undefined : before[origin];
    after.push(kept ?? { rows: shipped, index: next++ });
  }
  compact(after);
  const origins = patch.origins.slice();
  if (keyColumns.length > 0) matchByKey(before, after, origins, keyColumns);
  else matchByPosition(before.length, origins);
  return { start: patch.start, before, after, origins, kept: patch.origins };
}

/** The index in `after` of each row of `before`, or −1. */
export function destinationsOf({ before, origins }: RangeChange): Int32Array {
  const destinations = new Int32Array(before.length).fill(-1);
  origins.forEach((origin, index) => {
    if (origin >= 0) destinations[origin] = index;
  });
  return destinations;
}

function matchByKey(
  before: readonly CachedRow[],
  after: readonly CachedRow[],
  origins: Int32Array,
  keyColumns: readonly number[],
): void {
  if (!origins.includes(-1)) return;
  const unclaimed = new Map<string, number>();
  const claimed = new Set(origins);
  before.forEach((row, index) => {
    if (!claimed.has(index)) unclaimed.set(keyText(row, keyColumns), index);
  });
  if (unclaimed.size === 0) return;
  after.forEach((row, index) => {
    if (origins[index] === -1) origins[index] = unclaimed.get(keyText(row, keyColumns)) ?? -1;
  });
}

/** Pairs up rows by position between two rows that stayed, as the same rows with other values. */
function matchByPosition(rowsBefore: number, origins: Int32Array): void {
  let gapStart = 0;
  let last = -1;
  for (let index = 0; index <= origins.length; index++) {
    const isEnd = index === origins.length;
    const origin = isEnd ? rowsBefore : origins[index]!;
    if (origin < 0) continue;
    const gap = index - gapStart;
    if (gap > 0 && origin - last - 1 === gap) for (let at = 0; at < gap; at++) origins[gapStart + at] = last + 1 + at;
    gapStart = index + 1;
    last = origin;
  }
}

/** Works in place: the rows stay the same, and only their bytes move. */
function compact(rows: readonly CachedRow[]): void {
  if (new Set(rows.map((row) => row.rows)).size <= MAX_BUFFERS) return;
  const { columnCount } = rows[0]!.rows.rows;
  const writer = new PackedRowsWriter(columnCount, { expectedRows: rows.length, previewBytes: Infinity });
  for (const row of rows) for (let column = 0; column < columnCount; column++) writer.copy(row.rows, row.index, column);
  const reader = new PackedRowsReader(writer.finish());
  rows.forEach((row, index) => Object.assign(row, { rows: reader, index }));
}
