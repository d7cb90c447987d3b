// Which items of a list of known, different heights are on screen.
import { useCallback, useMemo } from 'react';
import type { RefObject } from 'react';
import { useScrollWindow } from '../../ui/use-scroll-window.ts';
import type { ScrollWindow } from '../../ui/use-scroll-window.ts';

const OVERSCAN_PX = 300;

export interface ItemWindow extends ScrollWindow {
  /** Position of the item `from`. */
  readonly topPx: number;
  readonly heightPx: number;
  offsetOf(index: number): number;
}

export function useItemWindow(scroller: RefObject<HTMLElement | null>, heights: readonly number[]): ItemWindow {
  const offsets = useMemo(() => offsetsOf(heights), [heights]);
  const itemsBetween = useCallback(
    (topPx: number, bottomPx: number): ScrollWindow => ({
      from: indexAt(offsets, topPx - OVERSCAN_PX),
      to: indexAt(offsets, bottomPx + OVERSCAN_PX) + 1,
    }),
    [offsets],
  );
  const { from, to } = useScrollWindow(scroller, heights.length, itemsBetween);
  return {
    from,
    to,
    topPx: offsets[from] ?? 0,
    heightPx: offsets[heights.length] ?? 0,
    offsetOf: (index) => offsets[index] ?? 0,
  };
}

function offsetsOf(heights: readonly number[]): readonly number[] {
  const offsets = [0];
  for (const height of heights) offsets.push(offsets.at(-1)! + height);
  return offsets;
}

/** The item at a position. */
export function indexAt(offsets: readonly number[], position: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (offsets[middle]! <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
