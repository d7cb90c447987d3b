// Moves the focus into the active tab once its content is there, so that keyboard users can continue by keyboard.

const FOCUSABLE =
  '.app-content [role="grid"], .app-content .cm-content, .app-content .history-list, .app-content .diagram-focus, .app-content [data-first-focus], .app-content .form-fields textarea, .app-content .bench [role="radio"][aria-checked="true"]';
/** Time after which to stop waiting for a tab without focusable content, such as a table that cannot be read. */
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
  // Two frames later the previous tab has left the document, and a closed dialog has restored the focus.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      focused = document.activeElement;
      look();
    }),
  );
}
