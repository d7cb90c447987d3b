// The question about a window whose page does not react: its page draws the buttons of the window, so nobody could press them.
import { dialog } from 'electron';
import { log } from '../crash.ts';
import { windowTitle } from './registry.ts';
import type { AppWindow } from './registry.ts';

/** Asks whether to close the window, until its page reacts again. Chromium waits for half a minute before it says that a page hangs. */
export function askWhenHung(window: AppWindow): void {
  const { browserWindow } = window;
  let question: AbortController | null = null;
  const end = (): void => question?.abort();
  browserWindow.on('unresponsive', () => {
    if (question) return;
    log(`${windowTitle(window)} does not react`);
    const asked = (question = new AbortController());
    const options = {
      type: 'warning' as const,
      message: `${windowTitle(window)} is not responding.`,
      detail: 'You can wait, or close the window. Committed changes are safe; what was typed and not stored is lost.',
      buttons: ['Wait', 'Close Window'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: asked.signal,
    };
    void dialog.showMessageBox(browserWindow, options).then(({ response }) => {
      question = null;
      if (response === 1 && !asked.signal.aborted && !browserWindow.isDestroyed()) browserWindow.destroy();
    });
  });
  browserWindow.on('responsive', end);
  browserWindow.on('closed', end);
}
