// Which items of a list of known, different heights are on screen.
import { useLayoutEffect, useMemo, useState } from 'react';
import type { RefObject } from 'react';

const OVERSCAN_PX = 300;

export interface ItemWindow {
  readonly from: number;
  readonly to: number;
  /** Place of the item `from`. */
  readonly topPx: number;
  readonly heightPx: number;
  offsetOf(index: number): number;
}

export function useItemWindow(scroller: RefObject<HTMLElement | null>, heights: readonly number[]): ItemWindow {
  const offsets = useMemo(() => offsetsOf(heights), [heights]);
  const [{ from, to }, setWindow] = useState({ from: 0, to: 40 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = (): void => {
      const first = indexAt(offsets, element.scrollTop - OVERSCAN_PX);
      const last = indexAt(offsets, element.scrollTop + element.clientHeight + OVERSCAN_PX) + 1;
      setWindow((before) => (before.from === first && before.to === last ? before : { from: first, to: last }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, offsets]);
  const count = heights.length;
  const start = Math.min(from, count);
  return {
    from: start,
    to: Math.min(to, count),
    topPx: offsets[start] ?? 0,
    heightPx: offsets[count] ?? 0,
    offsetOf: (index) => offsets[index] ?? 0,
  };
}

function offsetsOf(heights: readonly number[]): readonly number[] {
  const offsets = [0];
  for (const height of heights) offsets.push(offsets.at(-1)! + height);
  return offsets;
}

/** The item that a place lies in. */
export function indexAt(offsets: readonly number[], place: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (offsets[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
