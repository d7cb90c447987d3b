// Checks whether anything a page shows could reorder what is beside it, or hide.
import type { Page } from '@playwright/test';

/**
 * Every text and every described attribute with a character that is hidden or changes the reading direction. Ours are closed isolates. Fields show
 * what is typed in them as it is, each in a box of its own.
 */
export async function hiddenIn(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2067\ufeff]/;
    const withoutOurs = (text: string): string => text.replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, '');
    const found: string[] = [];
    const look = (where: string, text: string | null): void => {
      if (text && hidden.test(withoutOurs(text))) found.push(`${where}: ${JSON.stringify(text.slice(0, 80))}`);
    };
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
      if (node instanceof Text) {
        if (node.parentElement instanceof HTMLTextAreaElement) continue;
        look(node.parentElement?.className ?? '', node.data);
      } else if (node instanceof Element) {
        for (const name of ['title', 'aria-label', 'aria-description', 'alt', 'placeholder'])
          look(`${node.tagName} ${name}`, node.getAttribute(name));
      }
    }
    look('title of the page', document.title);
    return found;
  });
}
