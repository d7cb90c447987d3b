// The clipboard as a window reaches it: through the shell, or in a plain browser by itself.
import type { Page } from '@playwright/test';
import './shell-in-page.ts';

export async function writeClipboard(page: Page, text: string): Promise<void> {
  await page.evaluate(
    (copied) => ('sidelite' in window ? window.sidelite.writeClipboard(copied) : navigator.clipboard.writeText(copied)),
    text,
  );
}

/** Brings the window to the front, because only the window in front may read it. */
export async function readClipboard(page: Page): Promise<string> {
  await page.bringToFront();
  return await page.evaluate(async () =>
    'sidelite' in window ? ((await window.sidelite.readClipboard()) ?? '') : navigator.clipboard.readText(),
  );
}
