// The library: what the user does with databases as a whole.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';
import { contentsOf, integrityOf } from '../support/compare-results.ts';

test('the first start offers to open, to create and a sample', async ({ page }) => {
  for (const name of [/Open file/, /New database/, /Sample database/])
    await expect(page.getByRole('button', { name }).first()).toBeVisible();
  expect(await findings(page, 'welcome', 'light')).toEqual([]);
  await page.getByRole('button', { name: /Sample database/ }).click();
  const view = new AppWindow(page);
  await view.opened('Sample');
  const grid = view.grid();
  await expect(grid.cell(0, 'order_id')).toHaveText('100001');
  for (const name of ['customer', 'product_image', 'stock_log', 'low_stock', 'review_search'])
    await expect(view.treeItem(name)).toBeVisible();
  await expect(view.status).toContainText('35,899 rows');
});

test('a new database is created, gets a table from an SQL tab and shows it', { tag: '@long' }, async ({ page }) => {
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
  await view.backUp();
  await expect(view.messages).toContainText('was backed up to exported.db');
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
  expect(await findings(page, 'library', 'light')).toEqual([]);
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

test(
  'a database that another window has open is not deleted, and keeps its tabs',
  { tag: '@long' },
  async ({ app, page }) => {
    const sql = "CREATE TABLE animal (name); INSERT INTO animal VALUES ('ant')";
    const view = new AppWindow(page);
    await view.openFile(app, makeDatabase(join(app.folder, 'animals.db'), { kind: 'sql', sql }));
    const grid = await view.openTable('animal');
    const second = await view.secondWindow(app, 'animals');
    const remove = async (): Promise<void> => {
      await page.keyboard.press('Control+l');
      await page.getByRole('button', { name: 'Actions for animals', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await view.dialog.getByRole('button', { name: 'Delete' }).click();
    };

    await remove();
    await expect(view.messages).toContainText('“animals” is open in');
    await page.keyboard.press('Escape');
    await expect(grid.cell(0, 'name')).toHaveText('ant');

    await second.page.close();
    await remove();
    await expect(page.getByRole('row', { name: 'animals', exact: true })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('tab', { name: 'animal' })).toHaveCount(0);
  },
);

test('an import can be stopped and leaves nothing', { tag: '@long' }, async ({ app, page }) => {
  const source = makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows: 200_000 });
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

test('a file that has a copy in the library is not copied again unasked', { tag: '@long' }, async ({ idleApp }) => {
  const pets = `CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pet (name) VALUES ('cat');`;
  const file = makeDatabase(join(idleApp.folder, 'pets.db'), { kind: 'sql', sql: pets });
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('pets');
  await (await view.openTable('pet')).edit(0, 'name', 'lynx');
  await expect(view.grid('Rows of pet').cell(0, 'name')).toHaveText('lynx');
  await view.page.keyboard.press('Control+w');

  await view.openFile(idleApp, file);
  await expect(view.dialog).toContainText('“pets” in your library is a copy of this file, last used just now.');
  await expect(view.dialog.getByRole('button', { name: 'Open “pets”' })).toBeFocused();
  await expect(view.dialog.getByRole('button', { name: 'In place' })).toHaveCount(0);
  await view.page.keyboard.press('Enter');
  await expect(view.grid('Rows of pet').cell(0, 'name')).toHaveText('lynx');
  await view.page.keyboard.press('Control+l');
  await expect(view.page.getByRole('row', { name: /^pets/ })).toHaveCount(1);

  await view.openFile(idleApp, file);
  await view.dialog.getByRole('button', { name: 'New copy' }).click();
  await view.opened('pets 2');
  await expect(view.grid('Rows of pet').cell(0, 'name')).toHaveText('cat');
});

test('whoever is asked how to open a file is offered the copy of it too', { tag: '@long' }, async ({ idleApp }) => {
  idleApp.opensFiles = 'ask';
  const file = makeDatabase(join(idleApp.folder, 'pets.db'), { kind: 'every-type' });
  const other = makeDatabase(join(idleApp.folder, 'others.db'), { kind: 'every-type' });
  const first = new AppWindow(await idleApp.start(file));
  await first.dialog.getByRole('button', { name: 'Library copy' }).click();
  await first.opened('pets');
  await idleApp.quit();

  // The library is not known yet when this start asks for the file.
  const view = new AppWindow(await idleApp.start(file));
  await expect(view.dialog.getByRole('button')).toHaveText(['Cancel', 'In place', 'New copy', 'Open “pets”']);
  await view.dialog.getByRole('button', { name: 'In place' }).click();
  await view.opened('pets.db');
  await view.openFile(idleApp, file);
  await expect(view.dialog).toContainText('You last did this just now.');
  await expect(view.dialog.getByRole('button')).toHaveText(['Cancel', 'New copy', 'Open “pets”', 'In place']);
  await expect(view.dialog.getByRole('button', { name: 'In place' })).toBeFocused();
  await view.page.keyboard.press('Escape');

  // With several files, it asks only about what was copied before.
  await idleApp.answerOpenDialog(file, other);
  await view.page.keyboard.press('Control+o');
  await expect(view.dialog).toContainText('Open 2 files');
  await view.dialog.getByRole('button', { name: 'Library copy' }).click();
  await expect(view.dialog).toContainText('Open “pets.db”');
  await view.dialog.getByRole('button', { name: 'Open “pets”' }).click();
  await view.opened('others');
  await view.page.keyboard.press('Control+l');
  await expect(view.page.getByRole('row', { name: /^pets/ })).toHaveCount(2);
});
