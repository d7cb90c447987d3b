// A library copy and the file it came from: which has changed, what differs, reading it again, and saving to it without losing anything.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { boxOf } from '../support/settled.ts';
import { joinWire } from '../support/wire-in-page.ts';

const NOTES = `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
  CREATE TABLE tag (name TEXT PRIMARY KEY, used INTEGER) WITHOUT ROWID;
  INSERT INTO note VALUES (1, 'one'), (2, 'two'), (3, 'three');
  INSERT INTO tag VALUES ('a', 1), ('b', 2);`;

const isRoot = process.getuid?.() === 0;
const chip = (view: AppWindow): Locator => view.status.getByRole('button', { name: /^Source: / });

function change(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}

test('a change on disk is seen, counted row by row, and taken over; undo brings mine back', async ({ idleApp }) => {
  const source = makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'sql', sql: NOTES });
  const view = new AppWindow(await idleApp.start(source));
  const grid = await view.openTable('note');
  await expect(chip(view)).toHaveText('Source unchanged');
  const { x } = await boxOf(chip(view));
  change(
    source,
    "UPDATE note SET body = 'TWO' WHERE id = 2; DELETE FROM note WHERE id = 3; INSERT INTO tag VALUES ('c', 3)",
  );
  await expect(chip(view)).toHaveText('Changed on disk');
  await grid.edit(0, 'body', 'mine');
  await expect(chip(view)).toHaveText('Both changed');
  expect((await boxOf(chip(view))).x, 'work beside it has a button to stop it, which stays in place').toBe(x);

  await view.messages.getByRole('button', { name: 'Compare' }).click();
  await expect(view.dialog).toContainText('4 rows in 2 tables differ from “notes.db”');
  await expect(view.dialog).toContainText('1 only in the file, 2 different, 1 only here');
  await expect(view.dialog.getByRole('table', { name: 'Rows that differ' })).toContainText('TWO');
  await view.dialog.getByRole('button', { name: 'Reload from source…' }).click();
  await view.dialog.getByRole('button', { name: 'Reload', exact: true }).click();
  await expect(grid.cell(1, 'body')).toHaveText('TWO');
  await expect(grid.cell(0, 'body')).toHaveText('one');
  await expect(chip(view)).toHaveText('Source unchanged');

  await grid.cell(0, 'body').click();
  await view.page.keyboard.press('Control+z');
  await expect(grid.cell(0, 'body')).toHaveText('mine');
  await expect(grid.cell(2, 'body')).toHaveText('three');
  // The copy no longer has the source's content: saving would have to ask.
  await expect(chip(view)).toHaveText('Both changed');
});

test('saving keeps mode, journal mode and a backup, and refuses a file that has changed', async ({ idleApp }) => {
  const source = makeDatabase(join(idleApp.folder, 'notes.db'), {
    kind: 'sql',
    sql: `PRAGMA journal_mode = WAL; ${NOTES}`,
  });
  chmodSync(source, 0o640);
  const view = new AppWindow(await idleApp.start(source));
  const grid = await view.openTable('note');
  await view.page.keyboard.press('Control+s');
  await expect(view.messages).toContainText('there is nothing to save');
  await grid.edit(0, 'body', 'mine');
  await expect(chip(view)).toHaveText('Changed here');
  await view.page.keyboard.press('Control+s');
  await expect(view.messages).toContainText('kept next to it as “notes.db.bak”');
  await expect(chip(view)).toHaveText('Source unchanged');
  expect(statSync(source).mode & 0o777).toBe(0o640);
  expect(query(`${source}.bak`, 'SELECT body FROM note WHERE id = 1')).toEqual([['one']]);
  expect(readFileSync(source)[18]).toBe(2);
  expect(query(source, 'SELECT body FROM note WHERE id = 1')).toEqual([['mine']]);
  expect(integrityOf(source)).toBe('ok');

  change(source, "UPDATE note SET body = 'theirs' WHERE id = 2");
  await expect(chip(view)).toHaveText('Changed on disk');
  await grid.edit(2, 'body', 'mine too');
  await expect(chip(view)).toHaveText('Both changed');
  await view.page.keyboard.press('Control+s');
  await expect(view.dialog).toContainText('Replace “notes.db”?');
  await expect(view.dialog.getByRole('button', { name: 'Merge first…' })).toBeVisible();
  await view.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(view.dialog).toHaveCount(0);
  expect(query(source, 'SELECT body FROM note WHERE id = 2')).toEqual([['theirs']]);
  await view.page.keyboard.press('Control+s');
  await view.dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(view.messages).toContainText('Saved to');
  await expect(chip(view)).toHaveText('Source unchanged');
  expect(query(source, 'SELECT body FROM note ORDER BY id')).toEqual([['mine'], ['two'], ['mine too']]);
  expect(query(`${source}.bak`, 'SELECT body FROM note WHERE id = 2')).toEqual([['theirs']]);
  expect(readdirSync(idleApp.folder).filter((name) => name.includes('sidelite-part'))).toEqual([]);

  // What is being typed is stored before it is saved.
  await grid.cell(0, 'body').click();
  await view.page.keyboard.type('typed');
  await view.page.keyboard.press('Control+s');
  await expect.poll(() => query(source, 'SELECT body FROM note WHERE id = 1')).toEqual([['typed']]);
  await expect(grid.root).toBeFocused();
});

test(
  'a history that cannot keep what a reload replaces says so, and a copy in the library is made instead',
  { tag: '@long' },
  async ({ idleApp }) => {
    const rows = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)';
    const source = makeDatabase(join(idleApp.folder, 'notes.db'), {
      kind: 'sql',
      sql: `${NOTES} ${rows} INSERT INTO note (body) SELECT hex(zeroblob(400)) FROM n;`,
    });
    const view = new AppWindow(await idleApp.start(source));
    const grid = await view.openTable('note');
    await joinWire(view.page);
    await view.page.evaluate(() =>
      window.ask('history.setLimits', { database: '', totalBytes: 4 << 20, stepBytes: 1 << 20 }),
    );
    await grid.edit(0, 'body', 'mine');
    change(source, "UPDATE note SET body = 'theirs' WHERE id = 2");
    await expect(chip(view)).toHaveText('Both changed');
    await view.command('Reload from Source');
    await view.dialog.getByRole('button', { name: 'Reload', exact: true }).click();
    await expect(view.dialog).toContainText('Keep a copy of the current data?');
    await view.dialog.getByRole('button', { name: 'Keep a copy and reload' }).click();
    await expect(grid.cell(1, 'body')).toHaveText('theirs');
    await expect(grid.cell(0, 'body')).toHaveText('one');
    await expect(chip(view)).toHaveText('Source unchanged');
    await view.openFromLibrary('notes before reload');
    await expect((await view.openTable('note')).cell(0, 'body')).toHaveText('mine');
  },
);

test(
  'a file with pages of another size is not taken over, and can still be compared',
  { tag: '@long' },
  async ({ idleApp }) => {
    const source = makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'sql', sql: NOTES });
    const view = new AppWindow(await idleApp.start(source));
    const grid = await view.openTable('note');
    change(source, 'PRAGMA page_size = 8192; VACUUM');
    await expect(chip(view)).toHaveText('Changed on disk');
    await view.command('Reload from Source');
    await view.dialog.getByRole('button', { name: 'Reload', exact: true }).click();
    await expect(view.messages).toContainText('different page size');
    await expect(grid.cell(0, 'body')).toHaveText('one');
    await view.command('Compare with Source');
    await expect(view.dialog).toContainText('This copy and “notes.db” are the same');
    await view.dialog.getByRole('button', { name: 'OK' }).click();
    await expect(chip(view)).toHaveText('Source unchanged');
  },
);

test('a file another program has open is not replaced', { tag: '@long' }, async ({ idleApp }) => {
  const source = makeDatabase(join(idleApp.folder, 'notes.db'), {
    kind: 'sql',
    sql: `PRAGMA journal_mode = WAL; ${NOTES}`,
  });
  const view = new AppWindow(await idleApp.start(source));
  const grid = await view.openTable('note');
  await grid.edit(0, 'body', 'mine');
  await expect(chip(view)).toHaveText('Changed here');
  const other = new Sqlite(source);
  other.prepare('SELECT * FROM note').all();
  await view.page.keyboard.press('Control+s');
  await expect(view.messages).toContainText('Another program has “notes.db” open');
  other.close();
  await view.page.keyboard.press('Control+s');
  await expect(view.messages).toContainText('Saved to');
  expect(query(source, 'SELECT body FROM note WHERE id = 1')).toEqual([['mine']]);
});

test(
  'what is known comes back after a restart; mine is kept until the next change; a missing file is said',
  { tag: '@long' },
  async ({ idleApp }) => {
    const source = makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'sql', sql: NOTES });
    const view = new AppWindow(await idleApp.start(source));
    const grid = await view.openTable('note');
    await grid.edit(0, 'body', 'mine');
    await expect(chip(view)).toHaveText('Changed here');
    await idleApp.quit();
    change(source, 'DELETE FROM tag');

    const again = new AppWindow(await idleApp.start());
    await again.opened('notes');
    await expect(chip(again)).toHaveText('Both changed');
    await expect(chip(again)).toHaveAttribute('data-tone', 'warn');
    await chip(again).click();
    await again.page.getByRole('menuitem', { name: /^Keep mine/ }).click();
    await expect(chip(again)).toHaveAttribute('data-tone', 'calm');
    change(source, 'DELETE FROM note');
    await expect(chip(again)).toHaveAttribute('data-tone', 'warn');
    renameSync(source, `${source}.moved`);
    await expect(chip(again)).toHaveText('Source missing');
    renameSync(`${source}.moved`, source);
    await expect(chip(again)).toHaveText('Both changed');
  },
);

test(
  'where the data lives is said with its WAL and its windows, and Ctrl+S says when there is nothing to do',
  { tag: '@long' },
  async ({ page }) => {
    const view = new AppWindow(page);
    await page.getByRole('button', { name: /New database/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Own');
    await page.keyboard.press('Enter');
    await view.opened('Own');
    await expect(chip(view)).toHaveText('Library only');
    await view.runSql('CREATE TABLE t (a); INSERT INTO t VALUES (1);');
    await view.command('Show Where Changes Are Saved');
    await expect(view.messages).toContainText('Changes are saved to the library immediately');
    await view.command('Where This Data Lives');
    await expect(view.dialog).toContainText('everything is in the file');
    await expect(view.dialog).toContainText('journal mode wal');
    await expect(view.dialog).toContainText('Window 1');
  },
);

test(
  'a file in place is its own source: nothing to compare, and Ctrl+S says that it is saved',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const source = makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'sql', sql: NOTES });
    const view = new AppWindow(await idleApp.start(source));
    const grid = await view.openTable('note');
    await expect(chip(view)).toHaveCount(0);
    await grid.cell(0, 'body').click();
    await view.page.keyboard.type('typed');
    await view.page.keyboard.press('Control+s');
    await expect(view.messages).toContainText('saved to “notes.db” immediately');
    expect(query(source, 'SELECT body FROM note WHERE id = 1')).toEqual([['typed']]);
  },
);

test.describe('on a small disk', () => {
  test.skip(!isRoot, 'only root can mount a disk of a given size');

  test(
    'a save that does not fit leaves the source as it is, and nothing beside it',
    { tag: '@long' },
    async ({ idleApp }) => {
      const disk = join(idleApp.folder, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
      try {
        const source = makeDatabase(join(disk, 'notes.db'), { kind: 'sql', sql: NOTES });
        const view = new AppWindow(await idleApp.start(source));
        await view.opened('notes');
        await view.runSql('INSERT INTO note (body) SELECT hex(randomblob(3000000));');
        await expect(chip(view)).toHaveText('Changed here');
        const before = readFileSync(source);
        await view.command('Save to Source');
        await expect(view.messages).toContainText('The disk is full');
        expect(readFileSync(source).equals(before)).toBe(true);
        expect(readdirSync(disk)).toEqual(['notes.db']);
        expect(existsSync(`${source}.bak`)).toBe(false);
        await expect(chip(view)).toHaveText('Changed here');
        writeFileSync(join(disk, 'free'), '');
        await view.runSql('DELETE FROM note WHERE id > 3; VACUUM;');
        await view.command('Save to Source');
        await expect(view.messages).toContainText('Saved to');
        expect(integrityOf(source)).toBe('ok');
      } finally {
        if (idleApp.running) await idleApp.quit();
        execFileSync('umount', ['-l', disk]);
      }
    },
  );
});
