// The clipboard as a window reaches it: through the shell, or in a plain browser by itself.
import type { Page } from '@playwright/test';
import '../shell-in-page.ts';

export async function writeClipboard(page: Page, text: string): Promise<void> {
  await page.evaluate(
    (copied) => ('sidelite' in window ? window.sidelite.writeClipboard(copied) : navigator.clipboard.writeText(copied)),
    text,
  );
}

export async function readClipboard(page: Page): Promise<string> {
  return await page.evaluate(() =>
    'sidelite' in window ? window.sidelite.readClipboard() : navigator.clipboard.readText(),
  );
}
