// The rows that the user has selected and sees, told apart from others that come to their positions: rows are selected by position, and others
// may commit at any time. Until the window hears of it, another row is at that position for the engine.
import type { SeenRow } from '#shared/protocol/index.ts';
import type { GridSource } from '../grid-source.ts';
import type { Interval } from '../input/selection.ts';
import type { CachedRow } from './row-cache.ts';
import { keyText } from './same-cell.ts';

/** Stored rows as the user saw them at one moment, by position. */
export type SeenRows = ReadonlyMap<number, CachedRow>;

export interface KnownRows {
  readonly source: Pick<GridSource, 'keyColumns' | 'unsaved' | 'extent'>;
  /** Loaded stored rows of the range that are not outdated, by position. */
  current(first: number, last: number): Iterable<readonly [number, CachedRow]>;
}

/**
 * Rows of the intervals that the user sees, or would without scrolling far.
 *
 * @param corners rows at the corners of the selection. One that is being located is not where it was: nothing else is known of the
 *   intervals then
 */
export function seenIn({ source, current }: KnownRows, intervals: readonly Interval[], corners: SeenRows): SeenRows {
  const { unsaved, keyColumns } = source;
  const seen = new Map<number, CachedRow>();
  for (const { first, last } of intervals)
    for (const [position, row] of current(first, last)) seen.set(position, unsaved ? unsaved.shown(row) : row);
  const selected = [...corners].filter(
    ([position]) =>
      position < source.extent.rows && intervals.some(({ first, last }) => first <= position && position <= last),
  );
  const isElsewhere = selected.some(([position, row]) => {
    const there = seen.get(position);
    return there && keyText(there, keyColumns) !== keyText(row, keyColumns);
  });
  return new Map(isElsewhere ? selected : [...selected, ...seen]);
}

/** Keys of the first and the last row of each interval that are known; none if rows have no key. @param corners as for {@link seenIn} */
export function seenEdgesOf(
  { source, current }: KnownRows,
  intervals: readonly Interval[],
  corners: SeenRows,
): readonly SeenRow[] {
  const { keyColumns, extent } = source;
  if (keyColumns.length === 0) return [];
  return intervals.flatMap(({ first, last }) => {
    const there = [...current(first, last)].sort(([a], [b]) => a - b);
    const edgeAt = (edge: number, nearest: readonly [number, CachedRow] | undefined) => {
      const corner = edge < extent.rows ? corners.get(edge) : undefined;
      return corner ? ([edge, corner] as const) : nearest;
    };
    const edges = new Map([edgeAt(first, there[0]), edgeAt(last, there.at(-1))].filter((edge) => edge !== undefined));
    return [...edges].flatMap(([position, { rows, index }]) =>
      keyColumns.some((column) => rows.isPreview(index, column))
        ? []
        : [{ position, key: keyColumns.map((column) => rows.value(index, column)) }],
    );
  });
}
