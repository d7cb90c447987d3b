// Hold-changes mode: edits wait with their SQL, survive whatever comes, fit in with what others store, and are saved in one transaction.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import { openShop } from '../support/shop-in-place.ts';

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price REAL CHECK (price >= 0));
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3), ('dog', 4);
  CREATE TABLE word (w TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
  INSERT INTO word VALUES ('a', 1), ('b', 2);
`;

const strip = (view: AppWindow): Locator => view.page.getByRole('region', { name: 'Held changes', exact: true });
const sqlOf = (view: AppWindow): Locator => strip(view).locator('li code');

async function turnOn(view: AppWindow): Promise<void> {
  await view.status.getByRole('button', { name: 'Changes: nothing pending' }).click();
  await view.page.getByRole('menuitemradio', { name: /Hold changes/ }).click();
  await expect(view.status).toContainText('holding changes');
}

test('edits are held with their SQL, taken back, sorted and filtered around, decided about, and saved as one step', async ({
  idleApp,
}) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP })),
  );
  const { page } = view;
  const grid = await view.openTable('item');
  const { keyboard } = page;
  await turnOn(view);

  // Cells, a copy, a new row, a deletion; nothing of it is in the database.
  await grid.edit(0, 'name', 'emu');
  await expect(grid.cell(0, 'name')).toHaveAttribute('data-unsaved', 'changed');
  await grid.edit(1, 'name', 'ant');
  await grid.click(2, 'name');
  await keyboard.press('Control+d');
  await expect(grid.cell(4, 'name')).toHaveText('cat');
  await expect(grid.cell(4, 'name')).toHaveAttribute('data-unsaved', 'added');
  await expect(grid.cell(4, 'id')).toHaveText('automatic');
  await grid.edit(4, 'name', 'gnu');
  await expect(grid.cell(4, 'name')).toHaveText('gnu');
  await grid.click(3, 'name');
  await keyboard.press('Control+Backspace');
  await expect(grid.cell(3, 'name')).toHaveAttribute('data-unsaved', 'deleted');
  await grid.click(3, 'price');
  await keyboard.press('F2');
  await expect(page.getByText('This row is marked for deletion.').first()).toBeVisible();
  await expect(strip(view)).toContainText('4 changes to 1 table, not saved yet.');
  await strip(view).getByRole('button', { name: 'Show SQL' }).click();
  await expect(sqlOf(view)).toHaveText([
    `UPDATE "item" SET "name" = 'emu' WHERE "id" = 1`,
    `UPDATE "item" SET "name" = 'ant' WHERE "id" = 2`,
    `DELETE FROM "item" WHERE "id" = 4`,
    `INSERT INTO "item" ("name", "price") VALUES ('gnu', 3.0)`,
  ]);

  // Undo undoes one action after the other, and Redo makes them again.
  await grid.root.focus();
  await keyboard.press('Control+z');
  await expect(grid.cell(3, 'name')).not.toHaveAttribute('data-unsaved');
  await keyboard.press('Control+z');
  await expect(grid.cell(4, 'name')).toHaveText('cat');
  await keyboard.press('Control+y');
  await expect(grid.cell(4, 'name')).toHaveText('gnu');
  await keyboard.press('Control+y');
  await expect(strip(view)).toContainText('4 changes');

  // Another window shows the same, and what it stores by SQL is merged, or a conflict.
  const second = await view.secondWindow(idleApp, 'shop');
  const other = await second.openTable('item');
  await expect(other.cell(0, 'name')).toHaveText('emu');
  await second.runSql("UPDATE item SET price = 9 WHERE id = 1; UPDATE item SET name = 'bat' WHERE id = 2;");
  await page.bringToFront();
  await expect(grid.cell(0, 'price')).toHaveText('9.0');
  await expect(grid.cell(0, 'name')).toHaveText('emu');
  await expect(grid.cell(1, 'name')).toHaveAttribute('data-unsaved', 'conflict');
  await expect(strip(view)).toContainText(`Stored now: name 'bat'`);
  // The SQL can be read beside it, in a narrow window, too.
  const appWindow = await idleApp.electron.browserWindow(page);
  await appWindow.evaluate((it) => it.setContentSize(800, 600));
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(800);
  const conflict = strip(view).locator('[data-state=conflict] code');
  await expect.poll(() => conflict.evaluate((code) => code.scrollWidth <= code.clientWidth)).toBe(true);
  await appWindow.evaluate((it) => it.setContentSize(1280, 800));
  // Otherwise the next click may be on its way to where the header was.
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(1280);

  // They stay with their rows in another order, and under a filter.
  await grid.clickHeader('price');
  await expect(grid.cell(0, 'name')).toHaveText('ant');
  await expect(grid.cell(0, 'name')).toHaveAttribute('data-unsaved', 'conflict');
  await expect(grid.cell(3, 'name')).toHaveText('emu');

  // With a conflict nothing is saved; then a value that breaks a constraint keeps all changes unsaved, and the error names it.
  await keyboard.press('Control+s');
  await expect(strip(view).getByRole('alert')).toContainText('One change conflicts with what is stored now.');
  await strip(view).getByRole('button', { name: 'Keep mine' }).click();
  await expect(grid.cell(0, 'name')).toHaveAttribute('data-unsaved', 'changed');
  await grid.edit(1, 'price', '-5');
  await expect(grid.cell(1, 'price')).toHaveText('-5.0');
  await strip(view).getByRole('button', { name: /^Save/ }).click();
  await expect(strip(view).getByRole('alert')).toContainText('All changes are still held.');
  await expect(strip(view).locator('[data-state=failed] code')).toHaveText(
    `UPDATE "item" SET "price" = -5.0 WHERE "id" = 3`,
  );
  await strip(view).locator('[data-state=failed]').getByRole('button', { name: 'Discard this change' }).click();
  await expect(grid.cell(1, 'price')).toHaveText('3.0');

  // What is being typed is saved, too: in one transaction, in whatever order the values of a unique column allow.
  await grid.click(1, 'name');
  await keyboard.press('F2');
  await keyboard.press('Control+a');
  await keyboard.type('cow');
  await keyboard.press('Control+s');
  await expect(view.page.getByText('Saved 5 changes in one transaction.').first()).toBeVisible();
  await expect(strip(view)).toHaveCount(0);
  await second.page.bringToFront();
  await second.runSql('SELECT group_concat(name) FROM (SELECT name FROM item ORDER BY id)');
  await expect(second.page.getByRole('gridcell', { name: 'emu,ant,cow,gnu' })).toBeVisible();
  await page.bringToFront();
  await grid.root.focus();
  await keyboard.press('Control+z');
  await expect(grid.rows).toHaveCount(4);
  await expect(page.getByText('Undid').first()).toBeVisible();
  await expect(grid.root).toContainText('dog');
});

test(
  'undo takes what was done last: an edit after held changes were discarded, and then the discarding',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = new AppWindow(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP })),
    );
    const grid = await view.openTable('item');
    await grid.edit(3, 'name', 'pig');
    await expect(grid.cell(3, 'name')).toHaveText('pig');
    await turnOn(view);
    // Undo comes before the window has heard that the edit is held.
    await grid.edit(2, 'name', 'sow');
    await view.page.keyboard.press('Control+z');
    await expect(grid.cell(2, 'name')).toHaveText('cat');

    await grid.edit(0, 'name', 'emu');
    await expect(view.status).toContainText('1 change held');
    await expect(grid.cell(3, 'name')).toHaveText('pig');
    await strip(view).getByRole('button', { name: 'Discard', exact: true }).click();
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    await view.command('Hold Changes');
    await expect(view.status).toContainText('nothing pending');
    await grid.edit(1, 'name', 'bat');
    await expect(grid.cell(1, 'name')).toHaveText('bat');
    await expect(grid.cell(1, 'name')).not.toHaveAttribute('data-unsaved', 'changed');

    await grid.click(1, 'name');
    await view.page.keyboard.press('Control+z');
    await expect(grid.cell(1, 'name')).toHaveText('bee');
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    await view.page.keyboard.press('Control+y');
    await expect(grid.cell(1, 'name')).toHaveText('bat');
    // The second press comes before the window has heard that the first one is done.
    await view.page.keyboard.press('Control+z');
    await view.page.keyboard.press('Control+z');
    await expect(grid.cell(1, 'name')).toHaveText('bee');
    await expect(grid.cell(0, 'name')).toHaveText('emu');
    // A change that is held again turns holding on: what is typed now is held, too.
    await expect(view.status).toContainText('1 change held');
    await grid.edit(2, 'name', 'cow');
    await expect(view.status).toContainText('2 changes held');
  },
);

test(
  'held changes of a file in place outlive a kill, and find out what another program has done',
  { tag: '@long' },
  async ({ idleApp }) => {
    const first = await openShop(idleApp, 'wal', SHOP.replace(/CREATE TABLE item[^]*?;\n[^]*?;\n/, ''));
    await turnOn(first.view);
    await first.grid.edit(0, 'name', 'emu');
    await first.grid.edit(1, 'name', 'bat');
    await first.grid.edit(2, 'price', '7');
    await first.grid.click(0, 'name');
    await first.view.page.keyboard.press('Insert');
    await first.view.page.keyboard.type('gnu');
    await first.view.page.keyboard.press('Enter');
    await first.grid.click(0, 'name');
    await expect(strip(first.view)).toContainText('4 changes');
    const words = await first.view.openTable('word');
    await words.edit(0, 'w', 'aa');
    await expect(words.cell(0, 'w')).toHaveText('aa');
    await words.edit(0, 'n', '10');
    await expect(words.cell(0, 'n')).toHaveText('10');
    await expect(words.cell(0, 'n')).toHaveAttribute('data-unsaved', 'changed');
    await expect(strip(first.view)).toContainText('5 changes to 2 tables');
    await idleApp.kill();
    first.other.exec("UPDATE item SET name = 'bug' WHERE id = 2; DELETE FROM item WHERE id = 3");

    const view = new AppWindow(await idleApp.start());
    await view.opened('shop.db');
    await expect(strip(view)).toContainText(
      '5 changes to 2 tables, not saved yet. 2 conflict with what is stored now.',
    );
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText('emu');
    await expect(grid.cell(1, 'name')).toHaveAttribute('data-unsaved', 'conflict');
    await expect(grid.cell(2, 'name')).toHaveText('gnu');
    await strip(view).getByRole('button', { name: 'Show SQL' }).click();
    await strip(view).getByRole('button', { name: 'Take stored' }).click();
    const gone = strip(view).locator('[data-state=gone]');
    await expect(gone).toContainText('no longer exists');
    await gone.getByRole('button', { name: 'Discard this change' }).click();
    await expect(strip(view)).toContainText('3 changes to 2 tables, not saved yet.');

    // The SQL is what is saved: another program may run it, and then there is nothing left to do.
    await expect(sqlOf(view)).toHaveText([
      `UPDATE "item" SET "name" = 'emu' WHERE "id" = 1`,
      `INSERT INTO "item" ("name") VALUES ('gnu')`,
      `UPDATE "word" SET "w" = 'aa', "n" = 10 WHERE "w" = 'a'`,
    ]);
    first.other.exec((await sqlOf(view).first().textContent())!);
    await expect(strip(view)).toContainText('Already stored');
    await view.page.keyboard.press('Control+s');
    await expect(strip(view)).toHaveCount(0);
    expect(query(first.file, 'SELECT name FROM item ORDER BY id')).toEqual([['emu'], ['bug'], ['gnu']]);
    expect(query(first.file, 'SELECT w, n FROM word ORDER BY w')).toEqual([
      ['aa', 10],
      ['b', 2],
    ]);

    // A change of many cells sees held values, and is held.
    await grid.edit(0, 'name', 'hen');
    await expect(grid.cell(0, 'name')).toHaveText('hen');
    await grid.click(0, 'name');
    await view.page.keyboard.press('Shift+ArrowDown');
    await view.command('Change Cells');
    await view.dialog.getByRole('radio', { name: 'Set to an expression' }).check();
    await view.dialog.getByRole('textbox', { name: 'Expression' }).fill("upper(value) || '!'");
    await view.dialog.getByRole('button', { name: 'Hold changes' }).click();
    await expect(grid.cell(0, 'name')).toHaveText('HEN!');
    await expect(grid.cell(1, 'name')).toHaveText('BUG!');
    await view.page.keyboard.press('Control+s');
    await expect(strip(view)).toHaveCount(0);
    expect(query(first.file, 'SELECT name FROM item ORDER BY id')).toEqual([['HEN!'], ['BUG!'], ['gnu']]);

    // Held changes must be decided about before holding is turned off.
    await grid.edit(0, 'name', 'hen');
    await expect(strip(view)).toContainText('1 change');
    await view.command('Hold Changes');
    await view.dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(grid.cell(0, 'name')).toHaveText('HEN!');
    await expect(view.status).toContainText('nothing pending');
    await grid.edit(0, 'name', 'hen');
    await expect.poll(() => query(first.file, 'SELECT name FROM item WHERE id = 1')).toEqual([['hen']]);
    first.other.close();
  },
);

test('held changes follow their table to another name, and back', { tag: '@web-long' }, async ({ anyApp }) => {
  const view = new AppWindow(
    await anyApp.start(makeDatabase(join(anyApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP })),
  );
  const grid = await view.openTable('item');
  await turnOn(view);
  await grid.edit(0, 'name', 'emu');
  await grid.edit(1, 'name', 'fox');
  await expect(strip(view)).toContainText('2 changes to 1 table, not saved yet.');
  await strip(view).getByRole('button', { name: 'Show SQL' }).click();
  await view.runSql('ALTER TABLE item RENAME TO good');
  await expect(sqlOf(view)).toHaveText([
    `UPDATE "good" SET "name" = 'emu' WHERE "id" = 1`,
    `UPDATE "good" SET "name" = 'fox' WHERE "id" = 2`,
  ]);
  await expect(strip(view).locator('[data-state=gone]')).toHaveCount(0);
  await view.tabs.filter({ hasText: 'good' }).click();
  const good = view.grid('Rows of good');
  await expect(good.cell(0, 'name')).toHaveText('emu');
  await good.click(0, 'name');
  await view.page.keyboard.press('Control+z');
  await expect(sqlOf(view)).toHaveCount(1);
  await view.page.keyboard.press('Control+s');
  await expect(strip(view)).toHaveCount(0);
  await expect(good.cell(0, 'name')).toHaveText('emu');
  await expect(good.cell(1, 'name')).toHaveText('bee');
});
