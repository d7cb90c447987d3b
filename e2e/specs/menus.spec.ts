// Context menus: what a menu is about is marked while the menu is open, and not covered by it.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { boxOf } from '../support/settled.ts';

test('the target of a context menu is marked and stays readable', async ({ idleApp }) => {
  const sql = 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item (name) VALUES (1), (2), (3);';
  const file = makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql });
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  const grid = await view.openTable('item');
  const mark = page.locator('.menu-target');

  // What is behind an open menu has no role: it is measured before.
  const opens = async (target: Locator, open: () => Promise<void>): Promise<void> => {
    const about = await boxOf(target);
    await open();
    const menu = page.getByRole('menu');
    await expect(menu).toBeVisible();
    const [marked, over] = [await boxOf(mark), await boxOf(menu)];
    expect(Math.abs(marked.x - about.x)).toBeLessThanOrEqual(2);
    expect(Math.abs(marked.y - about.y)).toBeLessThanOrEqual(2);
    expect(over.y >= about.y + about.height || over.y + over.height <= about.y).toBe(true);
    await page.keyboard.press('Escape');
    await expect(mark).toHaveCount(0);
  };

  const table = view.treeItem('item');
  await opens(table, () => table.click({ button: 'right' }));
  await opens(grid.column('name'), () => grid.clickHeader('name', { button: 'right' }));
  await grid.click(1, 'name');
  await opens(grid.cell(1, 'name'), () => page.keyboard.press('Shift+F10'));
  await view.tabs.filter({ hasText: 'item' }).click({ button: 'right' });
  await expect(mark).toBeVisible();
});

test('Save to Source is in the menu where there is a source, and Ctrl+S says elsewhere where changes are', async ({
  idleApp,
}) => {
  const file = makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: 'CREATE TABLE item (id)' });
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop');
  const isOffered = (): Promise<boolean | undefined> =>
    idleApp.electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('source.save')?.enabled);
  await expect.poll(isOffered).toBe(true);
  await view.command('New Database');
  await view.dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
  await view.opened('Untitled');
  await expect.poll(isOffered).toBe(false);
  // In the SQL tab that comes with a new database, the key would save its text as a file.
  await view.page.getByRole('searchbox', { name: /Find table/ }).click();
  await view.page.keyboard.press('Control+s');
  await expect(view.messages).toContainText('Changes are saved to the library immediately.');
});

test('Select All of the menu is about the cells where the focus is in a grid, and about text elsewhere', async ({
  idleApp,
}) => {
  const sql = 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item (name) VALUES (1), (2), (3);';
  const view = new AppWindow(await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql })));
  const { page } = view;
  const grid = await view.openTable('item');
  const selectAll = async (): Promise<void> => {
    const window = await idleApp.electron.browserWindow(page);
    // What the entry with this role does.
    await window.evaluate(({ webContents }) => webContents.selectAll());
  };
  const selectedText = (): Promise<string> => page.evaluate(() => String(getSelection()));
  await grid.click(1, 'name');
  await selectAll();
  for (const row of [0, 2]) await expect(grid.cell(row, 'id')).toHaveAttribute('aria-selected', 'true');
  expect(await selectedText()).toBe('');

  const search = page.getByRole('searchbox', { name: /Find table/ });
  await search.fill('some text');
  await selectAll();
  await expect.poll(selectedText).toBe('some text');
  await grid.click(0, 'name');
  await page.keyboard.press('F2');
  await selectAll();
  await page.keyboard.type('ant');
  await page.keyboard.press('Enter');
  await expect(grid.cell(0, 'name')).toHaveText('ant');
});
