// A file is opened without a question, read-only; its first edit asks once whether the file or a copy in the library is edited.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSpec } from '../data/make-database.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import '../support/shell-in-page.ts';
import { makeShop } from '../support/shop-in-place.ts';

const MARK = 'read-only until your first edit';
const NAMES = 'SELECT name FROM item ORDER BY id';

test('the first edit of a file asks once, and goes on in the file itself', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const file = makeShop(idleApp);
  const before = readFileSync(file);
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  await expect(view.grid().root).toBeFocused();
  const grid = await view.openTable('item');
  await expect(view.status).toContainText(MARK);

  // Cancel has the focus, and leaves the file, and what was typed, as they are.
  await grid.edit(0, 'name', 'emu');
  await expect(view.dialog).toContainText('Edit “shop.db”');
  await expect(view.dialog.getByRole('button')).toHaveText(['Cancel', 'Edit a library copy', 'Edit the file itself']);
  await expect(view.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await view.page.keyboard.press('Enter');
  await expect(view.dialog).toHaveCount(0);
  await expect(grid.editor.getByRole('textbox')).toHaveValue('emu');
  await expect(grid.editor.getByRole('textbox')).toBeFocused();
  expect(readFileSync(file)).toEqual(before);

  await view.page.keyboard.press('Enter');
  await view.dialog.getByRole('button', { name: 'Edit the file itself' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('emu');
  await expect(view.status).not.toContainText(MARK);
  await expect.poll(() => query(file, NAMES)).toEqual([['emu'], ['bee'], ['cat']]);
  await grid.edit(1, 'name', 'hog');
  await expect.poll(() => query(file, NAMES)).toEqual([['emu'], ['hog'], ['cat']]);
  await view.page.keyboard.press('Control+z');
  await expect.poll(() => query(file, NAMES)).toEqual([['emu'], ['bee'], ['cat']]);
  await grid.edit(1, 'name', 'fox');
  await expect.poll(() => query(file, NAMES)).toEqual([['emu'], ['fox'], ['cat']]);

  const again = new AppWindow(await idleApp.relaunch());
  await again.opened('shop.db');
  await expect(again.status).toContainText('In place');
  await expect(again.status).not.toContainText(MARK);
  await again.grid('Rows of item').edit(2, 'name', 'gnu');
  await expect.poll(() => query(file, NAMES)).toEqual([['emu'], ['fox'], ['gnu']]);

  await again.page.keyboard.press('Control+l');
  await again.page.getByRole('row', { name: 'shop.db', exact: true }).click({ button: 'right' });
  await again.page.getByRole('menuitem', { name: 'Ask again at the next edit' }).click();
  await again.page.keyboard.press('Control+l');
  await expect(again.status).toContainText(MARK);
  await again.grid('Rows of item').edit(2, 'name', 'hen');
  await expect(again.dialog).toContainText('Edit “shop.db”');
  expect(query(file, NAMES)).toEqual([['emu'], ['fox'], ['gnu']]);
});

test('the first edit goes on in a copy, at the same place, and the file opens as that copy', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const file = makeShop(idleApp);
  const before = readFileSync(file);
  const view = new AppWindow(await idleApp.start());
  await view.openFile(idleApp, file);
  await view.opened('shop.db');
  const grid = await view.openTable('item');
  await grid.edit(1, 'name', 'emu');
  await view.dialog.getByRole('button', { name: 'Edit a library copy' }).click();
  await view.opened('shop');
  await expect(view.database).toHaveText(/library copy of shop\.db/);
  await expect(grid.cell(1, 'name')).toHaveText('emu');
  await expect(view.tabs).toHaveText([/item/]);
  await expect(grid.cell(1, 'name')).toHaveAttribute('aria-selected', 'true');
  expect(readFileSync(file)).toEqual(before);
  await grid.edit(2, 'name', 'fox');
  await expect(grid.cell(2, 'name')).toHaveText('fox');

  await view.page.keyboard.press('Control+w');
  await view.openFile(idleApp, file);
  await view.opened('shop');
  await expect(view.grid('Rows of item').cell(2, 'name')).toHaveText('fox');
  expect(readFileSync(file)).toEqual(before);
});

test('what is typed when a copy that had been made before is chosen waits in its cell there', async ({ idleApp }) => {
  const file = makeShop(idleApp);
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop');
  await view.page.evaluate(() => window.sidelite.changeSettings({ openFiles: 'first-edit' }));
  await view.openFile(idleApp, file);
  await view.opened('shop.db');
  const grid = await view.openTable('item');
  await grid.edit(1, 'name', 'emu');
  // The field in the tab of the file is there until that of the copy has been painted.
  await view.page.locator('.grid-editor-text').evaluate((field) => field.setAttribute('data-before', ''));
  await view.dialog.getByRole('button', { name: 'Open “shop”' }).click();
  await view.opened('shop');
  await expect(view.page.locator('[data-before]')).toHaveCount(0);
  const field = grid.editor.getByRole('textbox');
  await expect(field).toHaveValue('emu');
  await expect(field).toBeFocused();
  await expect(view.messages).toContainText('Edits now go into “shop”. Nothing was changed');
  await view.page.keyboard.press('Enter');
  await expect(grid.cell(1, 'name')).toHaveText('emu');
  expect(query(file, NAMES)).toEqual([['ant'], ['bee'], ['cat']]);
});

test('what is typed in the details is saved in the copy, and what is not saved yet stays in the file', async ({
  idleApp,
}) => {
  idleApp.opensFiles = null;
  const file = makeShop(idleApp);
  const before = readFileSync(file);
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  const grid = await view.openTable('item');
  const field = view.page.getByRole('complementary', { name: 'Details' }).getByRole('textbox');
  const type = async (row: number, text: string): Promise<void> => {
    await grid.click(row, 'name');
    await view.page.keyboard.press('F4');
    await expect(field).toBeFocused();
    await field.fill(text);
  };
  await type(0, 'not yet');
  await type(1, 'emu');
  await view.page.keyboard.press('Control+Enter');
  await view.dialog.getByRole('button', { name: 'Edit a library copy' }).click();
  await view.opened('shop');
  await expect(grid.cell(1, 'name')).toHaveText('emu');
  await expect(view.tabs).toHaveCount(2);
  await view.tabs.first().click();
  await view.opened('shop.db');
  await expect(grid.cell(1, 'name')).toHaveText('bee');
  await grid.click(0, 'name');
  await expect(field).toHaveValue('not yet');
  expect(readFileSync(file)).toEqual(before);
});

test('SQL that writes asks before any of it runs, and a preview does not', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const file = makeShop(idleApp);
  const before = readFileSync(file);
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  await view.runSql('SELECT count(*) AS n FROM item');
  await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('3');
  await view.writeSql("SELECT 7 AS seven; INSERT INTO item (name) VALUES ('dog')");
  await view.page.keyboard.press('F5');
  await expect(view.dialog).toContainText('Edit “shop.db”');
  await view.page.keyboard.press('Escape');
  await expect(view.page.getByText('Nothing was changed.').first()).toBeVisible();
  await expect(view.grid('Result 1').root).toHaveCount(0);
  expect(readFileSync(file)).toEqual(before);
  await view.page.keyboard.press('F5');
  await view.dialog.getByRole('button', { name: 'Edit the file itself' }).click();
  await expect(view.grid('Result 1').cell(0, 'seven')).toHaveText('7');
  await expect.poll(() => query(file, NAMES)).toHaveLength(4);
});

test('TEMP tables are made and written to without a question', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const file = makeShop(idleApp);
  const before = readFileSync(file);
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  await view.runSql(
    'CREATE TEMP TABLE found AS SELECT name FROM item; DELETE FROM found; SELECT count(*) AS n FROM found',
  );
  await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('0');
  await view.runSql("INSERT INTO found VALUES ('yak')");
  await expect(view.page.getByText('1 row changed').first()).toBeVisible();
  await expect(view.dialog).toHaveCount(0);
  await expect(view.status).toContainText(MARK);
  expect(readFileSync(file)).toEqual(before);
  await view.writeSql('INSERT INTO item (name) SELECT name FROM found');
  await view.page.keyboard.press('F5');
  await expect(view.dialog).toContainText('Edit “shop.db”');
});

test('a change of the schema is planned without a question, and asks when it is applied', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const file = makeShop(idleApp);
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  await view.treeItem('item').click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Rename…' }).click();
  await view.dialog.getByRole('textbox').fill('thing');
  await expect(view.dialog.getByRole('button', { name: 'Rename' })).toBeEnabled();
  await view.page.keyboard.press('Enter');
  await expect(view.page.getByRole('alertdialog')).toContainText('Edit “shop.db”');
  await view.page.getByRole('button', { name: 'Edit the file itself' }).click();
  await expect(view.treeItem('thing')).toBeVisible();
  await expect.poll(() => query(file, 'SELECT count(*) FROM thing')).toEqual([[3]]);
});

test('what cannot be opened in place is refused, or can be recovered, as a copy can', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const make = (name: string, spec: DatabaseSpec): string => makeDatabase(join(idleApp.folder, `${name}.db`), spec);
  const view = new AppWindow(await idleApp.start());
  await view.openFile(idleApp, make('secret', { kind: 'encrypted' }));
  await expect(view.dialog).toContainText('may be encrypted');
  await view.dialog.getByRole('button', { name: 'Cancel' }).click();
  await view.openFile(idleApp, make('hurt', { kind: 'corrupt' }));
  // SQLite notices that only where it reads: the file is open by then.
  await view.messages.getByRole('button', { name: 'Recover…' }).click();
  await expect(view.dialog).toContainText('is damaged');
  await view.dialog.getByRole('button', { name: 'Recover what can be read' }).click();
  await expect(view.dialog).toContainText('Recovered from');
});
