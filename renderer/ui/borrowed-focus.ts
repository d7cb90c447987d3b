// Focus that a part of the window borrows and gives back, such as the menu in the title bar: what is being edited meanwhile stays open.

const BORROWS = '[data-borrows-focus]';
/** Menus and cards over the window, which may be gone when the focus is given back. */
const LAYERS = '.menu-positioner';

/** Whether the focus goes to an element that gives it back: a field that loses it does not end. */
export const borrowsFocus = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(BORROWS) !== null;

/** The element that had the focus, and before it one that no menu and no card takes away. */
let lenders: readonly HTMLElement[] = [];
let lastInWindow: HTMLElement | null = null;

/** Remembers where the focus is. Returns what ends it. */
export function rememberFocus(): () => void {
  const remember = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement && !target.closest(`${BORROWS}, ${LAYERS}`)) lastInWindow = target;
  };
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/** Gives the focus to `target`, until it is given back. */
export function borrowFocus(target: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (!borrowsFocus(activeElement))
    lenders = activeElement === body ? [] : [activeElement, lastInWindow].filter((one) => one instanceof HTMLElement);
  target?.focus({ preventScroll: true });
}

/** Gives the focus back to the element that had it, if a borrower still has it. */
export function giveFocusBack(): void {
  const { activeElement } = document;
  const to = lenders.find(({ isConnected }) => isConnected);
  lenders = [];
  if (activeElement !== null && activeElement !== document.body && !borrowsFocus(activeElement)) return;
  if (to) to.focus({ preventScroll: true });
  else if (activeElement instanceof HTMLElement) activeElement.blur();
}
