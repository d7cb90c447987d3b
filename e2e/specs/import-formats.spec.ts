// Sources of imported rows: each format, files that are dropped, the clipboard.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import writeXlsxFile from 'write-excel-file/node';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { writeClipboard } from '../support/clipboard.ts';
import { expectValue, openShop, writeCsv } from '../support/import-shop.ts';

const PATIENT = { timeout: 30_000 };

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

test(
  'rows are imported from the clipboard into a new database of the library',
  { tag: '@long' },
  async ({ anyApp }) => {
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
  },
);

test(
  'rows of JSON go into a table of a file in place, and Undo takes them back there',
  { tag: '@long' },
  async ({ idleApp: app }) => {
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
  },
);

test('a workbook is read in the app, and every cell comes over', { tag: '@long' }, async ({ idleApp: app }) => {
  const { view, importing } = await openShop(app);
  const path = join(app.folder, 'rows.xlsx');
  const workbook = writeXlsxFile([
    [{ value: 'id' }, { value: 'code' }, { value: 'note' }],
    [{ value: 9007199254740992, type: Number }, { value: '007' }, null],
    [{ value: 2, type: Number }, { value: '12' }, { value: 'née' }],
  ]);
  writeFileSync(path, await workbook.toBuffer());
  await importing.open(app, view, path);
  await importing.run();
  await expect(importing.result).toContainText('2 rows added to “rows”');
  await expectValue(view, 'SELECT id || typeof(id) AS v FROM rows LIMIT 1', '9007199254740992integer');
  await expectValue(view, "SELECT group_concat(code || ifnull(note, '-')) AS v FROM rows", '007-,12née');
});

test(
  'a file without rows says so, and one with NUL in a name and bytes of no encoding does no harm',
  { tag: '@long' },
  async ({ idleApp: app }) => {
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
  },
);
