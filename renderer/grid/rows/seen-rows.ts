// The rows that the user has selected and sees, told apart from other rows that move to their positions: rows are selected by position, and
// other windows and programs may commit at any time. Until this window hears of a commit, the engine has another row at that position.
import type { RowSelection, SeenRow } from '#shared/protocol/index.ts';
import type { GridSource } from '../grid-source.ts';
import type { Interval } from '../input/selection.ts';
import type { CachedRow } from './row-cache.ts';
import type { FollowedRow } from './row-follower.ts';
import { keyText } from './same-cell.ts';

/** Stored rows as the user saw them at one moment, by position. */
export type SeenRows = ReadonlyMap<number, CachedRow>;

export interface KnownRows {
  readonly source: Pick<GridSource, 'keyColumns' | 'unsaved' | 'extent'>;
  /** Loaded stored rows of the range that are not outdated, by position. */
  current(first: number, last: number): Iterable<readonly [number, CachedRow]>;
}

/**
 * Rows of the intervals that the user sees, or would see after scrolling a little.
 * @param corners rows at the corners of the selection. A corner that is being located is not where it was: nothing else is known of the
 *   intervals then
 */
export function seenIn(
  { source, current }: KnownRows,
  intervals: readonly Interval[],
  corners: readonly FollowedRow[],
): SeenRows {
  const { unsaved, keyColumns } = source;
  const seen = new Map<number, CachedRow>();
  for (const { first, last } of intervals)
    for (const [position, row] of current(first, last)) seen.set(position, unsaved ? unsaved.shown(row) : row);
  const selected = corners.flatMap(({ position, row }) => {
    const isIn =
      position < source.extent.rows && intervals.some(({ first, last }) => first <= position && position <= last);
    return row && isIn ? [[position, row] as const] : [];
  });
  const isElsewhere = selected.some(([position, row]) => {
    const there = seen.get(position);
    return there && keyText(there, keyColumns) !== keyText(row, keyColumns);
  });
  return new Map(isElsewhere ? selected : [...selected, ...seen]);
}

/**
 * Keys and rows that say which stored rows the intervals mean, wherever these rows are by now; empty if rows have no key.
 * @param corners rows at the two corners, if the intervals are one range; otherwise the loaded corners of all ranges
 */
export function selectedKeysOf(
  known: KnownRows,
  intervals: readonly Interval[],
  corners: readonly FollowedRow[],
  isOneRange: boolean,
): Pick<RowSelection, 'corners' | 'seen'> {
  const { keyColumns, extent } = known.source;
  if (keyColumns.length === 0) return {};
  const inOrder = [...corners].sort((a, b) => a.position - b.position);
  const keys = inOrder.map(({ position, row }) => (row && position < extent.rows ? keyOf(row, keyColumns) : null));
  const [one, other] = keys;
  if (isOneRange && one && other) return { corners: [one, other] };
  const atCorners = new Map(inOrder.map(({ position }, at) => [position, keys[at]]));
  return { seen: intervals.flatMap((interval) => edgesOf(known, interval, atCorners)) };
}

type Key = SeenRow['key'];

/** The first and the last row whose key is known. */
function edgesOf(
  { source, current }: KnownRows,
  { first, last }: Interval,
  atCorners: ReadonlyMap<number, Key | null | undefined>,
): readonly SeenRow[] {
  const loaded = [...current(first, last)].sort(([a], [b]) => a - b);
  const edges = new Map<number, Key>();
  for (const [edge, nearest] of [[first, loaded[0]] as const, [last, loaded.at(-1)] as const]) {
    const [position, key] = atCorners.get(edge)
      ? [edge, atCorners.get(edge)]
      : [nearest?.[0], nearest && keyOf(nearest[1], source.keyColumns)];
    if (position !== undefined && key) edges.set(position, key);
  }
  return [...edges].map(([position, key]) => ({ position, key }));
}

/** Key of a row; null if a part of the key is not loaded. */
const keyOf = ({ rows, index }: CachedRow, keyColumns: readonly number[]): Key | null =>
  keyColumns.some((column) => rows.isPreview(index, column))
    ? null
    : keyColumns.map((column) => rows.value(index, column));
