// Paste Special: what is on the clipboard, how it is taken apart, the rows as they will be stored, and the three ways they can go.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { writeClipboard } from '../support/clipboard.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, stock INTEGER, total AS (price * stock));
  INSERT INTO item (name, price, stock) VALUES ('ant', 1.5, 1), ('bee', 2, 2), ('cat', 3, 3);`;

async function openShop(app: SideliteApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  const grid = await view.openTable('item');
  const pasteSpecial = async (text: string): Promise<void> => {
    await writeClipboard(view.page, text);
    await view.page.keyboard.press('Control+Shift+v');
    await expect(view.dialog).toContainText('Paste special');
  };
  return { view, grid, pasteSpecial };
}

const way = (view: AppWindow, name: string): Locator => view.dialog.getByRole('radio', { name });
const paste = (view: AppWindow): Locator => view.dialog.getByRole('button', { name: 'Paste', exact: true });
const preview = (view: AppWindow) => view.grid('Preview');

test('text is taken apart as it is, or as is chosen, and goes over the cells as it was shown', async ({ idleApp }) => {
  const { view, grid, pasteSpecial } = await openShop(idleApp);

  await test.step('with a delimiter, a decimal comma, and another word for NULL', async () => {
    await grid.click(1, 'name');
    await pasteSpecial('" bird ";2,50;n/a\n dog ;;5\n');
    await expect(view.dialog.getByRole('region', { name: 'On the clipboard' })).toContainText('" bird ";2,50;n/a');
    await expect(view.dialog.getByLabel('Delimiter')).toHaveValue(';');
    await expect(preview(view).cell(0, 'name')).toHaveText(' bird ');
    await view.dialog.getByRole('checkbox', { name: 'Decimal comma' }).setChecked(true);
    await view.dialog.getByRole('checkbox', { name: 'First row' }).setChecked(false);
    await view.dialog.getByLabel('Also NULL').fill('n/a');
    await view.dialog.getByLabel('Also NULL').press('Enter');
    await expect(preview(view).cell(0, 'price')).toHaveText('2.5');
    await expect(preview(view).cell(0, 'stock')).toHaveText('NULL');
    await expect(preview(view).cell(1, 'price')).toHaveText('NULL');
    await expect(view.dialog).toContainText(
      '2 rows as they will be stored. Cells go into the columns in order, starting with “name”.',
    );
    await paste(view).click();
    await expect(view.messages).toContainText('Pasted 2 rows into item');
    await expect(grid.cell(1, 'name')).toHaveText(' bird ');
    await expect(grid.cell(1, 'price')).toHaveText('2.5');
    await expect(grid.cell(1, 'stock')).toHaveText('NULL');
    await expect(grid.cell(2, 'name')).toHaveText(' dog ');
    await expect(grid.cell(2, 'price')).toHaveText('NULL');
    await view.messages.getByRole('button', { name: 'Undo' }).click();
    await expect(grid.cell(1, 'name')).toHaveText('bee');
    await expect(grid.cell(2, 'name')).toHaveText('cat');
    await expect(grid.cell(2, 'price')).toHaveText('3.0');
  });

  await test.step('rows and columns are swapped before they are shown and pasted', async () => {
    await grid.click(1, 'name');
    await pasteSpecial('"bird; big";dog\n2.5;4\n7;8\n');
    await view.dialog.getByRole('checkbox', { name: 'First row' }).setChecked(false);
    await expect(preview(view).cell(1, 'name')).toHaveText('2.5');
    await view.dialog.getByRole('checkbox', { name: 'Transpose rows and columns' }).check();
    await expect(preview(view).cell(0, 'name')).toHaveText('bird; big');
    await expect(preview(view).cell(1, 'stock')).toHaveText('8');
    await expect(view.dialog).toContainText('2 rows as they will be stored.');
    await paste(view).click();
    await expect(grid.cell(1, 'name')).toHaveText('bird; big');
    await expect(grid.cell(1, 'stock')).toHaveText('7');
    await expect(grid.cell(2, 'name')).toHaveText('dog');
    await expect(grid.cell(2, 'price')).toHaveText('4.0');
  });

  await test.step('it can go into a table that is yet to be made', async () => {
    await pasteSpecial('city\tpeople\nOslo\t700000\nBergen\t290000\n');
    await way(view, 'Into a new table').check();
    await view.dialog.getByRole('button', { name: 'Open Import' }).click();
    await expect(view.page.getByRole('tab', { name: /Clipboard/ })).toBeVisible();
    await expect(new ImportPage(view).preview.cell(0, 'city')).toHaveText('Oslo');
  });
});

test(
  'what does not fit is said before anything is pasted; JSON becomes new rows by its names',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, grid, pasteSpecial } = await openShop(idleApp);

    await test.step('a value that is missing, and a column that cannot be written', async () => {
      await grid.click(0, 'name');
      await pasteSpecial('name\tprice\ndog\t1\n\t2\n');
      await way(view, 'As new rows').check();
      await expect(view.dialog.getByRole('alert')).toContainText('Line 3 cannot be stored');
      await expect(paste(view)).toHaveAttribute('aria-disabled', 'true');
      await view.dialog.getByRole('button', { name: 'Cancel' }).click();
      await grid.click(0, 'stock');
      await pasteSpecial('1\t2\n3\t4\n');
      await expect(view.dialog.getByRole('alert')).toContainText('Nothing was pasted.');
      await view.page.keyboard.press('Escape');
      await expect(view.dialog).toHaveCount(0);
      await expect(grid.cell(3, 'name')).toHaveCount(0);
    });

    await test.step('JSON, with spaces trimmed', async () => {
      await grid.click(0, 'id');
      await pasteSpecial('[{"stock": 4, "name": " dog ", "color": "brown"}, {"name": "eel", "stock": null}]');
      await expect(view.dialog.getByLabel('Format')).toHaveValue('json');
      await way(view, 'As new rows').check();
      await view.dialog.getByRole('checkbox', { name: 'Trim spaces' }).check();
      await expect(preview(view).cell(0, 'name')).toHaveText('dog');
      await expect(preview(view).cell(0, 'stock')).toHaveText('4');
      await expect(view.dialog).toContainText(
        'Cells go into the columns with the same names. One of them has no column and is left out.',
      );
      await paste(view).click();
      await expect(view.messages).toContainText('Pasted 2 rows into item');
      await expect(grid.cell(3, 'name')).toHaveText('dog');
      await expect(grid.cell(4, 'stock')).toHaveText('NULL');
    });
  },
);

test('more rows than fit over cells go in as new ones, in one step', { tag: '@long' }, async ({ idleApp }) => {
  const { view, grid, pasteSpecial } = await openShop(idleApp);
  await grid.click(0, 'name');
  await pasteSpecial(Array.from({ length: 25_000 }, (_, row) => `thing ${row}\t${row}.5\t${row}`).join('\n'));
  await expect(view.dialog).toContainText('The first 200 rows as they will be stored.');
  await paste(view).click();
  await expect(view.messages).toContainText('More than 10,000 rows are too many to paste over cells at once.');
  await view.page.keyboard.press('Control+Shift+v');
  await way(view, 'As new rows').check();
  await paste(view).click();
  await expect(view.messages).toContainText('Pasted 25,000 rows into item');
  await expect(view.status).toContainText('25,003 rows');
  await view.messages.getByRole('button', { name: 'Undo' }).click();
  await expect(view.status).toContainText('3 rows');
});
