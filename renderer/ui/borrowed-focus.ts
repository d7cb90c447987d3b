// Focus that a part of the window borrows and gives back, such as the menu in the title bar: what is being edited meanwhile stays open.

const BORROWS = '[data-borrows-focus]';

/** Whether the focus goes to an element that gives it back: a field that loses it does not end. */
export const borrowsFocus = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(BORROWS) !== null;

let lender: HTMLElement | null = null;

/** Gives the focus to `target`, until it is given back. */
export function borrowFocus(target: HTMLElement | null): void {
  const { activeElement } = document;
  if (!borrowsFocus(activeElement)) lender = activeElement instanceof HTMLElement ? activeElement : null;
  target?.focus({ preventScroll: true });
}

/** Gives the focus back to the element that had it, if a borrower still has it. */
export function giveFocusBack(): void {
  const { activeElement } = document;
  const to = lender;
  lender = null;
  if (activeElement !== null && activeElement !== document.body && !borrowsFocus(activeElement)) return;
  if (to?.isConnected) to.focus({ preventScroll: true });
  else if (activeElement instanceof HTMLElement) activeElement.blur();
}
