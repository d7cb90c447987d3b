// The command line and a window: what a command did is seen and undone there, and what a window is told to open.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { runCommand, writeInFolder } from '../support/command.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { makeShop } from '../support/shop-in-place.ts';

// A second start finds the process of the first by its profile.
test.use({ isAlone: true });

test('what a command did is undone in the window, and what it does meanwhile appears there', async ({ idleApp }) => {
  const file = makeShop(idleApp);
  writeInFolder(idleApp, 'rows.csv', 'id,name\n7,emu\n');
  const words = ['import', 'rows.csv', '--into', 'shop.db', '-t', 'item'];
  expect((await runCommand(idleApp, words)).code).toBe(0);
  idleApp.opensFiles = 'in-place';
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  const grid = await view.openTable('item');
  await expect(grid.cell(3, 'name')).toHaveText('emu');
  await grid.cell(0, 'name').click();
  await view.page.keyboard.press('Control+z');
  await expect(view.messages).toContainText(/Undid: .*Import rows.csv/);
  await expect.poll(() => query(file, 'SELECT count(*) FROM item')).toEqual([[3]]);
  // A running app keeps the history itself: it notices what comes from outside.
  writeInFolder(idleApp, 'more.csv', 'id,name\n8,fox\n');
  expect((await runCommand(idleApp, ['import', 'more.csv', '--into', 'shop.db', '-t', 'item'])).code).toBe(0);
  await expect(grid.cell(3, 'name')).toHaveText('fox');
  expect(integrityOf(file)).toBe('ok');
});

test(
  'a table opens filtered and read-only: nothing can be written, and the window says why',
  { tag: '@long' },
  async ({ idleApp }) => {
    const file = makeShop(idleApp);
    const before = readFileSync(file);
    const view = new AppWindow(await idleApp.start(file, '--table', 'ITEM', '--where', 'price >= 2', '--read-only'));
    await view.opened('shop.db');
    const grid = view.grid('Rows of item');
    await expect(grid.cell(0, 'name')).toHaveText('bee');
    await expect(grid.cell(1, 'name')).toHaveText('cat');
    await expect(view.page.getByRole('textbox', { name: 'WHERE condition' })).toHaveValue('price >= 2');
    await expect(view.status).toContainText('read-only');
    await expect(view.page.getByRole('button', { name: 'Database: shop.db in place, read-only' })).toBeVisible();
    await view.page.getByText('read-only', { exact: true }).hover();
    await expect(view.page.getByText('opened read-only, as requested')).toBeVisible();
    await view.page.mouse.move(0, 0);
    await grid.click(0, 'name', { double: true });
    await expect(view.messages).toContainText('opened read-only');
    await expect(grid.editor).toHaveCount(0);
    await view.runSql("UPDATE item SET name = 'emu'");
    await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText(
      /as requested\..* Nothing was changed/,
    );
    // It stays so when the page is reloaded.
    await view.page.reload();
    await view.opened('shop.db');
    await expect(view.status).toContainText('read-only');
    // Changes by others appear.
    const other = new Sqlite(file);
    other.exec("UPDATE item SET name = 'fox' WHERE id = 2");
    other.close();
    await view.page.getByRole('tab', { name: /item/ }).click();
    await expect(view.grid('Rows of item').cell(0, 'name')).toHaveText('fox');
    // Closed and opened again, it is a file as any other.
    await view.page.keyboard.press('Control+l');
    await view.page.getByRole('row', { name: 'shop.db', exact: true }).click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Close', exact: true }).click();
    await view.page.getByRole('row', { name: 'shop.db', exact: true }).dblclick();
    await expect(view.page.getByRole('button', { name: 'Database: shop.db in place', exact: true })).toBeVisible();
    await idleApp.quit();
    expect(query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['ant']]);
    expect(before.length).toBe(readFileSync(file).length);
  },
);

test(
  'a second start shows its table in the window that runs; a file that waits for its first edit becomes read-only, one that was changed does not',
  { tag: '@long' },
  async ({ idleApp }) => {
    const file = makeShop(idleApp);
    idleApp.opensFiles = 'in-place';
    const view = new AppWindow(await idleApp.start(file));
    await view.opened('shop.db');
    expect((await runCommand(idleApp, [file, '--table', 'item', '--where', 'id = 3'])).code).toBe(0);
    const grid = view.grid('Rows of item');
    await expect(grid.cell(0, 'name')).toHaveText('cat');
    await grid.edit(0, 'name', 'cow');
    await expect.poll(() => query(file, 'SELECT name FROM item WHERE id = 3')).toEqual([['cow']]);
    await runCommand(idleApp, [file, '--read-only']);
    await expect(view.dialog).toContainText('already open for changes');
    await view.page.keyboard.press('Enter');
    await grid.edit(0, 'name', 'hen');
    await expect.poll(() => query(file, 'SELECT name FROM item WHERE id = 3')).toEqual([['hen']]);

    const other = makeDatabase(join(idleApp.folder, 'other.db'), { kind: 'sql', sql: 'CREATE TABLE item (name)' });
    await runCommand(idleApp, [other]);
    await view.opened('other.db');
    await runCommand(idleApp, [other, '--read-only']);
    await expect(view.page.getByRole('button', { name: 'Database: other.db in place, read-only' })).toBeVisible();
    await view.runSql("INSERT INTO item VALUES ('cow')");
    await expect(view.page.getByText('opened read-only, as requested').first()).toBeVisible();
    expect(query(other, 'SELECT count(*) FROM item')).toEqual([[0]]);
  },
);
