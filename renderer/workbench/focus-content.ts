// Puts the focus into what the active tab shows, once it is there, so that a person who got there by keyboard can continue by keyboard.

const FOCUSABLE =
  '.app-content [role="grid"], .app-content .cm-content, .app-content .history-list, .app-content .diagram-focus, .app-content .bench [role="radio"][aria-checked="true"]';
/** A tab that shows nothing to go to, a table that cannot be read for example, is not waited for any longer. */
const GIVE_UP_MS = 30_000;

/**
 * Waits for the tab to be painted, however long its code or its rows take. If the user presses the pointer or Tab meanwhile, the focus is
 * not moved, even if nothing took the focus there.
 */
export function focusContent(): void {
  const over = new AbortController();
  const { signal } = over;
  window.addEventListener('pointerdown', () => over.abort(), { capture: true, signal });
  window.addEventListener('keydown', ({ key }) => key === 'Tab' && over.abort(), { capture: true, signal });
  let focused: Element | null = null;
  const until = performance.now() + GIVE_UP_MS;
  const look = (): void => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== focused && activeElement !== document.body;
    if (isElsewhere || performance.now() > until) over.abort();
    if (signal.aborted) return;
    const target = document.querySelector<HTMLElement>(FOCUSABLE);
    if (!target) return void requestAnimationFrame(look);
    over.abort();
    target.focus({ preventScroll: true });
  };
  // Two frames later the tab that is left is out of the document, and a closed dialog has given the focus back.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      focused = document.activeElement;
      look();
    }),
  );
}
