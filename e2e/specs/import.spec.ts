// Importing rows from files and the clipboard, from the first look to the summary.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import writeXlsxFile from 'write-excel-file/node';
import { makeDatabase } from '../data/make-database.ts';
import { randomBytes, seeded } from '../data/seeded.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { writeClipboard } from '../support/clipboard.ts';
import type { TestedApp } from '../tested-app.ts';

const PATIENT = { timeout: 30_000 };

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, stock INTEGER CHECK (stock >= 0));
  INSERT INTO item VALUES (1, 'ant', 1.5, 10), (2, 'bee', NULL, 20), (3, 'cat', 3.5, 30);`;

async function openShop(app: TestedApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  await view.opened('shop');
  return { view, importing: new ImportPage(view) };
}

function writeCsv(app: TestedApp, name: string, text: string): string {
  const path = join(app.folder, name);
  writeFileSync(path, text);
  return path;
}

/** Makes an import last, so that it cannot end before a person has done something: 5000 steps a row for minutes, 50 for seconds. */
const slowTrigger = (steps: number): string =>
  `CREATE TRIGGER slow AFTER INSERT ON item BEGIN SELECT count(*) FROM (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${steps}) SELECT i FROM n); END;`;

/** The column `v` of the first row of the first result of an SQL text. */
async function expectValue(view: AppWindow, sql: string, value: string): Promise<void> {
  await view.runSql(sql);
  await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText(value);
}

test(
  'a CSV file becomes a new table with types from the whole of it, shown before, and one undo takes it back',
  { tag: '@web' },
  async ({ anyApp }) => {
    const { view, importing } = await openShop(anyApp);
    // What makes the code a text is in the last line, far beyond what is looked at first.
    const lines = Array.from({ length: 5000 }, (_, at) => `${at + 1},${at + 100},${at}.5,"",,note ${at}`);
    const csv = ['id,code,price,quoted,plain,note', ...lines, '5001,007,1.5,"",,last'].join('\n');
    await importing.open(anyApp, view, writeCsv(anyApp, 'goods 2026.csv', csv));
    await expect(importing.importButton('5,001')).toBeVisible();
    await importing.field('Empty cells without quotes are NULL').check();
    await expect(importing.column('id').getByLabel('Type of id')).toHaveValue('INTEGER');
    await expect(importing.column('code').getByLabel('Type of code')).toHaveValue('TEXT');
    await expect(importing.column('code')).toContainText('leading zero');
    await importing.preview.click(0, 'id');
    await view.page.keyboard.press('End');
    await expect(importing.preview.cell(0, 'quoted')).not.toHaveText('NULL');
    await expect(importing.preview.cell(0, 'plain')).toHaveText('NULL');
    await expect.poll(() => importing.preview.rowCount()).toBe(1000);
    await importing.column('note').getByLabel('Name of note').fill('remark');
    await importing.run();
    await expect(importing.result).toContainText('5,001 rows added to “goods_2026”');
    await importing.result.getByRole('button', { name: 'Open table' }).click();
    const grid = view.grid('Rows of goods_2026');
    await expect(grid.cell(0, 'remark')).toHaveText('note 0');
    const types =
      "SELECT group_concat(DISTINCT typeof(id) || typeof(code) || typeof(price) || typeof(quoted) || typeof(plain)) || max(code = '007') AS v FROM goods_2026;";
    await expectValue(view, types, 'integertextrealtextnull1');
    await view.tabs.filter({ hasText: 'Import' }).click();
    await importing.result.getByRole('button', { name: 'Undo import' }).click();
    await expect(importing.result).toContainText('The import was undone');
    await expect(view.treeItem('goods_2026')).toHaveCount(0);
  },
);

test(
  'rows are updated by key in an existing table, with a preview of what changes',
  { tag: '@web' },
  async ({ anyApp }) => {
    const { view, importing } = await openShop(anyApp);
    const csv = 'Stock,ID,Name,Extra\n10,1,ant,x\n21,2,bee,x\n40,4,dog,x\n';
    await importing.open(anyApp, view, writeCsv(anyApp, 'items.csv', csv));
    await importing.field('Table').selectOption('item');
    await expect(importing.page.getByRole('button', { name: 'Not imported: Extra' })).toBeVisible();
    await expect(importing.choices).toContainText('“price”');
    await importing.field('Rows').selectOption('Update by key');
    await expect(importing.field('id')).toBeChecked();
    await importing.field('Existing rows').selectOption('Overwrite');
    await expect(importing.page.getByRole('status').filter({ hasText: '1 new, 1 changed, 1 equal' })).toBeVisible(
      PATIENT,
    );
    await importing.run();
    await expect(importing.result).toContainText('1 row added to “item”, 1 row changed');
    await expectValue(
      view,
      "SELECT group_concat(id || name || ifnull(price, '-') || stock) AS v FROM item;",
      '1ant1.510,2bee-21,3cat3.530,4dog-40',
    );
  },
);

test('a unique index can be the key, and a file of random bytes is refused', async ({ idleApp: app }) => {
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
  await importing.field('Existing rows').selectOption('Overwrite');
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
});

test('columns are added for an expression alone, and moved', async ({ idleApp: app }) => {
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

test('columns are matched by order and by hand', async ({ idleApp: app }) => {
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

test(
  'rows that cannot be imported are kept, mended, imported again, and saved',
  { tag: '@web' },
  async ({ anyApp }) => {
    const { view, importing } = await openShop(anyApp);
    const csv = 'id,name,price,stock\n4,dog,1,1\n1,twin,1,1\n5,,1,1\n6,eel,1,-3\n';
    await anyApp.answerOpenDialog(writeCsv(anyApp, 'items.csv', csv));
    await view.treeItem('item').click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Import into this table…' }).click();
    await importing.read();
    await expect(importing.field('Table')).toHaveValue('item');
    await importing.field('Empty cells without quotes are NULL').check();
    await expect(importing.page.getByText('3 of these rows cannot be imported')).toBeVisible();
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
  },
);

test('an import that is stopped leaves the table as it was; other tabs are used meanwhile', async ({
  idleApp: app,
}) => {
  const { view, importing } = await openShop(app);
  await view.runSql(slowTrigger(5000));
  const next = seeded(7);
  const lines = Array.from({ length: 200_000 }, (_, at) => `${at + 10},name ${next()} ${next()},1.5,${next() % 1000}`);
  const file = writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n`);
  await importing.choose(app, view, file);
  // The table declares its types, so there is no need to wait until the whole file has been read.
  await importing.field('Table').selectOption('item');
  await expect(importing.column('stock')).toBeVisible();
  await importing.importButton().click();
  const stop = importing.bar.getByRole('button', { name: 'Stop' });
  await expect(stop).toBeVisible();
  const grid = await view.openTable('item');
  await expect(grid.cell(2, 'name')).toHaveText('cat');
  await view.tabs.filter({ hasText: 'Import' }).click();
  await stop.click();
  await expect(importing.page.getByRole('alert')).toContainText('Stopped. Nothing was imported.', PATIENT);
  await expectValue(view, 'SELECT count(*) AS v FROM item;', '3');
});

test('an import whose tab is closed goes on, and says what it came to', async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await view.runSql(slowTrigger(50));
  const lines = Array.from({ length: 200_000 }, (_, at) => `${at + 10},name ${at},1.5,${at % 1000}`);
  await importing.choose(app, view, writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n`));
  await importing.field('Table').selectOption('item');
  await expect(importing.column('stock')).toBeVisible();
  await importing.importButton().click();
  await expect(importing.bar.getByRole('button', { name: 'Stop' })).toBeVisible();
  await view.page.keyboard.press('Control+w');
  await expect(view.tabs.filter({ hasText: 'Import' })).toHaveCount(0);
  await expect(view.messages).toContainText('200,000 rows added to “item”', PATIENT);
  await view.messages.getByRole('button', { name: 'Open table' }).click();
  await expect(view.grid('Rows of item').cell(3, 'name')).toHaveText('name 0');
});

test('files with rows are imported where they are dropped, and databases are opened whatever they are called', async ({
  idleApp: app,
}) => {
  const { view, importing } = await openShop(app);
  await view.drop(writeCsv(app, 'loose.tsv', 'a\tb\n1\t2\n'));
  await expect(importing.field('Table name')).toHaveValue('loose', PATIENT);
  await expect(importing.field('Delimiter')).toHaveValue('\t');
  await view.dropOn(view.treeItem('item'), writeCsv(app, 'items.csv', 'id,name\n9,owl\n'));
  await expect(importing.field('Table')).toHaveValue('item', PATIENT);
  await importing.read();
  await importing.run();
  await expect(importing.result).toContainText('1 row added to “item”');
  await view.drop(makeDatabase(join(app.folder, 'disguised.csv'), { kind: 'sql', sql: 'CREATE TABLE hidden (x);' }));
  await view.opened('disguised');
});

test('rows are imported from the clipboard into a new database of the library', { tag: '@web' }, async ({ anyApp }) => {
  const view = new AppWindow(await anyApp.start());
  await view.connected();
  const importing = new ImportPage(view);
  await writeClipboard(view.page, 'city\tpeople\nUlm\t128000\nBonn\t336000\n');
  await view.command('Import from Clipboard');
  await importing.read();
  await expect(importing.field('Database')).toHaveValue('');
  await importing.field('Database name').fill('Cities');
  await importing.field('Table name').fill('city');
  await importing.field('Table name').press('Enter');
  await importing.run();
  await view.opened('Cities');
  await importing.result.getByRole('button', { name: 'Open table' }).click();
  await expect(view.grid('Rows of city').cell(1, 'people')).toHaveText('336000');
});

test('the next file of the same kind gets the same choices with one click, and differences are said', async ({
  idleApp: app,
}) => {
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
  await view.page.screenshot({ path: test.info().outputPath('recipes.png') });
  await view.dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(view.dialog).toContainText('There are none yet.');
  await view.page.keyboard.press('Escape');
  await view.messages.getByRole('button', { name: 'Undo' }).click();
  await view.command('Import Recipes');
  await expect(view.dialog.getByLabel('Name of Monthly sales')).toBeVisible();
  await view.page.keyboard.press('Escape');
  await importing.recipe.getByRole('button', { name: 'Use the same choices' }).click();
  await expect(importing.field('Table')).toHaveValue('sales_05');
  await expect(importing.column('Amount').getByRole('combobox')).toHaveValue('sum');
  await importing.run();
  await expect(importing.result).toContainText('2 rows added to “sales_05”');
  await expectValue(
    view,
    "SELECT group_concat(Day || ifnull(sum, '-')) AS v FROM sales_05;",
    '2026-05-011.5,2026-06-012.5,2026-06-023.5',
  );
});

test('everything works by keyboard, from the file to the table', async ({ idleApp: app }) => {
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

test('an import tab finds its file again after a restart', async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  await importing.open(app, view, writeCsv(app, 'kept.csv', 'a,b\n1,x\n2,y\n'));
  const again = new ImportPage(new AppWindow(await app.relaunch()));
  await again.read();
  await expect(again.preview.cell(1, 'b')).toHaveText('y');
  await again.run();
  await expect(again.result).toContainText('2 rows added to “kept”');
});

test('a file that is gone, empty, or no longer open is said, and another can be chosen', async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  const few = writeCsv(app, 'few.csv', 'a,b\n1,2\n');
  await importing.open(app, view, few);
  rmSync(few);
  const again = new AppWindow(await app.relaunch());
  await again.connected();
  await again.tabs.filter({ hasText: 'Import few.csv' }).click();
  await expect(again.page.getByRole('alert')).toContainText('“few.csv” no longer exists');
  writeCsv(app, 'few.csv', 'a,b\n1,2\n');
  await app.answerOpenDialog(join(app.folder, 'few.csv'));
  await again.page.getByRole('button', { name: 'Choose a file…' }).click();
  const anew = new ImportPage(again);
  await expect(anew.importButton('1')).toBeVisible(PATIENT);
});

for (const place of ['in the library', 'in place'] as const) {
  test(`an edit in another database does not wait for an import, ${place}`, async ({ idleApp: app }) => {
    if (place === 'in place') app.opensFiles = 'in-place';
    const { view, importing } = await openShop(app);
    await view.runSql(slowTrigger(500));
    const next = seeded(9);
    const lines = Array.from(
      { length: 200_000 },
      (_, at) => `${at + 10},name ${next()} ${next()},1.5,${next() % 1000}`,
    );
    await importing.choose(app, view, writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n`));
    await importing.field('Table').selectOption('item');
    await expect(importing.column('stock')).toBeVisible();
    await view.openFile(app, makeDatabase(join(app.folder, 'other.db'), { kind: 'sql', sql: SHOP }));
    await view.opened('other');
    await view.writeSql("UPDATE item SET name = 'edited' WHERE id = 2; SELECT name AS v FROM item WHERE id = 2;");
    await view.tabs.filter({ hasText: 'Import' }).click();
    await importing.importButton().click();
    const stop = importing.bar.getByRole('button', { name: 'Stop' });
    await expect(stop).toBeVisible();
    await view.tabs.filter({ hasText: 'Query 2' }).click();
    await view.page
      .getByRole('toolbar', { name: 'Query' })
      .getByRole('button', { name: /^Run all/ })
      .click();
    await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText('edited');
    await view.tabs.filter({ hasText: 'Import' }).click();
    // It went on all the time.
    await stop.click();
    await expect(importing.page.getByRole('alert')).toContainText('Stopped. Nothing was imported.', PATIENT);
  });

  test(`a file of megabytes is read by a thread of its own, ${place}`, async ({ idleApp: app }) => {
    if (place === 'in place') app.opensFiles = 'in-place';
    const { view, importing } = await openShop(app);
    const lines = Array.from({ length: 200_000 }, (_, at) => `${at + 1},"name, of ${at}",${at / 4},${at % 1000}`);
    const file = writeCsv(app, 'many.csv', `id,name,price,stock\n${lines.join('\n')}\n200001,text "late,1,2\n`);
    await importing.open(app, view, file);
    await expect(importing.column('price').getByLabel('Type of price')).toHaveValue('NUMERIC', PATIENT);
    await importing.run();
    await expect(importing.result).toContainText('200,001 rows added to “many”', PATIENT);
    const sums =
      "SELECT count(*) || ' ' || sum(id) || ' ' || sum(price) || ' ' || sum(length(name)) || max(typeof(price)) AS v FROM many;";
    const names = lines.reduce((sum, _, at) => sum + `name, of ${at}`.length, 'text "late'.length);
    const prices = lines.reduce((sum, _, at) => sum + at / 4, 1);
    await expectValue(view, sums, `200001 ${(200_001 * 200_002) / 2} ${prices.toFixed(1)} ${names}real`);
  });
}

test('rows of JSON go into a table of a file in place, and Undo takes them back there', async ({ idleApp: app }) => {
  app.opensFiles = 'in-place';
  const { view, importing } = await openShop(app);
  // Read as JavaScript numbers the first id would be another.
  const json = `[{"id": 9007199254740993, "name": "owl", "price": 2.5, "stock": null}, {"id": 5, "name": "pig", "stock": 3, "tags": ["a"]}]`;
  await importing.open(app, view, writeCsv(app, 'items.json', json));
  await importing.field('Table').selectOption('item');
  await expect(importing.page.getByRole('button', { name: 'Not imported: tags' })).toBeVisible();
  await importing.run();
  await expect(importing.result).toContainText('2 rows added to “item”');
  await expectValue(
    view,
    "SELECT group_concat(id || name) AS v FROM item WHERE name > 'm';",
    '5pig,9007199254740993owl',
  );
  await view.tabs.filter({ hasText: 'Import' }).click();
  await importing.result.getByRole('button', { name: 'Undo import' }).click();
  await expect(importing.result).toContainText('The import was undone');
  await expectValue(view, 'SELECT count(*) AS v FROM item;', '3');
});

/** Two records with a number, a text with a leading zero, and an empty cell. */
const WAYS: Readonly<Record<string, () => Promise<Uint8Array | string> | Uint8Array | string>> = {
  'rows.json': () => '[{"id":9007199254740993,"code":"007","note":null},{"id":2,"code":"12","note":"née"}]',
  'rows.ndjson': () => '{"id":9007199254740993,"code":"007"}\n{"id":2,"code":"12","note":"née"}\n',
  'rows.tsv': () => 'id\tcode\tnote\n9007199254740993\t007\t\n2\t12\tnée\n',
  'rows.parquet': () =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'id', data: [9007199254740993n, 2n], type: 'INT64' },
          { name: 'code', data: ['007', '12'], type: 'STRING' },
          { name: 'note', data: [null, 'née'], type: 'STRING' },
        ],
      }),
    ),
  // Its numbers are doubles: 2^53 is the largest whole one that is certain.
  'rows.xlsx': async () =>
    await writeXlsxFile([
      [{ value: 'id' }, { value: 'code' }, { value: 'note' }],
      [{ value: 9007199254740992, type: Number }, { value: '007' }, null],
      [{ value: 2, type: Number }, { value: '12' }, { value: 'née' }],
    ]).toBuffer(),
};

for (const [name, bytes] of Object.entries(WAYS)) {
  test(`${name} is recognized by what is in it, and every cell comes over`, async ({ idleApp: app }) => {
    const { view, importing } = await openShop(app);
    const path = join(app.folder, name);
    writeFileSync(path, await bytes());
    await importing.open(app, view, path);
    await importing.run();
    await expect(importing.result).toContainText('2 rows added to “rows”');
    const id = name.endsWith('xlsx') ? '9007199254740992' : '9007199254740993';
    await expectValue(view, 'SELECT id || typeof(id) AS v FROM rows LIMIT 1', `${id}integer`);
    await expectValue(view, "SELECT group_concat(code || ifnull(note, '-')) AS v FROM rows", '007-,12née');
  });
}

test('a file without rows says so, and one with NUL in a name and bytes of no encoding does no harm', async ({
  idleApp: app,
}) => {
  const { view, importing } = await openShop(app);
  await importing.choose(app, view, writeCsv(app, 'nothing.csv', ''));
  await expect(importing.page.getByText('There are no rows in this file')).toBeVisible();
  await expect(importing.page.getByText('Reading the first rows')).toHaveCount(0);
  const path = join(app.folder, 'noise.csv');
  writeFileSync(
    path,
    Buffer.concat([Buffer.from('a\0b,c\n'), Buffer.from('1,caf\xe9\n2,\xff\xfe\x80\n'.repeat(2000), 'latin1')]),
  );
  await importing.open(app, view, path);
  await importing.run();
  await expect(importing.result).toContainText('added to “noise”');
});
