// Whether the words of a field have room in it, which a browser does not say of placeholders and selects.
import type { Locator } from '@playwright/test';

/** Width of a native arrow. */
const ARROW_PX = 18;

/** The room that is left beside the placeholder of a field, or the chosen words of a select; negative if they are cut. */
export const roomLeft = (field: Locator): Promise<number> =>
  field.evaluate((element: HTMLInputElement | HTMLSelectElement, arrowPx) => {
    const style = getComputedStyle(element);
    const context = document.createElement('canvas').getContext('2d')!;
    context.font = style.font;
    const isSelect = element instanceof HTMLSelectElement;
    const words = isSelect ? element.selectedOptions[0]!.text : element.placeholder;
    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + (isSelect ? arrowPx : 0);
    return element.clientWidth - padding - context.measureText(words).width;
  }, ARROW_PX);
