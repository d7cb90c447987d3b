// An SQL tab as tests use it: its editor, its buttons, and its results, over a small table.
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { writeClipboard } from '../support/clipboard.ts';
import type { TestedApp } from '../tested-app.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const ANIMALS = `
  CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, legs INTEGER);
  INSERT INTO animal (name, legs) VALUES ('ant', 6), ('bee', 6), ('cat', 4), ('duck', 2), ('eel', 0);
`;
export const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

export async function startWithAnimals(app: TestedApp): Promise<Page> {
  const page = await app.start(makeDatabase(join(app.folder, 'animals.db'), { kind: 'sql', sql: ANIMALS }));
  await openQueryTab(page);
  return page;
}

async function openQueryTab(page: Page): Promise<void> {
  await expect(page.getByText('animal', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('Control+t');
  await expect(editor(page)).toBeFocused();
}

export const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL' });
export const messages = (page: Page) => page.getByRole('list', { name: 'Messages' });
export const resultTab = (page: Page, name: string | RegExp) =>
  page.getByRole('tablist', { name: 'Results' }).getByRole('tab', { name });
export const cells = (page: Page) => page.getByRole('grid', { name: /^Rows of result/ }).getByRole('gridcell');
/** The one of the tab: the status bar of every window has another. */
const queryBar = (page: Page) => page.getByRole('toolbar', { name: 'Query' });
export const runAllButton = (page: Page) => queryBar(page).getByRole('button', { name: /^Run all/ });
export const stopButton = (page: Page) => queryBar(page).getByRole('button', { name: 'Stop' });

/**
 * Pastes the text, as people do with SQL of any length. `fill` selects in the page and inserts afterwards: on a busy machine the editor can
 * write its own selection in between, and the text would come before the old one.
 */
export async function write(page: Page, sql: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await writeClipboard(page, sql);
  await page.keyboard.press('Control+v');
  await expect(page.locator('.cm-line').last()).toHaveText(sql.slice(sql.lastIndexOf('\n') + 1));
}

export const selectedText = (page: Page): Promise<string> => page.evaluate(() => getSelection()!.toString());

/** Middle of the first such text in a line of the editor. */
export const middleOf = (line: Locator, text: string): Promise<{ x: number; y: number }> =>
  line.evaluate((element, sought) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(sought);
      if (at < 0) continue;
      range.setStart(node, at);
      range.setEnd(node, at + sought.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    throw new Error(`The line does not contain “${sought}”.`);
  }, text);

export async function runAll(page: Page, sql: string): Promise<void> {
  await write(page, sql);
  // While something runs the key does nothing.
  await expect(runAllButton(page)).toBeEnabled();
  await page.keyboard.press('F5');
}

/** Another window on the same database, with an SQL tab. */
export async function secondQueryWindow(app: SideliteApp): Promise<Page> {
  await app.menu('file.newWindow');
  const page = await app.window(1);
  await expect(page.getByText('animals', { exact: false }).first()).toBeVisible();
  await page.getByText('animals', { exact: false }).first().click();
  await openQueryTab(page);
  return page;
}
