// What is being typed belongs to what is saved: the cell editor is asked to store it first.
const GIVE_UP_MS = 2000;

/** Answers false when it is still open: what was typed was refused, and the editor says why. */
export function settleEditing(): Promise<boolean> {
  const focused = document.activeElement;
  const editor = focused?.closest('[data-cell-editor]') ?? null;
  if (!editor || !(focused instanceof HTMLElement)) return Promise.resolve(true);
  focused.blur();
  const until = performance.now() + GIVE_UP_MS;
  return new Promise((resolve) => {
    const look = (): void => {
      if (!editor.isConnected) resolve(true);
      else if (performance.now() > until) resolve(false);
      else requestAnimationFrame(look);
    };
    look();
  });
}
