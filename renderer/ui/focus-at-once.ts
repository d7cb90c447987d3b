// Focus that a dialog has from the moment it opens.
import type { RefObject } from 'react';

/**
 * For `initialFocus` of a dialog. By itself the dialog moves the focus with the next frame. On a busy machine that is late: what is typed before
 * it goes to what had the focus until then, and a grid would start to edit a cell.
 */
export function focusAtOnce(target: RefObject<HTMLElement | null>): () => boolean {
  return () => {
    target.current?.focus();
    // True leaves it to the dialog.
    return target.current === null;
  };
}
