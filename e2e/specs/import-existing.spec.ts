// Imports into a table that exists: what happens to its rows and its columns is said beforehand and afterwards.
import { expect, test } from '../fixtures.ts';
import { expectValue, openShop, writeCsv } from '../support/import-shop.ts';

test('replacing all rows says how many there are, and how many were deleted', async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.open(app, view, writeCsv(app, 'items.csv', 'id,name\n7,dog\n8,eel\n'));
  await importing.field('Table').selectOption('item');
  await expect(importing.page.getByText('Replaces 3 rows')).toBeHidden();
  await importing.field('Rows').selectOption('Replace all rows');
  await expect(importing.page.getByText('Replaces 3 rows')).toBeVisible();
  await importing.run();
  await expect(importing.result).toContainText('2 rows added to “item”, 3 rows deleted, in');
  await expectValue(view, 'SELECT group_concat(id || name) AS v FROM item;', '7dog,8eel');
});

test('replacing all rows by none can be undone, too', async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.open(app, view, writeCsv(app, 'items.csv', 'id,name\nx,dog\n'));
  await importing.field('Table').selectOption('item');
  await importing.field('Rows').selectOption('Replace all rows');
  await importing.run();
  await expect(importing.result).toContainText('0 rows added to “item”, 3 rows deleted, 1 row not imported');
  await importing.result.getByRole('button', { name: 'Undo import' }).click();
  await expect(importing.result).toContainText('The import was undone.');
  await expectValue(view, 'SELECT group_concat(id || name) AS v FROM item;', '1ant,2bee,3cat');
});
