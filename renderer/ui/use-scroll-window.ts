// Tells which part of a long list is on screen, however its lines are measured.
import { useLayoutEffect, useState, type RefObject } from 'react';

export interface ScrollWindow {
  readonly from: number;
  readonly to: number;
}

/**
 * Renders again only when lines come or go, not with every scrolled pixel.
 * @param linesBetween the lines between two places, measured in pixels from the top of the list; must be another function when the lines
 *   are different ones
 */
export function useScrollWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  linesBetween: (topPx: number, bottomPx: number) => ScrollWindow,
): ScrollWindow {
  const [{ from, to }, setWindow] = useState({ from: 0, to: 60 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = (): void => {
      const now = linesBetween(element.scrollTop, element.scrollTop + element.clientHeight);
      setWindow((before) => (before.from === now.from && before.to === now.to ? before : now));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, count, linesBetween]);
  return { from: Math.min(from, count), to: Math.min(to, count) };
}
