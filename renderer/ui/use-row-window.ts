// Tells which rows of a long list of equal heights are on screen.
import { useCallback, type RefObject } from 'react';
import { useScrollWindow, type ScrollWindow } from './use-scroll-window.ts';

const OVERSCAN = 8;

export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): ScrollWindow {
  const rowsBetween = useCallback(
    (topPx: number, bottomPx: number): ScrollWindow => ({
      from: Math.max(0, Math.floor(topPx / rowHeight) - OVERSCAN),
      to: Math.ceil(bottomPx / rowHeight) + OVERSCAN,
    }),
    [rowHeight],
  );
  return useScrollWindow(scroller, count, rowsBetween);
}
