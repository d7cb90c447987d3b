// Importing rows from a file, from the first look to the summary: target, columns, rows that could not be imported, recipes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { randomBytes } from '../data/seeded.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { expectValue, openShop, writeCsv } from '../support/import-shop.ts';
import { boxOf } from '../support/settled.ts';

const PATIENT = { timeout: 30_000 };

test(
  'a CSV file becomes a new table with types from the whole of it, shown before, and one undo takes it back',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const { view, importing } = await openShop(anyApp);
    // The value that makes the code a text is in the last line, far beyond what is looked at first.
    const lines = Array.from({ length: 5000 }, (_, at) => `${at + 1},${at + 100},${at}.5,"",,31/12/2026,note ${at}`);
    const csv = ['id,code,price,quoted,plain,day,note', ...lines, '5001,007,1.5,"",,1/2/2027,last'].join('\n');
    await importing.open(anyApp, view, writeCsv(anyApp, 'goods 2026.csv', csv));
    await expect(importing.importButton('5,001')).toBeVisible();
    await importing.field('Empty cells without quotes are NULL').check();
    await expect(importing.column('id').getByLabel('Type of id')).toHaveValue('INTEGER');
    await expect(importing.column('code').getByLabel('Type of code')).toHaveValue('TEXT');
    await expect(importing.column('code')).toContainText('leading zero');
    const day = importing.column('day').getByLabel('Values of day');
    await day.selectOption('Day first: 31/12/2026');
    await importing.preview.click(0, 'id');
    await view.page.keyboard.press('End');
    await expect(importing.preview.cell(0, 'day')).toHaveText('2026-12-31');
    await expect(importing.preview.cell(0, 'quoted')).not.toHaveText('NULL');
    await expect(importing.preview.cell(0, 'plain')).toHaveText('NULL');
    await expect.poll(() => importing.preview.rowCount()).toBe(1000);
    await importing.column('note').getByLabel('Name of note').fill('remark');
    // What is done most is done by keyboard, too.
    await importing.importButton().focus();
    await view.page.keyboard.press('Enter');
    await expect(importing.result).toContainText('5,001 rows added to “goods_2026”', PATIENT);
    await expect(importing.result.getByRole('button', { name: 'Open table' })).toBeFocused();
    await view.page.keyboard.press('Enter');
    const grid = view.grid('Rows of goods_2026');
    await expect(grid.cell(0, 'remark')).toHaveText('note 0');
    const types =
      "SELECT group_concat(DISTINCT typeof(id) || typeof(code) || typeof(price) || typeof(quoted) || typeof(plain)) || max(code = '007') || max(day) AS v FROM goods_2026;";
    await expectValue(view, types, 'integertextrealtextnull12027-02-01');
    await view.tabs.filter({ hasText: 'Import' }).click();
    await importing.result.getByRole('button', { name: 'Undo import' }).click();
    await expect(importing.result).toContainText('The import was undone');
    await expect(view.treeItem('goods_2026')).toHaveCount(0);
  },
);

test(
  'rows are updated by key in an existing table, with a preview of what changes',
  { tag: ['@web', '@long'] },
  async ({ anyApp }) => {
    const { view, importing } = await openShop(anyApp);
    const csv = 'Stock,ID,Name,Extra\n10,1,ant,x\n21,2,bee,x\n40,4,dog,x\n';
    await importing.open(anyApp, view, writeCsv(anyApp, 'items.csv', csv));
    await importing.field('Table').selectOption('item');
    await expect(importing.page.getByRole('button', { name: 'Not imported: Extra' })).toBeVisible();
    await expect(importing.choices).toContainText('“price”');
    await importing.field('Rows').selectOption('Update by key');
    await expect(importing.field('id')).toBeChecked();
    await expect(importing.page.getByRole('status').filter({ hasText: '1 new, 1 changed, 1 equal' })).toBeVisible(
      PATIENT,
    );
    await expect(importing.importButton()).toHaveText('Add 1, update 1');
    await importing.run();
    await expect(importing.result).toContainText('1 row added to “item”, 1 row changed');
    await expectValue(
      view,
      "SELECT group_concat(id || name || ifnull(price, '-') || stock) AS v FROM item;",
      '1ant1.510,2bee-21,3cat3.530,4dog-40',
    );
  },
);

test(
  'a unique index can be the key, and a file of random bytes is refused',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const sql =
      "CREATE TABLE part (id INTEGER PRIMARY KEY, code TEXT, name TEXT); CREATE UNIQUE INDEX by_code ON part (code); INSERT INTO part VALUES (1, 'a', 'ant'), (2, 'b', 'bee');";
    const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'parts.db'), { kind: 'sql', sql })));
    await view.opened('parts');
    const importing = new ImportPage(view);
    await importing.open(app, view, writeCsv(app, 'parts.csv', 'code,name\nb,bear\nc,cat\n'));
    await importing.field('Table').selectOption('part');
    await importing.field('Rows').selectOption('Update by key');
    await importing.field('Unique key').selectOption({ label: 'by_code: code' });
    await expect(importing.field('code')).toBeChecked();
    await importing.run();
    await expect(importing.result).toContainText('1 row added to “part”, 1 row changed');
    await expectValue(view, 'SELECT group_concat(id || code || name) AS v FROM part;', '1aant,2bbear,3ccat');

    const noise = join(app.folder, 'noise.csv');
    writeFileSync(noise, randomBytes(3, 50_000));
    await importing.choose(app, view, noise);
    await expect(importing.page.getByText('“noise.csv” is neither text nor a file of another format')).toBeVisible(
      PATIENT,
    );
    await expect(importing.importButton()).toHaveCount(0);
    await expect(importing.page.getByRole('button', { name: 'Choose a file…' })).toBeVisible();
  },
);

test('columns are added for an expression alone, and moved', { tag: '@long' }, async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.open(app, view, writeCsv(app, 'trip.csv', 'city,km\nUlm,12\nBonn,30\n'));
  await importing.page.getByRole('button', { name: 'Add column' }).click();
  const added = importing.column('column');
  await added.getByLabel('Name of column').fill('kind');
  await added.getByLabel('Name of column').press('Enter');
  await added.getByRole('button', { name: 'More about column' }).click();
  await importing.page.getByLabel('Expression').fill("'trip'");
  await importing.page.keyboard.press('Enter');
  await importing.page.getByRole('button', { name: 'Move left' }).click();
  await importing.page.getByRole('button', { name: 'Move left' }).click();
  await importing.page.keyboard.press('Escape');
  await expect(added).toContainText("= 'trip'");
  await expect(importing.preview.cell(1, 'column')).toHaveText('trip');
  await importing.run();
  await expectValue(
    view,
    "SELECT (SELECT group_concat(name) FROM pragma_table_info('trip')) || ' ' || group_concat(kind || city || km) AS v FROM trip;",
    'kind,city,km tripUlm12,tripBonn30',
  );
});

test('columns are matched by order and by hand', { tag: '@long' }, async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.open(app, view, writeCsv(app, 'x.csv', 'a,b,c\n7,gnu,2.5\n'));
  await importing.field('Table').selectOption('item');
  await expect(importing.page.getByText('No columns are imported')).toBeVisible();
  await importing.choices.getByRole('button', { name: 'By order' }).click();
  await expect(importing.column('b').getByRole('combobox')).toHaveValue('name');
  await importing.column('c').getByRole('combobox').selectOption('stock');
  await importing.column('a').getByRole('button', { name: 'Do not import a' }).click();
  await importing.page.getByRole('button', { name: 'More about c' }).click();
  await importing.page.getByLabel('Expression').fill('value * 2');
  await importing.page.keyboard.press('Enter');
  await importing.page.keyboard.press('Escape');
  await expect(importing.preview.cell(0, 'c')).toHaveText('5');
  await importing.run();
  await expectValue(
    view,
    "SELECT id || name || stock || ifnull(price, '-') AS v FROM item WHERE name = 'gnu';",
    '4gnu5-',
  );
});

test('rows that cannot be imported are kept, mended, imported again, and saved', async ({ anyApp }) => {
  const { view, importing } = await openShop(anyApp);
  const csv = 'id,name,price,stock\n4,dog,1,1\n1,twin,1,1\n5,,1,1\n6,eel,1,-3\n';
  await anyApp.answerOpenDialog(writeCsv(anyApp, 'items.csv', csv));
  await view.treeItem('item').click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Import into this table…' }).click();
  await importing.read();
  await expect(importing.field('Table')).toHaveValue('item');
  await importing.field('Empty cells without quotes are NULL').check();
  await expect(importing.page.getByText('3 rows cannot be imported')).toBeVisible();
  await importing.run();
  await expect(importing.result).toContainText('1 row added to “item”, 3 rows not imported');
  await expect(importing.problems.cell(0, 'Line')).toHaveText('3');
  await expect(importing.problems.cell(0, 'Reason')).toHaveText('Another row of “item” already has this “id”.');
  await importing.problems.click(0, 'Reason');
  await importing.page.keyboard.press('F2');
  await expect(view.messages).toContainText('Only the cells of the file can be edited here.');
  await importing.problems.edit(0, 'id', '7');
  await expect(importing.problems.cell(0, 'id')).toHaveText('7');
  await importing.problems.edit(2, 'stock', '3');
  await expect(importing.problems.cell(2, 'stock')).toHaveText('3');
  await importing.result.getByRole('button', { name: 'Import these rows again' }).click();
  await expect(importing.result).toContainText('3 rows added to “item”, 1 row not imported');
  await expect(importing.problems.cell(0, 'id')).toHaveText('5');
  const target = join(anyApp.folder, 'rest.csv');
  await anyApp.answerSaveDialog(target);
  await importing.result.getByRole('button', { name: 'Save as CSV…' }).click();
  await expect.poll(() => existsSync(target)).toBe(true);
  expect(readFileSync(target, 'utf8')).toMatch(/^Line,Reason,id,name,price,stock\r\n4,.*,5,,1,1\r\n$/);
  await expectValue(view, 'SELECT group_concat(id || name) AS v FROM item;', '1ant,2bee,3cat,4dog,6eel,7twin');
});

test(
  'the next file of the same kind gets the same choices with one click, and differences are said',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'sales-05.csv', 'Day,Shop,Amount\n2026-05-01,Ulm,"1,5"\n'));
    await importing.column('Amount').getByLabel('Name of Amount').fill('sum');
    await importing.column('Shop').getByRole('button', { name: 'Do not import Shop' }).click();
    await importing.run();
    await expect(importing.result).toContainText('1 row added to “sales_05”');
    await importing.open(
      app,
      view,
      writeCsv(app, 'sales-06.csv', 'Day,Amount,Tax\n2026-06-01,2.5,1\n2026-06-02,3.5,1\n'),
    );
    await expect(importing.recipe).toContainText('“sales-05.csv” was imported into “sales_05”');
    await expect(importing.recipe.getByRole('list', { name: 'Differences' })).toContainText('New in this file: “Tax”.');
    await importing.recipe.getByRole('button', { name: 'All recipes…' }).click();
    const name = view.dialog.getByLabel('Name of sales-05.csv');
    await name.fill('Monthly sales');
    await name.press('Enter');
    await expect(view.dialog.getByLabel('Name of Monthly sales')).toBeVisible();
    await view.dialog.getByRole('button', { name: 'Close' }).click();
    await view.command('Import Recipes');
    await expect(view.dialog.getByRole('listitem')).toContainText('sales-05.csv: 2 columns into “sales_05”');
    await view.dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(view.dialog).toContainText('There are none yet.');
    await view.page.keyboard.press('Escape');
    await view.messages.getByRole('button', { name: 'Undo' }).click();
    await view.command('Import Recipes');
    await expect(view.dialog.getByLabel('Name of Monthly sales')).toBeVisible();
    await view.page.keyboard.press('Escape');
    const before = await boxOf(importing.recipe);
    const use = importing.recipe.getByRole('button', { name: 'Use the same choices' });
    await use.click();
    await expect(importing.field('Table')).toHaveValue('sales_05');
    await expect(importing.column('Amount').getByRole('combobox')).toHaveValue('sum');
    await expect(importing.recipe).toContainText('The table “sales_05” now exists');
    await expect(use).toBeFocused();
    await importing.recipe.getByRole('button', { name: 'Add “Tax” to the table' }).click();
    await expect(importing.column('Tax')).toContainText('new column');
    expect(await boxOf(importing.recipe)).toEqual(before);
    await importing.run();
    await expect(importing.result).toContainText('2 rows added to “sales_05”');
    await expectValue(
      view,
      "SELECT group_concat(Day || ifnull(sum, '-') || ifnull(Tax, '-')) AS v FROM sales_05;",
      '2026-05-011.5-,2026-06-012.51,2026-06-023.51',
    );
  },
);

test('everything works by keyboard, from the file to the table', { tag: '@long' }, async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  const { page } = view;
  await importing.open(app, view, writeCsv(app, 'few.csv', 'a,b\n1,2\n'));
  await importing.field('Table name').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('typed');
  await page.keyboard.press('Enter');
  await importing.column('a').getByLabel('Name of a').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('first');
  await page.keyboard.press('Tab');
  await expect(importing.column('a').getByRole('button', { name: 'Do not import a' })).toBeFocused();
  await importing.importButton().focus();
  await page.keyboard.press('Enter');
  await expect(importing.result).toContainText('1 row added to “typed”');
  await expect(importing.result.getByRole('button', { name: 'Open table' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(view.grid('Rows of typed').cell(0, 'first')).toHaveText('1');
});

test(
  'a line that could not be split into cells is not imported as it stands',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    await importing.open(app, view, writeCsv(app, 'log.ndjson', '{"id":1,"a":"x"}\n{"id":2,\n[3]\n'));
    await importing.run();
    await expect(importing.result).toContainText('1 row added to “log”, 2 rows not imported');
    const again = importing.result.getByRole('button', { name: 'Import these rows again' });
    await again.click();
    await expect(view.messages).toContainText('These rows could not be split into cells. Enter their cells first.');
    await importing.problems.edit(0, 'id', '2');
    await again.click();
    await expect(importing.result).toContainText('2 rows added to “log”, 1 row not imported');
    await expect(importing.problems.cell(0, 'Line')).toHaveText('3');
    await expect(importing.problems.cell(0, 'id')).toHaveText('[3]');
    await expectValue(
      view,
      "SELECT group_concat(id || typeof(id) || ifnull(a, '-')) AS v FROM log;",
      '1integerx,2integer-',
    );
  },
);
