// Every way out: tables, what a grid shows, results, several tables, the database as a dump, and the clipboard.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { readClipboard } from '../support/clipboard.ts';
import { query } from '../support/compare-results.ts';
import { openShop } from '../support/shop-in-place.ts';

/** Clipboard of Electron before 44. */
interface OldClipboard {
  readHTML(): string;
}

const SQL = `CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT, seconds REAL, cover BLOB);
  INSERT INTO song VALUES (1, 'Ant', 2.0, X'00FF'), (2, '', NULL, NULL), (3, 'Bee, "live"', 9e999, X'01'), (9007199254740993, NULL, -0.5, X'');
  CREATE TABLE band (name TEXT); INSERT INTO band VALUES ('The Ants');
  CREATE VIRTUAL TABLE lyric USING fts5(line); INSERT INTO lyric VALUES ('walking home'); PRAGMA user_version = 7;`;

async function openSongs(app: SideliteApp): Promise<AppWindow> {
  const file = makeDatabase(join(app.folder, 'songs.db'), { kind: 'sql', sql: SQL });
  const view = new AppWindow(await app.start(file));
  await view.opened('songs');
  return view;
}

/** Exports through the dialog into a file of the test, and returns its content. */
async function exportTo(app: SideliteApp, view: AppWindow, name: string): Promise<string> {
  const target = join(app.folder, name);
  await app.answerSaveDialog(target);
  await view.dialog.getByRole('button', { name: 'Export to file…' }).click();
  await expect(view.messages).toContainText(`exported to ${name}`);
  expect(readdirSync(app.folder).filter((file) => file.includes('.part'))).toEqual([]);
  return readFileSync(target, 'utf8');
}

const preview = (view: AppWindow): Locator => view.dialog.getByRole('region', { name: 'Preview' });
const format = (view: AppWindow, name: string): Locator => view.dialog.getByRole('radio', { name, exact: true });

test('a table is exported as its preview shows it, and the file is shown in its folder', async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.openTable('song');
  await view.page.keyboard.press('Control+e');
  await expect(preview(view)).toContainText('9007199254740993,,-0.5,""');
  await expect(view.dialog).toContainText('BLOBs become text.');
  const shown = await preview(view).locator('pre').textContent();
  await view.page.screenshot({ path: test.info().outputPath('dialog.png') });
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

test('a result is exported whole, however much of it was looked at', async ({ idleApp: app }) => {
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

test('the database is exported as a dump, several tables as SQL, the schema alone', async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.command('Export…');
  const what = view.dialog.getByLabel('What to export');
  await what.selectOption('Whole database');
  await expect(preview(view)).toContainText('BEGIN TRANSACTION;');
  await exportTo(app, view, 'dump.sql');
  const read = join(app.folder, 'read.db');
  makeDatabase(read, { kind: 'sql', sql: readFileSync(join(app.folder, 'dump.sql'), 'utf8') });
  const source = join(app.folder, 'songs.db');
  for (const sql of [
    'SELECT *, typeof(seconds), hex(cover) FROM song',
    'PRAGMA user_version',
    "SELECT line FROM lyric WHERE lyric MATCH 'home'",
  ])
    expect(query(read, sql)).toEqual(query(source, sql));

  await view.command('Export…');
  await what.selectOption('Several tables');
  await format(view, 'SQL INSERT').check();
  await expect(view.dialog.getByRole('button', { name: 'Export to file…' })).toHaveAttribute('aria-disabled', 'true');
  await view.dialog.getByRole('checkbox', { name: 'band' }).check();
  await expect(preview(view)).toContainText('The Ants');
  expect(await exportTo(app, view, 'band.sql')).toBe(
    'BEGIN TRANSACTION;\nCREATE TABLE band (name TEXT);\nINSERT INTO "band"("name") VALUES(\'The Ants\');\nCOMMIT;\n',
  );

  await view.command('Export…');
  await what.selectOption('Schema only');
  const schema = await exportTo(app, view, 'schema.sql');
  expect(schema).toContain('CREATE TABLE song');
  expect(schema).not.toContain('INSERT');
});

test('a workbook is written, and cannot be copied as text', async ({ idleApp: app }) => {
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
});

test('chosen tables become a SQLite file, by both engines', async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.runSql('CREATE INDEX by_title ON song (title); CREATE VIEW bands AS SELECT name FROM band');
  await view.command('Export…');
  await view.dialog.getByLabel('What to export').selectOption('Several tables');
  await view.dialog.getByRole('checkbox', { name: 'song', exact: true }).check();
  await view.dialog.getByRole('checkbox', { name: 'bands' }).check();
  await format(view, 'SQLite database').check();
  await expect(preview(view)).toContainText('Ant\t2.0\t00FF');
  await view.page.screenshot({ path: test.info().outputPath('sqlite.png') });
  await exportTo(app, view, 'chosen.sqlite');
  await expect(view.messages).toContainText('The view “bands” was left out.');
  const chosen = join(app.folder, 'chosen.sqlite');
  const songs = 'SELECT *, typeof(seconds), hex(cover) FROM song';
  expect(query(chosen, songs)).toEqual(query(join(app.folder, 'songs.db'), songs));
  expect(query(chosen, 'SELECT name FROM sqlite_schema ORDER BY name')).toEqual([['by_title'], ['song']]);
});

test('BLOBs become files beside the file that names them', async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.openTable('song');
  await view.page.keyboard.press('Control+e');
  await format(view, 'CSV').check();
  await view.dialog.getByLabel('BLOBs as').selectOption('Files in a folder next to it');
  await expect(preview(view)).toContainText('cover-1.bin');
  await expect(view.dialog.getByRole('button', { name: 'Copy' })).toHaveAttribute('aria-disabled', 'true');
  await view.page.screenshot({ path: test.info().outputPath('files.png') });
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

test('several tables become a file each, and none is replaced unasked', async ({ idleApp: app }) => {
  const view = await openSongs(app);
  const target = join(app.folder, 'out');
  mkdirSync(target);
  writeFileSync(join(target, 'song.csv'), 'mine');
  await view.command('Export…');
  await view.dialog.getByLabel('What to export').selectOption('Several tables');
  await expect(preview(view)).toHaveText('Select at least one table.');
  await view.dialog.getByRole('checkbox', { name: 'All tables and views' }).check();
  const split = view.dialog.getByRole('checkbox', { name: 'One file per table' });
  await format(view, 'JSON').check();
  await expect(split).not.toBeChecked();
  await split.check();
  await expect(view.dialog.getByRole('button', { name: 'Export to folder…' })).toBeVisible();
  await format(view, 'SQLite database').check();
  await expect(split).not.toBeChecked();
  await expect(split).toBeDisabled();
  // A CSV file holds one table.
  await format(view, 'CSV').check();
  await expect(split).toBeChecked();
  await expect(split).toBeDisabled();
  await expect(preview(view)).toContainText('The Ants');
  await view.page.screenshot({ path: test.info().outputPath('split.png') });
  await app.answerOpenDialog(target);
  await view.dialog.getByRole('button', { name: 'Export to folder…' }).click();
  const question = view.page.getByRole('alertdialog').or(view.dialog);
  await expect(question).toContainText('Replace 1 file in “out”?');
  expect(readdirSync(target)).toEqual(['song.csv']);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  expect(readFileSync(join(target, 'song.csv'), 'utf8')).toBe('mine');

  await view.command('Export…');
  await view.dialog.getByLabel('What to export').selectOption('Several tables');
  await view.dialog.getByRole('checkbox', { name: 'All tables and views' }).check();
  await format(view, 'CSV').check();
  await view.dialog.getByRole('button', { name: 'Export to folder…' }).click();
  await question.getByRole('button', { name: 'Replace' }).click();
  await expect(view.messages).toContainText('6 rows were exported to 3 files in out');
  expect(readdirSync(target).sort()).toEqual(['band.csv', 'lyric.csv', 'song.csv']);
  expect(readFileSync(join(target, 'band.csv'), 'utf8')).toBe('name\nThe Ants\n');
});

test('a file in place is exported by the native engine', async ({ idleApp: app }) => {
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

test('what is selected is copied in other formats', async ({ idleApp: app }) => {
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
  await view.page.screenshot({ path: test.info().outputPath('copy-as.png') });
  await view.page.getByRole('menuitem', { name: 'INSERT', exact: true }).click();
  await expect.poll(() => readClipboard(view.page)).toContain(`VALUES(3,'Bee, "live"',9e999,X'01');`);
  expect(await readClipboard(view.page)).not.toContain('CREATE TABLE');
});

test('an export can be stopped and leaves no file, while others go on', async ({ idleApp: app }) => {
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
