// Editing in the grid: exact values, refused values, races, rows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import type { TestedApp } from '../tested-app.ts';
import { boxOf, settled } from '../support/settled.ts';

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price REAL CHECK (price >= 0), code, big INTEGER);
  INSERT INTO item (name, price, code, big) VALUES ('ant', 1.5, 'x', 1), ('bee', 2, '007', 2), ('cat', 3, x'00ff', 3);
`;

async function openShop(app: TestedApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  return { view, grid: await view.openTable('item') };
}

async function exported(app: TestedApp, view: AppWindow): Promise<string> {
  const target = join(app.folder, `export-${Date.now()}.db`);
  await view.backUpTo(app, target);
  // A browser keeps saving after the app has handed the bytes over.
  await expect.poll(() => existsSync(target)).toBe(true);
  return target;
}

test(
  'cells and rows are edited, and stored with the right storage class',
  { tag: ['@web', '@smoke'] },
  async ({ anyApp }) => {
    const { view, grid } = await openShop(anyApp);

    await test.step('a broken constraint is named, the typed text stays, nothing changes', async () => {
      await grid.edit(0, 'name', 'bee');
      await expect(grid.editor.getByRole('alert')).toContainText(/“item” already has this “name”/);
      await expect(grid.editor.getByRole('textbox')).toHaveValue('bee');
      await view.page.keyboard.press('Escape');
      await expect(grid.cell(0, 'name')).toHaveText('ant');
      await grid.edit(0, 'price', '-1');
      await expect(grid.editor.getByRole('alert')).toContainText('price >= 0');
      await view.page.keyboard.press('Escape');
      await expect(grid.cell(0, 'price')).toHaveText('1.5');
    });

    await test.step('rows are added and deleted', async () => {
      await grid.click(0, 'name');
      await view.page.keyboard.press('Insert');
      await view.page.keyboard.type('dog');
      await view.page.keyboard.press('Tab');
      await view.page.keyboard.type('9');
      await view.page.keyboard.press('Enter');
      await grid.click(0, 'name');
      await expect(grid.cell(3, 'name')).toHaveText('dog');
      await expect(view.status).toContainText('4 rows');

      await grid.click(3, 'id');
      await view.page.keyboard.press('Control+Backspace');
      await expect(view.status).toContainText('3 rows');
      await expect(grid.cell(3, 'name')).toHaveCount(0);
    });

    await test.step('Tab keeps what was typed, and Esc reverts it', async () => {
      await grid.click(0, 'name');
      await view.page.keyboard.type('emu');
      await view.page.keyboard.press('Tab');
      await expect(grid.cell(0, 'name')).toHaveText('emu');
      await grid.click(1, 'name', { double: true });
      await view.page.keyboard.type('!!');
      await view.page.keyboard.press('Escape');
      await expect(grid.editor).toHaveCount(0);
      await expect(grid.cell(1, 'name')).toHaveText('bee');
    });

    await test.step('text in a column of another type, a number of 64 bits, NULL, and an empty text', async () => {
      await grid.edit(0, 'name', '42');
      await expect(grid.cell(0, 'name')).toHaveText('42');
      await grid.edit(0, 'price', '7');
      await expect(grid.cell(0, 'price')).toHaveText('7.0');
      await grid.edit(0, 'big', '9007199254740993');
      await expect(grid.cell(0, 'big')).toHaveText('9007199254740993');
      await grid.click(1, 'code');
      await view.page.keyboard.press('Alt+Backspace');
      await expect(grid.cell(1, 'code')).toHaveText('NULL');
      await grid.click(0, 'code');
      await view.page.keyboard.press('F2');
      await view.page.keyboard.press('Control+a');
      await view.page.keyboard.press('Delete');
      await view.page.keyboard.press('Enter');
      await expect(grid.cell(0, 'code')).toHaveText('');
      const file = await exported(anyApp, view);
      const rows = query(
        file,
        'SELECT name, typeof(name), price, typeof(price), typeof(code), CAST(big AS TEXT) FROM item ORDER BY id',
      );
      expect(rows[0]).toEqual(['42', 'text', 7, 'real', 'text', '9007199254740993']);
      expect(rows[1]).toEqual(['bee', 'text', 2, 'real', 'null', '2']);
    });
  },
);

test('what another window changes is seen at once; of two edits racing on a cell the second is told and may choose', async ({
  idleApp,
}) => {
  const { view, grid } = await openShop(idleApp);
  const second = await view.secondWindow(idleApp, 'shop');
  await second.runSql("UPDATE item SET price = 99 WHERE name = 'bee'; INSERT INTO item (name) VALUES ('new one');");
  await expect(grid.cell(1, 'price')).toHaveText('99.0');
  await expect(grid.cell(3, 'name')).toHaveText('new one');
  await expect(view.status).toContainText('4 rows');
  const theirs = await second.openTable('item');

  // So small that the sentence under the text is wider than what is at the right of the cell.
  const window = await idleApp.electron.browserWindow(view.page);
  await window.evaluate((it) => it.setContentSize(640, 500));
  await expect.poll(() => view.page.evaluate(() => innerWidth)).toBe(640);
  await grid.click(0, 'code');
  await view.page.keyboard.press('F2');
  const field = grid.editor.getByRole('textbox');
  const { x } = await settled(() => boxOf(field));
  await theirs.edit(0, 'code', 'theirs');
  await expect(theirs.cell(0, 'code')).toHaveText('theirs');
  await view.page.keyboard.press('Control+a');
  await view.page.keyboard.type('mine');
  await view.page.keyboard.press('Enter');
  await expect(grid.editor.getByRole('alert')).toContainText('theirs');
  await expect.poll(async () => (await boxOf(field)).x).toBe(x);
  await grid.editor.getByRole('button', { name: /mine/i }).click();
  await expect(grid.cell(0, 'code')).toHaveText('mine');
  await expect(theirs.cell(0, 'code')).toHaveText('mine');
});

test(
  'the row being added is in the details, and Ctrl+S saves it with the text that is being typed',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, grid } = await openShop(idleApp);
    const { keyboard } = view.page;
    const details = view.page.getByRole('complementary', { name: 'Details' });

    await test.step('the details show its cells', async () => {
      await grid.click(0, 'name');
      await expect(details).toContainText('Stored astext');
      await keyboard.press('Insert');
      await expect(details.getByRole('heading')).toHaveText('item, new row');
      await expect(details).toContainText('If left emptyNULL');
      await keyboard.press('F4');
      await expect(view.messages).toContainText('This row is not saved yet.');
      await keyboard.type('dog');
      await keyboard.press('Tab');
      await keyboard.press('ArrowLeft');
      await expect(details).toContainText('text, 3 characters');
      await keyboard.press('ArrowLeft');
      await expect(details).toContainText('If left emptyautomatic');
      await keyboard.press('Escape');
      // F4 was meant for the cell it was pressed in.
      await grid.click(0, 'name');
      await expect(details).toContainText('Stored astext');
      await expect(details.getByRole('textbox')).toHaveCount(0);
    });

    await test.step('Ctrl+S in the details saves the value', async () => {
      await grid.click(1, 'code');
      await view.page.keyboard.press('F4');
      const field = view.page.getByRole('textbox', { name: 'New value' });
      await field.fill('008');
      await field.press('Control+s');
      await expect(grid.cell(1, 'code')).toHaveText('008');
    });

    await test.step('Ctrl+S saves the row', async () => {
      await grid.click(0, 'name');
      // A message must not cover what is being filled in, nor its buttons.
      await grid.edit(0, 'name', 'eel');
      await keyboard.press('Control+z');
      await expect(view.messages).toContainText('Undid');
      await keyboard.press('Insert');
      const save = view.page.getByRole('button', { name: 'Save row Ctrl S' });
      // The last row is right above them.
      const between = async (): Promise<number> => {
        const [messages, buttons] = [await boxOf(view.messages), await boxOf(save)];
        return buttons.y - messages.y - messages.height;
      };
      await expect.poll(between).toBeGreaterThan(40);
      await keyboard.type('gnu');
      await keyboard.press('Tab');
      await keyboard.type('9');
      await keyboard.press('Control+s');
      await expect(grid.cell(4, 'name')).toHaveText('gnu');
      await expect(grid.cell(4, 'price')).toHaveText('9.0');
      await expect(save).toHaveCount(0);
      await expect(view.status).toContainText('5 rows');

      await keyboard.press('Insert');
      await keyboard.type('gnu');
      await keyboard.press('Control+s');
      await expect(view.page.locator('.draft-bar')).toContainText('Another row of “item” already has this “name”');
    });
  },
);

test('a tab that comes back has the cell and the row being added as they were left', async ({ idleApp }) => {
  const { view, grid } = await openShop(idleApp);
  const { keyboard } = view.page;
  const leaveAndComeBack = async (): Promise<void> => {
    await keyboard.press('Control+t');
    await expect(view.editor).toBeFocused();
    await view.tabs.filter({ hasText: 'item' }).click();
    await expect(grid.cell(0, 'name')).toBeVisible();
  };
  await grid.click(1, 'price');
  await leaveAndComeBack();
  await expect(grid.cell(1, 'price')).toHaveAttribute('aria-selected', 'true');

  await view.runSql("INSERT INTO item (id, name) VALUES (-1, 'eel')");
  await view.tabs.filter({ hasText: 'item' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('eel');
  await expect(grid.cell(2, 'price')).toHaveAttribute('aria-selected', 'true');
  await expect(grid.cell(2, 'name')).toHaveText('bee');

  await grid.click(2, 'name');
  await keyboard.press('Insert');
  await keyboard.type('dog');
  await keyboard.press('Enter');
  await leaveAndComeBack();
  await expect(grid.cell(4, 'name')).toHaveText('dog');
  await expect(grid.cell(4, 'name')).toHaveAttribute('aria-selected', 'true');
  await grid.click(0, 'name');
  await expect(view.status).toContainText('5 rows');
});

test('a date that does not exist is marked, and stored only when that is confirmed', async ({ idleApp }) => {
  const sql =
    "CREATE TABLE visit (id INTEGER PRIMARY KEY, day DATE, note TEXT); INSERT INTO visit VALUES (1, '2021-01-02', '');";
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'visits.db'), { kind: 'sql', sql })),
  );
  const { page } = view;
  const grid = await view.openTable('visit');
  await grid.edit(0, 'note', '2021-13-45');
  await expect(grid.cell(0, 'note')).toHaveText('2021-13-45');
  await grid.edit(0, 'day', '2021-13-45');
  await expect(grid.editor.getByRole('alert')).toContainText('“2021-13-45” is not a date. There is no month 13.');
  await page.keyboard.press('Tab');
  await expect(grid.editor.getByRole('button', { name: 'Save anyway' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(grid.cell(0, 'day')).toHaveText('2021-13-45');
  await grid.edit(0, 'day', '2021-12-24');
  await expect(grid.cell(0, 'day')).toHaveText('2021-12-24');

  // Also where it would go into several columns, one of which holds dates.
  await grid.click(0, 'note');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.type('2021-02-30');
  await page.keyboard.press('Control+Enter');
  await expect(grid.editor.getByRole('alert')).toContainText('“2021-02-30” is not a date.');
  await page.keyboard.press('Escape');
  await expect(grid.cell(0, 'note')).toHaveText('2021-13-45');
});
