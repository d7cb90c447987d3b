// Stores the text of an open cell editor before a save, so that it is included.

/** Losing the focus stores its text; from the next frame on it is read-only until that has succeeded or failed. */
const FRAMES_TO_BEGIN = 2;

/** Returns false if it is still open: the text was refused, and the editor says why. Waits as long as storing takes. */
export function settleEditing(): Promise<boolean> {
  const focused = document.activeElement;
  const editor = focused?.closest('[data-cell-editor]') ?? null;
  if (!editor || !(focused instanceof HTMLElement)) return Promise.resolve(true);
  const isStoring = (): boolean => editor.querySelector('textarea')?.readOnly ?? false;
  focused.blur();
  return new Promise((resolve) => {
    const look = (frames: number): void => {
      if (!editor.isConnected) resolve(true);
      else if (frames >= FRAMES_TO_BEGIN && !isStoring()) resolve(false);
      else requestAnimationFrame(() => look(frames + 1));
    };
    look(0);
  });
}
