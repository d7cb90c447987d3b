// Imports into a table that exists: what happens to its rows and its columns is said beforehand and afterwards.
import { expect, test } from '../fixtures.ts';
import { expectValue, openShop, writeCsv } from '../support/import-shop.ts';

test(
  'replacing all rows says how many there are, and how many were deleted',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'items.csv', 'id,name\n7,dog\n8,eel\n'));
    await importing.field('Table').selectOption('item');
    await expect(importing.page.getByText('Replaces 3 rows')).toBeHidden();
    await importing.field('Rows').selectOption('Replace all rows');
    await expect(importing.page.getByText('Replaces 3 rows')).toBeVisible();
    await importing.run();
    await expect(importing.result).toContainText('2 rows added to “item”, 3 rows deleted, in');
    await expectValue(view, 'SELECT group_concat(id || name) AS v FROM item;', '7dog,8eel');
  },
);

test('replacing all rows by none can be undone, too', { tag: '@long' }, async ({ idleApp: app }) => {
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

test(
  'the next file has a column more, which the table gets with its rows in one step',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'items-05.csv', 'id,name\n4,dog\n'));
    await importing.field('Table').selectOption('item');
    await importing.run();
    await importing.open(app, view, writeCsv(app, 'items-06.csv', 'id,name,kg,code\n5,eel,0.5,007\n6,fox,7,x\n'));
    await expect(importing.recipe).toContainText('New in this file: “kg”, “code”.');
    await importing.recipe.getByRole('button', { name: 'Use the same choices' }).click();
    await importing.page.getByRole('button', { name: 'Not imported: 2 columns' }).click();
    await view.page.getByRole('menuitem', { name: 'Add kg to the table' }).click();
    const kg = importing.column('kg');
    await expect(kg.getByLabel('Type of kg')).toHaveValue('NUMERIC');
    await importing.recipe.getByRole('button', { name: 'Add “code” to the table' }).click();
    const code = importing.column('code');
    await expect(code).toContainText('new column');
    await code.getByLabel('Name of code').fill('label');
    await code.getByLabel('Name of code').press('Enter');
    await expect(importing.preview.cell(0, 'code')).toHaveText('007');
    await expect(importing.page.getByText('New in “item”: “kg”, “label”.')).toBeVisible();
    await importing.run();
    await expect(importing.result).toContainText('2 rows added to “item”');
    const shown = "SELECT group_concat(id || ifnull(kg, '-') || ifnull(label, '-')) AS v FROM item;";
    await expectValue(view, shown, '1--,2--,3--,4--,50.5007,67x');
    await view.tabs.filter({ hasText: 'items-06' }).click();
    await importing.result.getByRole('button', { name: 'Undo import' }).click();
    await expect(importing.result).toContainText('The import was undone.');
    const names = "SELECT group_concat(name) AS v FROM pragma_table_info('item');";
    await expectValue(view, names, 'id,name,price,stock');
    // The recipe brings the new columns back, also into the table that has lost them.
    await importing.open(app, view, writeCsv(app, 'items-07.csv', 'id,name,kg,code\n8,gnu,9,y\n'));
    await importing.recipe.getByRole('button', { name: 'Use the same choices' }).click();
    await expect(importing.column('code').getByLabel('Name of code')).toHaveValue('label');
    await importing.run();
    await expectValue(view, names, 'id,name,price,stock,kg,label');
  },
);

test(
  'a column of the file becomes a new one by hand, and an ordinary one again',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'items.csv', 'id,name,price\n7,dog,1\n'));
    await importing.field('Table').selectOption('item');
    await importing.column('price').getByRole('combobox').selectOption('New column');
    const name = importing.column('price').getByLabel('Name of price');
    await expect(name).toHaveValue('price_2');
    await name.fill('stock');
    await name.press('Enter');
    await expect(importing.column('price').getByRole('combobox')).toHaveValue('stock');
    await importing.run();
    await expectValue(view, 'SELECT name || stock AS v FROM item WHERE id = 7;', 'dog1');
  },
);

test(
  'a new column is NOT NULL once the rows that are there get a default',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'items.csv', 'id,name,kg\n7,dog,2\n'));
    await importing.field('Table').selectOption('item');
    await importing.page.getByRole('button', { name: 'Not imported: kg' }).click();
    await view.page.getByRole('menuitem', { name: 'Add kg to the table' }).click();
    await importing.page.getByRole('button', { name: 'More about kg' }).click();
    const more = importing.page.getByRole('dialog');
    await expect(more.getByLabel('Primary key')).toHaveCount(0);
    await more.getByLabel('NOT NULL').check();
    await view.page.keyboard.press('Escape');
    await expect(importing.column('kg')).toContainText('new column, NOT NULL');
    const why = '“kg” is NOT NULL, but the rows that are in “item” already have no value for it. Give it a default.';
    await expect(importing.page.getByText(why).first()).toBeVisible();
    await expect(importing.importButton()).toHaveAttribute('aria-disabled', 'true');
    await importing.page.getByRole('button', { name: 'More about kg' }).click();
    await more.getByLabel('Default').fill('0');
    await more.getByLabel('Default').press('Enter');
    await view.page.keyboard.press('Escape');
    await expect(importing.page.getByText(why)).toHaveCount(0);
    await importing.run();
    await expectValue(view, 'SELECT group_concat(id || kg) AS v FROM item;', '10,20,30,72');
  },
);

test(
  'back from an import that was undone, its table and its choices come again',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'trips.csv', 'day,km\n31/12/2026,5\n'));
    const day = importing.column('day');
    await day.getByLabel('Values of day').selectOption('Day first: 31/12/2026');
    await importing.field('Table name').fill('journey');
    await importing.field('Table name').press('Enter');
    await importing.run();
    const back = importing.result.getByRole('button', { name: 'Back to choices' });
    await back.click();
    // The table exists now: the same values go into it.
    await expect(importing.field('Table')).toHaveValue('journey');
    await expect(importing.preview.cell(0, 'day')).toHaveText('2026-12-31');
    await importing.run();
    for (let step = 0; step < 2; step++) await view.command('Undo');
    await expect(view.treeItem('journey')).toHaveCount(0);
    await back.click();
    await expect(importing.field('Table name')).toHaveValue('journey');
    await expect(importing.preview.cell(0, 'day')).toHaveText('2026-12-31');
    await importing.run();
    await expectValue(view, "SELECT group_concat(day || ' ' || km) AS v FROM journey;", '2026-12-31 5');
  },
);

test(
  'Undo takes back a new column and the rows that were corrected afterwards',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'items.csv', 'id,name,kg\n1,twin,2\n7,dog,3\n'));
    await importing.field('Table').selectOption('item');
    await importing.page.getByRole('button', { name: 'Not imported: kg' }).click();
    await view.page.getByRole('menuitem', { name: 'Add kg to the table' }).click();
    await importing.run();
    await importing.problems.edit(0, 'id', '8');
    await importing.result.getByRole('button', { name: 'Import these rows again' }).click();
    await expect(importing.result).toContainText('2 rows added to “item”, in');
    await importing.result.getByRole('button', { name: 'Undo import' }).click();
    await expect(importing.result).toContainText('The import was undone.');
    await expectValue(
      view,
      "SELECT (SELECT group_concat(name) FROM pragma_table_info('item')) || ' ' || group_concat(id) AS v FROM item;",
      'id,name,price,stock 1,2,3',
    );
  },
);
