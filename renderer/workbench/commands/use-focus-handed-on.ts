// Focus that would leave the window with a part of it, such as a button that is gone once it was pressed.
import { useLayoutEffect, type RefObject } from 'react';
import { focusContent } from './focus-content.ts';

/**
 * The focus that leaves the window with the part goes to the content of the active tab. Otherwise the keyboard would be left to nobody.
 * Cleanups of layout effects run before React removes the elements.
 */
export function useFocusHandedOn(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      if (element?.contains(document.activeElement)) focusContent();
    };
  }, [part]);
}
