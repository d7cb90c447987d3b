// Columns of tables and results in the real app: hidden, frozen, moved, fitted, and found again after a restart.
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { GridPage } from '../pages/grid-page.ts';
import { readClipboard } from '../support/clipboard.ts';

const NAMES = Array.from({ length: 24 }, (_, index) => `c${index}`);
const WIDE = `
  CREATE TABLE wide (id INTEGER PRIMARY KEY, ${NAMES.join(', ')});
  INSERT INTO wide SELECT value, ${NAMES.map((name) => `'${name}-' || value`).join(', ')} FROM generate_series(1, 200);
`.replace(
  'generate_series(1, 200)',
  '(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 200) SELECT value FROM n)',
);

async function headerMenu(page: Page, column: Locator, item: string): Promise<void> {
  const box = (await column.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button: 'right' });
  await page.getByRole('menuitem', { name: item }).click();
}

/** Left edges on screen. */
const leftOf = async (target: Locator): Promise<number> => (await target.boundingBox())!.x;

test('columns are frozen, hidden, and moved; tables and results remember it', async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'wide.db'), { kind: 'sql', sql: WIDE }));
  const window = new AppWindow(page);
  const table = await window.openTable('wide');
  await expect(table.cell(0, 'c0')).toHaveText('c0-1');
  await headerMenu(page, table.column('c0'), 'Freeze up to this column');
  const before = await leftOf(table.column('c0'));

  // The end of the row, and back to a frozen cell by the mouse.
  await table.click(2, 'c1');
  await page.keyboard.press('End');
  await expect(table.cell(2, 'c23')).toHaveText('c23-3');
  await expect(table.column('c5')).toHaveCount(0);
  expect(await leftOf(table.column('c0'))).toBe(before);
  await table.click(4, 'c0');
  await page.keyboard.press('Control+c');
  await expect.poll(() => readClipboard(page)).toBe('c0-5');
  await expect(table.cell(4, 'c23')).toHaveText('c23-5');
  // The next column is scrolled to beside the frozen ones.
  await page.keyboard.press('ArrowRight');
  await expect(table.column('c1')).toBeAttached();
  await table.edit(0, 'c1', 'changed');
  await expect(table.cell(0, 'c1')).toHaveText('changed');

  // Hidden by the list, and what is copied has no hidden columns.
  await window.command('Columns…');
  const list = page.getByRole('dialog', { name: 'Columns' });
  await list.getByRole('textbox', { name: 'Find column' }).fill('c1');
  await list.getByRole('checkbox', { name: 'c1', exact: true }).uncheck();
  await expect(list).toContainText('24 of 25 shown');
  await list.getByRole('button', { name: 'Close' }).click();
  await expect(table.column('c1')).toHaveCount(0);
  await table.click(0, 'c0');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Control+c');
  await expect.poll(() => readClipboard(page)).toBe('c0-1\tc2-1');

  // A result, by the keyboard.
  await window.runSql('SELECT id, c0, c1, c2 FROM wide ORDER BY id');
  const rows = new GridPage(page, page.getByRole('grid', { name: /^Rows of result/ }));
  await rows.click(0, 'c1');
  await window.command('Hide Column');
  await expect(rows.column('c1')).toHaveCount(0);
  await rows.click(0, 'c2');
  await page.keyboard.press('Control+Alt+ArrowLeft');
  await expect(rows.root.getByRole('columnheader')).toHaveText(['Row', /^id/, /^c2/, /^c0/]);

  // Closed and opened again, after a restart.
  await page.keyboard.press('Control+w');
  const again = new AppWindow(await idleApp.relaunch());
  await again.treeItem('wide').click();
  const reopened = await again.openTable('wide');
  await expect(reopened.column('c0')).toBeAttached();
  await expect(reopened.column('c1')).toHaveCount(0);
  await again.runSql('SELECT id, c0, c1, c2 FROM wide WHERE id < 9');
  const result = new GridPage(again.page, again.page.getByRole('grid', { name: /^Rows of result/ }));
  await expect(result.column('c2')).toBeAttached();
  await expect(result.column('c1')).toHaveCount(0);
});
