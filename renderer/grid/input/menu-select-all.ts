// Select All of the application's menu, in a grid that has the focus: Chromium announces it as a selection of the whole page.
import { useEffect } from 'react';
import type { RefObject } from 'react';
import type { GridController } from '../grid-controller.ts';

/** @param layer contains the element that has the focus when the grid has it */
export function useMenuSelectAll(
  controller: RefObject<GridController | null>,
  layer: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const select = (event: Event): void => {
      const { activeElement, body } = document;
      if (
        event.target !== body ||
        activeElement?.getAttribute('role') !== 'grid' ||
        !layer.current?.contains(activeElement)
      )
        return;
      if (controller.current?.perform({ kind: 'select-all' })) event.preventDefault();
    };
    document.addEventListener('selectstart', select);
    return () => document.removeEventListener('selectstart', select);
  }, [controller, layer]);
}
