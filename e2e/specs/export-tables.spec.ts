// Ways out for more than one table: the database as a dump, its schema, a SQLite file of chosen tables, and a file for each table.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { query } from '../support/compare-results.ts';
import { exportTo, format, openSongs, preview } from '../support/export-songs.ts';

test(
  'the database is exported as a dump, several tables as SQL, the schema alone',
  { tag: '@long' },
  async ({ idleApp: app }) => {
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
  },
);

test('chosen tables become a SQLite file, by both engines', { tag: '@long' }, async ({ idleApp: app }) => {
  const view = await openSongs(app);
  await view.runSql('CREATE INDEX by_title ON song (title); CREATE VIEW bands AS SELECT name FROM band');
  await view.command('Export…');
  await view.dialog.getByLabel('What to export').selectOption('Several tables');
  await view.dialog.getByRole('checkbox', { name: 'song', exact: true }).check();
  await view.dialog.getByRole('checkbox', { name: 'bands' }).check();
  await format(view, 'SQLite database').check();
  await expect(preview(view)).toContainText('Ant\t2.0\t00FF');
  await exportTo(app, view, 'chosen.sqlite');
  await expect(view.messages).toContainText('The view “bands” was left out.');
  const chosen = join(app.folder, 'chosen.sqlite');
  const songs = 'SELECT *, typeof(seconds), hex(cover) FROM song';
  expect(query(chosen, songs)).toEqual(query(join(app.folder, 'songs.db'), songs));
  expect(query(chosen, 'SELECT name FROM sqlite_schema ORDER BY name')).toEqual([['by_title'], ['song']]);
});

test('several tables become a file each, and none is replaced unasked', { tag: '@long' }, async ({ idleApp: app }) => {
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
