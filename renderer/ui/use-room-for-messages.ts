// Keeps messages above an element at the bottom of the window, whose buttons they would cover.
import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * @param property that the corner with the messages adds up: the height of the element while it is there
 * @param abovePixels height of further content right above the element that must stay visible
 */
export function useRoomForMessages<E extends HTMLElement = HTMLElement>(
  property: '--held-height' | '--changes-height' | '--draft-height',
  abovePixels = 0,
): RefObject<E | null> {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty(property, `${Math.ceil(entry!.borderBoxSize[0]!.blockSize) + abovePixels}px`),
    );
    observer.observe(element.current!);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  }, [property, abovePixels]);
  return element;
}
