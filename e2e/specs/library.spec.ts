// The library: what the user does with databases as a whole.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';
import { contentsOf, integrityOf } from '../support/compare-results.ts';

test('the first start offers to open, to create and a sample', async ({ page }) => {
  for (const name of [/Open file/, /New database/, /Sample database/])
    await expect(page.getByRole('button', { name }).first()).toBeVisible();
  await page.getByRole('button', { name: /Sample database/ }).click();
  const view = new AppWindow(page);
  await view.opened('Sample');
  const grid = view.grid();
  await expect(grid.cell(0, 'order_id')).toHaveText('100001');
  for (const name of ['customer', 'product_image', 'stock_log', 'low_stock', 'review_search'])
    await expect(view.treeItem(name)).toBeVisible();
  await expect(view.status).toContainText('35,899 rows');
  await page.screenshot({ path: test.info().outputPath('sample.png') });
});

test('a new database is created, gets a table from an SQL tab and shows it', async ({ page }) => {
  const view = new AppWindow(page);
  await page.getByRole('button', { name: /New database/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('My notes');
  await page.keyboard.press('Enter');
  await view.opened('My notes');
  await view.runSql("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note (body) VALUES ('hello');");
  const grid = await view.openTable('note');
  await expect(grid.cell(0, 'body')).toHaveText('hello');
});

test('an empty database leads to its first table, and typing gives it a name', async ({ page }) => {
  const view = new AppWindow(page);
  await page.getByRole('button', { name: /New database/ }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Enter');
  await view.opened('Untitled');
  await page.getByRole('button', { name: 'Create a table' }).click();
  await expect(page.getByLabel('Name of the table')).toBeFocused();
  await page.keyboard.type('note');
  await page.keyboard.press('Enter');
  await expect(view.editor).toContainText('CREATE TABLE note');
  await page.getByRole('button', { name: 'Create table' }).click();
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(view.treeItem('note')).toBeVisible();
});

test('a file is imported and exported again with the same content', async ({ app, page }) => {
  const source = makeDatabase(join(app.folder, 'kinds.db'), { kind: 'table-kinds' });
  const view = new AppWindow(page);
  await view.openFile(app, source);
  await view.opened('kinds');
  await expect(view.treeItem('without_rowid')).toBeVisible();

  const target = join(app.folder, 'exported.db');
  await app.answerSaveDialog(target);
  await view.command('Export as SQLite File');
  await expect(view.messages).toContainText('was exported to exported.db');
  expect(integrityOf(target)).toBe('ok');
  expect(contentsOf(target)).toEqual(contentsOf(source));
});

test('a database is renamed, duplicated and, when confirmed, deleted', async ({ app, page }) => {
  const source = makeDatabase(join(app.folder, 'animals.db'), {
    kind: 'sql',
    sql: "CREATE TABLE animal (name); INSERT INTO animal VALUES ('ant')",
  });
  const view = new AppWindow(page);
  await view.openFile(app, source);
  await view.opened('animals');

  await view.command('Rename Database');
  await page.getByRole('textbox', { name: 'Name' }).fill('zoo');
  await page.keyboard.press('Enter');
  await view.opened('zoo');
  await view.command('Duplicate Database');
  await expect(view.messages).toContainText('zoo copy');

  await page.keyboard.press('Control+l');
  const row = (name: string) => page.getByRole('row', { name, exact: true });
  await expect(row('zoo')).toContainText('animals.db');
  await expect(row('zoo copy')).toBeVisible();
  const remove = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for zoo', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
  };
  await remove();
  await view.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row('zoo')).toBeVisible();
  await remove();
  await view.dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(row('zoo')).toHaveCount(0);
  await expect(row('zoo copy')).toBeVisible();
  expect(existsSync(source)).toBe(true);
});

test('an import can be stopped and leaves nothing', async ({ app, page }) => {
  const source = makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows: 1_000_000 });
  const view = new AppWindow(page);
  const letGo = await holdBack(page, 'library.import');
  await view.openFile(app, source);
  await page
    .getByRole('region', { name: /^Importing big/ })
    .getByRole('button', { name: /Stop|Cancel/ })
    .click();
  await letGo();
  await expect(view.messages).toContainText('was stopped');
  await page.keyboard.press('Control+l');
  await expect(page.getByRole('row', { name: 'big', exact: true })).toHaveCount(0);
});
