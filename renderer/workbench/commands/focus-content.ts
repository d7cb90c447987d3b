// Moves the focus into the active tab once its content is there, so that keyboard users can continue by keyboard.
import { topLayer } from '../../ui/modal-layer.tsx';

const FOCUSABLE =
  '.app-content [role="grid"], .app-content .cm-content, .app-content .history-list, .app-content .diagram-focus, .app-content [data-first-focus], .app-content .form-fields textarea, .app-content .bench [role="radio"][aria-checked="true"]';
/** Time after which to stop waiting for a tab without focusable content, such as a table that cannot be read. */
const GIVE_UP_MS = 30_000;

/** The move of the focus that has not ended, with the functions to run when the focus has arrived. */
let move: { readonly over: AbortController; readonly afterArrival: (() => void)[] } | null = null;

/**
 * Waits for the tab to be painted, however long its code or its rows take. If the user presses the pointer or Tab meanwhile, the focus is
 * not moved, even if nothing took the focus there. A modal dialog that opens meanwhile keeps the focus; one that is open already keeps it
 * until it closes.
 */
export function focusContent(): void {
  const over = new AbortController();
  const { signal } = over;
  const before = move;
  const mine = (move = { over, afterArrival: before?.afterArrival ?? [] });
  before?.over.abort();
  signal.addEventListener('abort', () => {
    if (move === mine) move = null;
  });
  window.addEventListener('pointerdown', () => over.abort(), { capture: true, signal });
  window.addEventListener('keydown', ({ key }) => key === 'Tab' && over.abort(), { capture: true, signal });
  const layer = topLayer();
  let focused: Element | null = null;
  const until = performance.now() + GIVE_UP_MS;
  const look = (): void => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== focused && activeElement !== document.body;
    const isBelow = topLayer() !== null && topLayer() !== layer;
    if (isElsewhere || isBelow || performance.now() > until) over.abort();
    if (signal.aborted) return;
    const target = topLayer() === null ? document.querySelector<HTMLElement>(FOCUSABLE) : null;
    if (!target) return void requestAnimationFrame(look);
    over.abort();
    target.focus({ preventScroll: true });
    for (const run of mine.afterArrival.splice(0)) run();
  };
  // Two frames later the previous tab has left the document, and a closed dialog has restored the focus.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      focused = document.activeElement;
      look();
    }),
  );
}

/** The same where nothing has the focus, as when a program starts Sidelite with a file. */
export function focusContentFromNowhere(): void {
  if (document.activeElement === document.body) focusContent();
}

/** Leaves the focus to what takes it now, such as a cell that is opened for the user: a move that arrived later would close that cell. */
export function endFocusMove(): void {
  move?.over.abort();
}

/**
 * Runs `run` when the focus that is on its way into the active tab has arrived, and not at all if the user moves the focus elsewhere
 * meanwhile. Returns false if no focus is on its way.
 */
export function afterFocus(run: () => void): boolean {
  move?.afterArrival.push(run);
  return move !== null;
}
