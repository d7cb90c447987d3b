// F6: the focus goes from pane to pane, into each where it was last or where the user would begin. Panes are marked with `data-pane`.

const PANE = '[data-pane]';
const FOCUSABLE =
  ':is(button, input, select, textarea):not(:disabled), summary, [contenteditable="true"], [tabindex]:not([role="separator"])';
/** Better than whatever comes first; the first of these before the second. */
const BEGINNINGS = [
  '[role="tree"], [role="grid"], [role="listbox"], .cm-content',
  '[role="tab"][aria-selected="true"], [role="radio"][aria-checked="true"]',
];

const lastFocused = new WeakMap<Element, Element>();

/** Remembers where the focus was in each pane. Returns what ends it. */
export function followPaneFocus(): () => void {
  const remember = ({ target }: FocusEvent): void => {
    const pane = target instanceof Element ? target.closest(PANE) : null;
    if (pane) lastFocused.set(pane, target as Element);
  };
  window.addEventListener('focusin', remember);
  return () => window.removeEventListener('focusin', remember);
}

/** Panes with nothing to focus in them are passed over. A dialog keeps the focus. */
export function focusPane(step: 1 | -1): void {
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
  const panes = [...document.querySelectorAll(PANE)];
  const at = panes.indexOf(document.activeElement?.closest(PANE) as Element);
  const from = at < 0 && step < 0 ? 0 : at;
  for (let count = 1; count <= panes.length; count++) {
    const pane = panes[(from + step * count + panes.length) % panes.length]!;
    const target = targetIn(pane);
    if (!target) continue;
    target.focus();
    return;
  }
}

function targetIn(pane: Element): HTMLElement | undefined {
  // Elements of a pane within this one belong to that pane.
  const focusable = [...pane.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.closest(PANE) === pane && element.tabIndex >= 0 && element.getClientRects().length > 0,
  );
  const last = focusable.find((element) => element === lastFocused.get(pane));
  const beginnings = BEGINNINGS.map((selector) => focusable.find((element) => element.matches(selector)));
  return [last, ...beginnings, focusable[0]].find(Boolean);
}
