// Which rows of a long list of equal heights are on screen.
import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

const OVERSCAN = 8;

export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

/** Renders again only when rows come or go, not with every scrolled pixel. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowWindow {
  const [{ from, to }, setWindow] = useState({ from: 0, to: 60 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = (): void => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - OVERSCAN);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + OVERSCAN;
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
  }, [scroller, rowHeight, count]);
  return { from: Math.min(from, count), to: Math.min(to, count) };
}
