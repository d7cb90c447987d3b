// Puts the focus into what the active tab shows, once it is there: whoever goes somewhere by keyboard goes on there.

const FOCUSABLE =
  '.app-content [role="grid"], .app-content .cm-content, .app-content .history-list, .app-content .bench [role="radio"][aria-checked="true"]';
const GIVE_UP_MS = 1000;

/** Waits for the tab to be painted; a focus the person has moved meanwhile stays where it is. */
export function focusContent(): void {
  let focused: Element | null = null;
  const until = performance.now() + GIVE_UP_MS;
  const look = (): void => {
    if (document.activeElement !== focused && document.activeElement !== document.body) return;
    const target = document.querySelector<HTMLElement>(FOCUSABLE);
    if (target) target.focus({ preventScroll: true });
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  // Two frames later the tab that is left is out of the document, and a closed dialog has given the focus back.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      focused = document.activeElement;
      look();
    }),
  );
}
