// Focus that a dialog has from the moment it opens.
import type { RefObject } from 'react';

/**
 * For `initialFocus` of a dialog. Without it the dialog moves the focus with the next frame, which is late on a busy machine: keys pressed
 * before that frame go to the element that had the focus until then, and a grid would start to edit a cell.
 */
export function focusAtOnce(target: RefObject<HTMLElement | null>): () => boolean {
  return () => {
    target.current?.focus();
    // True leaves the focus to the dialog.
    return target.current === null;
  };
}
