// How wide an element is, for pictures that are laid out in pixels.
import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

export function useWidth<E extends HTMLElement>(first: number, least = 0): [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(least, Math.floor(entry!.contentRect.width))));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [least]);
  return [element, width];
}
