// Waiting for the page of a window that may never answer: it can crash, and it can hang.
import { log } from '../crash.ts';
import { windowTitle } from './registry.ts';
import type { AppWindow } from './registry.ts';

/**
 * Resolves with the page's answer; with null when the page has crashed, or has taken too long, which is logged.
 * @param late the sentence in the log about a page that takes longer than `timeoutMs`
 */
export async function answerOf<T>(
  window: AppWindow,
  ask: () => Promise<T>,
  { timeoutMs, late }: { readonly timeoutMs: number; readonly late: string },
): Promise<T | null> {
  const { webContents } = window.browserWindow;
  if (webContents.isCrashed()) return null;
  let giveUp = (): void => undefined;
  const givenUp = new Promise<null>((resolve) => (giveUp = () => resolve(null)));
  const timer = setTimeout(() => {
    log(`${windowTitle(window)} ${late}: no answer within ${timeoutMs / 1000} s`);
    giveUp();
  }, timeoutMs);
  webContents.once('render-process-gone', giveUp);
  try {
    return await Promise.race([ask(), givenUp]);
  } finally {
    clearTimeout(timer);
    if (!webContents.isDestroyed()) webContents.off('render-process-gone', giveUp);
  }
}
