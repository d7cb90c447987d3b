// Pasting into the grid: one value, a block, more rows than there are, and what does not fit.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { TestedApp } from '../tested-app.ts';
import { readClipboard, writeClipboard } from '../support/clipboard.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, stock INTEGER, total AS (price * stock));
  INSERT INTO item (name, price, stock) VALUES ('ant', 1.5, 1), ('bee', 2, 2), ('cat', 3, 3);`;

async function openShop(app: TestedApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  const grid = await view.openTable('item');
  const paste = async (text: string): Promise<void> => {
    await writeClipboard(view.page, text);
    await view.page.keyboard.press('Control+v');
  };
  return { view, grid, paste };
}

test(
  'values and blocks are pasted, and what does not fit is refused in words',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const { view, grid, paste } = await openShop(anyApp);

    await test.step('a value with the storage class of its column, and a copied one with its line breaks', async () => {
      await grid.click(0, 'price');
      await paste('7');
      await expect(grid.cell(0, 'price')).toHaveText('7.0');
      await grid.click(0, 'name');
      await paste('"two\nlines"');
      await expect(grid.cell(0, 'name')).toHaveText('two⏎lines');
      await view.page.keyboard.press('Control+c');
      await expect.poll(() => readClipboard(view.page)).toBe('two\nlines');
      await grid.click(1, 'name');
      await view.page.keyboard.press('Control+v');
      await expect(grid.cell(1, 'name')).toHaveText('two⏎lines');
    });

    await test.step('a block from the current cell on, with rows beyond the end; all of it can be undone', async () => {
      await grid.click(2, 'name');
      await paste('dog\t9\t4\r\neel\t\t5\r\n');
      await expect(view.messages).toContainText('Pasted 2 rows into item');
      // A message stays while the pointer is on it.
      await view.messages.getByRole('button', { name: 'Undo' }).hover();
      await expect(grid.cell(3, 'name')).toHaveText('eel');
      await expect(grid.cell(3, 'price')).toHaveText('NULL');
      await expect(grid.cell(2, 'price')).toHaveText('9.0');
      await expect(grid.cell(2, 'total')).toHaveText('36.0');
      await view.messages.getByRole('button', { name: 'Undo' }).click();
      await expect(grid.cell(3, 'name')).toHaveCount(0);
      await expect(grid.cell(2, 'name')).toHaveText('cat');
      await expect(grid.cell(2, 'total')).toHaveText('9.0');
    });

    await test.step('several lines into a new row are as many rows, in one step, and on screen', async () => {
      await grid.click(0, 'name');
      await view.page.keyboard.press('Insert');
      await view.page.keyboard.type('fox');
      await view.page.keyboard.press('Tab');
      await paste('1\t10\n2\t20\n3\t30\n4\t40\n5\t50\n');
      // Leaving the new row while it is stored does not store it once more.
      await grid.click(1, 'stock');
      await expect(view.messages).toContainText('Pasted 5 rows into item');
      await expect(grid.cell(3, 'name')).toHaveText('fox');
      await expect(grid.cell(3, 'stock')).toHaveText('10');
      await expect(grid.cell(7, 'price')).toHaveText('5.0');
      await expect(grid.cell(7, 'name')).toHaveText('NULL');
      await expect.poll(() => grid.rowCount()).toBe(8);
      await view.messages.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => grid.rowCount()).toBe(3);
    });

    await test.step('what does not fit changes nothing', async () => {
      await grid.click(0, 'stock');
      await paste('1\t2');
      await expect(view.messages).toContainText('generated column');
      await paste('1\t2\t3');
      await expect(view.messages).toContainText('have 3 columns, but only 2 are left');
      await expect(grid.cell(0, 'stock')).toHaveText('1');
    });

    await test.step('one value fills all selected cells', async () => {
      await view.page.keyboard.press('Control+Shift+ArrowDown');
      await paste('8');
      await expect(grid.cell(0, 'stock')).toHaveText('8');
      await expect(grid.cell(2, 'stock')).toHaveText('8');
    });
  },
);

test('cells are cut: copied, and emptied where they may be, in one step', { tag: '@web-long' }, async ({ anyApp }) => {
  const sql = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'none', price REAL, code TEXT NOT NULL);
    INSERT INTO item (name, price, code) VALUES ('ant', 1.5, 'a'), ('bee', 2, 'b');`;
  const view = new AppWindow(await anyApp.start(makeDatabase(join(anyApp.folder, 'shop.db'), { kind: 'sql', sql })));
  const { page } = view;
  const grid = await view.openTable('item');
  await grid.click(0, 'name');
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.press('Control+x');
  for (const row of [0, 1]) {
    await expect(grid.cell(row, 'name')).toHaveText('none');
    await expect(grid.cell(row, 'price')).toHaveAttribute('data-storage-class', 'null');
    await expect(grid.cell(row, 'code')).toHaveText(['a', 'b'][row]!);
  }
  await expect(view.messages).toContainText('“code” cannot be NULL: copied, but not emptied.');
  expect(await readClipboard(page)).toBe('ant\t1.5\ta\nbee\t2.0\tb');
  await page.keyboard.press('Control+z');
  await expect(grid.cell(0, 'name')).toHaveText('ant');
  await expect(grid.cell(1, 'price')).toHaveText('2.0');
  await grid.click(0, 'id');
  await page.keyboard.press('Control+x');
  await expect(view.messages).toContainText('“id” cannot be NULL');
  await expect(grid.cell(0, 'id')).toHaveText('1');
});
