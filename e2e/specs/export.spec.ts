// Ways out for the rows of one table: what a grid shows, results, workbooks, BLOBs as files, and the clipboard.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { readClipboard } from '../support/clipboard.ts';
import { query } from '../support/compare-results.ts';
import { exportTo, format, openSongs, preview } from '../support/export-songs.ts';
import { openShop } from '../support/shop-in-place.ts';

/** Clipboard of Electron before 44. */
interface OldClipboard {
  readHTML(): string;
}

test('a table is exported as its preview shows it, and the file is shown in its folder', async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.openTable('song');
  await view.page.keyboard.press('Control+e');
  await expect(preview(view)).toContainText('9007199254740993,,-0.5,""');
  await expect(view.dialog).toContainText('BLOBs become text.');
  const shown = await preview(view).locator('pre').textContent();
  const written = await exportTo(app, view, 'songs.csv');
  expect(written).toBe(
    'id,title,seconds,cover\n1,Ant,2.0,00FF\n2,"",,\n3,"Bee, ""live""",9e999,01\n9007199254740993,,-0.5,""\n',
  );
  expect(written).toBe(shown);
  await app.electron.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => void ((globalThis as { revealed?: string }).revealed = path);
  });
  await view.messages.getByRole('button', { name: 'Show in folder' }).click();
  await expect
    .poll(() => app.electron.evaluate(() => (globalThis as { revealed?: string }).revealed))
    .toBe(join(app.folder, 'songs.csv'));
  // It mentions BLOBs only where there may be some.
  await view.openTable('band');
  await view.page.keyboard.press('Control+e');
  await expect(view.dialog.getByRole('note')).toContainText('Types are not kept');
  await expect(view.dialog.getByRole('note')).not.toContainText('BLOB');
});

test('what the grid shows is exported: filtered, sorted, or a selection; the last choice is remembered', async ({
  idleApp: app,
}) => {
  const view = await openSongs(app);
  const grid = await view.openTable('song');
  await grid.clickHeader('title');
  await expect(grid.cell(2, 'title')).toHaveText('Ant');
  await grid.click(1, 'title');
  await view.page.keyboard.press('Shift+ArrowDown');
  await view.page.keyboard.press('Control+e');
  await expect(view.dialog.getByLabel('What to export')).toContainText('Selection: 2 rows of 1 column');
  await format(view, 'JSON').check();
  await expect(preview(view)).toContainText('[');
  expect(JSON.parse(await exportTo(app, view, 'selection.json'))).toEqual([{ title: '' }, { title: 'Ant' }]);
  await grid.click(0, 'id');
  await view.page.keyboard.press('Control+e');
  await expect(format(view, 'JSON')).toBeChecked();
  await expect(view.dialog.getByLabel('What to export').locator('option:checked')).toHaveText('All rows, as shown');
  const rows = JSON.parse(await exportTo(app, view, 'sorted.json')) as { title: string | null }[];
  expect(rows.map(({ title }) => title)).toEqual([null, '', 'Ant', 'Bee, "live"']);
});

test('a result is exported whole, however much of it was looked at', { tag: '@long' }, async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.runSql(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i, i * 0.5 AS half FROM n',
  );
  await view.grid('Rows of result 1').click(0, 'i');
  await view.page.keyboard.press('Control+e');
  await format(view, 'CSV').check();
  await expect(preview(view)).toContainText('2,1.0');
  const lines = (await exportTo(app, view, 'result.csv')).split('\n');
  expect([lines.length, lines[0], lines[100_000]]).toEqual([100_002, 'i,half', '100000,50000.0']);
});

test('a workbook is written, and cannot be copied as text', { tag: '@long' }, async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.openTable('song');
  await view.page.keyboard.press('Control+e');
  await format(view, 'XLSX').check();
  await expect(preview(view)).toContainText('Ant\t2.0\t00FF');
  await expect(view.dialog.getByRole('button', { name: 'Copy' })).toHaveAttribute('aria-disabled', 'true');
  const target = join(app.folder, 'songs.xlsx');
  await exportTo(app, view, 'songs.xlsx');
  const bytes = readFileSync(target);
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(bytes.subarray(-22, -18).toString('latin1')).toBe('PK\u0005\u0006');
  // Dates are named, and are dates only if the user wants it.
  await view.runSql("SELECT '2020-01-31' AS born, 'x' AS name");
  await view.grid('Rows of result 1').click(0, 'born');
  await view.page.keyboard.press('Control+e');
  await view.dialog.getByRole('checkbox', { name: 'Write dates of born as Excel dates' }).check();
  await exportTo(app, view, 'born.xlsx');
  await expect(view.messages).toContainText('Written as dates of a spreadsheet: born.');
});

test('BLOBs become files beside the file that names them', { tag: '@long' }, async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.openTable('song');
  await view.page.keyboard.press('Control+e');
  await format(view, 'CSV').check();
  await view.dialog.getByLabel('BLOBs as').selectOption('Files in a folder next to it');
  await expect(preview(view)).toContainText('cover-1.bin');
  await expect(view.dialog.getByRole('button', { name: 'Copy' })).toHaveAttribute('aria-disabled', 'true');
  const written = await exportTo(app, view, 'songs.csv');
  expect(written).toContain('1,Ant,2.0,songs_files/cover-1.bin\n2,"",,\n');
  const beside = join(app.folder, 'songs_files');
  expect(readdirSync(beside).sort()).toEqual(['cover-1.bin', 'cover-2.bin', 'cover-3.bin']);
  expect([...readFileSync(join(beside, 'cover-1.bin'))]).toEqual([0x00, 0xff]);

  await view.page.keyboard.press('Control+e');
  await app.answerSaveDialog(join(app.folder, 'songs.csv'));
  await view.dialog.getByRole('button', { name: 'Export to file…' }).click();
  await expect(view.messages).toContainText('the folder “songs_files”, but something with that name is already there');
  expect(readFileSync(join(app.folder, 'songs.csv'), 'utf8')).toBe(written);
});

test('a file in place is exported by the native engine', { tag: '@long' }, async ({ idleApp: app }) => {
  const { other, view } = await openShop(app);
  other.close();
  await view.treeItem('item').click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Export…' }).click();
  await format(view, 'NDJSON').check();
  await expect(preview(view)).toContainText('"name":"ant"');
  const lines = (await exportTo(app, view, 'items.ndjson')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['ant', 'bee', 'cat']);
  await view.treeItem('item').click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Export…' }).click();
  await format(view, 'SQLite database').check();
  await exportTo(app, view, 'items.sqlite');
  expect(query(join(app.folder, 'items.sqlite'), 'SELECT name FROM item')).toEqual([['ant'], ['bee'], ['cat']]);
});

test('what is selected is copied in other formats', { tag: '@long' }, async ({ idleApp: app }) => {
  const view = await openSongs(app);
  const grid = await view.openTable('song');
  await grid.click(0, 'title');
  await view.page.keyboard.press('Shift+ArrowDown');
  await view.command('Copy as Markdown');
  await expect.poll(() => readClipboard(view.page)).toBe('| title |\n| --- |\n| Ant |\n|  |');
  await view.command('Copy as UPDATE');
  await expect
    .poll(() => readClipboard(view.page))
    .toBe(`UPDATE "song" SET "title" = 'Ant' WHERE "id" = 1;\nUPDATE "song" SET "title" = '' WHERE "id" = 2;`);
  await view.command('Copy as HTML');
  await expect.poll(() => readClipboard(view.page)).toContain('<th>title</th>');
  // Word processors take it as a table.
  expect(await app.electron.evaluate(({ clipboard }) => (clipboard as unknown as OldClipboard).readHTML())).toContain(
    '<th>title</th>',
  );
  await view.page.mouse.click(0, 0);
  await grid.click(0, 'id');
  await view.page.keyboard.press('Control+a');
  await grid.root.press('Shift+F10');
  await view.page.getByRole('menuitem', { name: 'Copy as' }).hover();
  await view.page.getByRole('menuitem', { name: 'INSERT', exact: true }).click();
  await expect.poll(() => readClipboard(view.page)).toContain(`VALUES(3,'Bee, "live"',9e999,X'01');`);
  expect(await readClipboard(view.page)).not.toContain('CREATE TABLE');
});

test('an export can be stopped and leaves no file, while others go on', { tag: '@long' }, async ({ idleApp: app }) => {
  const view = await openSongs(app);
  // Its rows never end.
  await view.runSql(
    'CREATE VIEW big AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, hex(i) AS h FROM n',
  );
  await view.treeItem('big').click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Export…' }).click();
  await format(view, 'CSV').check();
  await expect(preview(view)).toContainText('50,');
  const target = join(app.folder, 'big.csv');
  await app.answerSaveDialog(target);
  await view.dialog.getByRole('button', { name: 'Export to file…' }).click();
  const job = view.page.getByRole('region', { name: /^Exporting big.csv/ });
  await expect(job).toBeVisible();
  await view.openTable('band');
  await expect(view.grid('Rows of band').cell(0, 'name')).toHaveText('The Ants');
  await job.getByRole('button', { name: /Stop|Cancel/ }).click();
  await expect(job).toHaveCount(0);
  await expect.poll(() => readdirSync(app.folder).filter((name) => name.includes('big.csv'))).toEqual([]);
  expect(existsSync(target)).toBe(false);
});
