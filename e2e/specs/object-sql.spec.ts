// The SQL of an object, from wherever it is shown, and the bar of a table.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { readClipboard } from '../support/clipboard.ts';
import { boxOf } from '../support/settled.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
  CREATE INDEX item_name ON item (name);
  CREATE VIEW names AS SELECT name FROM item;
  INSERT INTO item (name) VALUES ('ant'), ('bee');`;

test('the SQL of a table, a view, and an index is one click away, and rows are added and deleted in the bar', async ({
  idleApp,
}) => {
  const file = makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP });
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  const grid = await view.openTable('item');
  const bar = page.getByRole('toolbar', { name: 'Table' });
  const sql = view.dialog.getByRole('region', { name: 'SQL' });

  await bar.getByRole('button', { name: 'SQL' }).click();
  await expect(sql).toContainText('CREATE TABLE item');
  await expect(sql).toContainText('CREATE INDEX item_name ON item (name);');
  await view.dialog.getByRole('button', { name: 'Copy' }).click();
  await expect(view.dialog).toHaveCount(0);
  await expect.poll(() => readClipboard(page)).toContain('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);');
  await view.treeItem('names').click({ modifiers: ['Control'] });
  await expect(sql).toContainText('CREATE VIEW names');
  await page.keyboard.press('Escape');
  await view.treeItem('item_name').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show SQL' }).click();
  await expect(sql).toHaveText('CREATE INDEX item_name ON item (name);');
  await page.keyboard.press('Escape');

  await grid.click(0, 'name');
  const height = (await boxOf(bar)).height;
  // What is typed in a cell is stored before the rows are duplicated.
  await page.keyboard.type('emu');
  await bar.getByRole('button', { name: 'Duplicate rows' }).click();
  await expect(grid.cell(2, 'name')).toHaveText('emu');
  await bar.getByRole('button', { name: 'Delete rows' }).click();
  await expect(grid.cell(2, 'name')).toHaveCount(0);
  await bar.getByRole('button', { name: 'Add row' }).click();
  await page.keyboard.type('cat');
  await page.keyboard.press('Control+s');
  await expect(grid.cell(2, 'name')).toHaveText('cat');
  // Names go in a narrow window, and the bar stays as high.
  await expect(bar.getByText('Refresh')).toBeVisible();
  const window = await idleApp.electron.browserWindow(page);
  await window.evaluate((it) => it.setContentSize(640, 600));
  await expect(page.getByRole('complementary', { name: 'Details' })).toHaveCount(0);
  await expect(bar.getByText('Refresh')).toBeHidden();
  expect((await boxOf(bar)).height).toBe(height);
  await bar.getByRole('button', { name: 'Structure' }).click();
  await expect(page.getByLabel('Name of the table')).toHaveValue('item');
});
