// A library copy and its source that both changed: merged row by row, conflicts decided by the user, undone, saved.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';
import { integrityOf, query } from '../support/compare-results.ts';

const NOTES = `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, stars INTEGER);
  CREATE TABLE tag (name TEXT PRIMARY KEY, used INTEGER) WITHOUT ROWID;
  INSERT INTO note VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3), (4, 'four', 4);
  INSERT INTO tag VALUES ('a', 1), ('b', 2);`;

const chip = (view: AppWindow): Locator => view.status.getByRole('button', { name: /^Source: / });
const rows = (view: AppWindow): Locator => view.dialog.getByRole('listbox', { name: 'Rows to decide' });

function change(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}

test('both sides changed: merged, one row decided, saved without a question, undone', async ({ idleApp }) => {
  const source = makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'sql', sql: NOTES });
  const view = new AppWindow(await idleApp.start(source));
  const grid = await view.openTable('note');
  await grid.edit(0, 'body', 'mine');
  await grid.edit(1, 'body', 'mine too');
  change(
    source,
    "UPDATE note SET body = 'theirs', stars = 5 WHERE id = 2; UPDATE note SET stars = 9 WHERE id = 3; DELETE FROM note WHERE id = 4; INSERT INTO tag VALUES ('c', 3)",
  );
  await expect(chip(view)).toHaveText('Both changed');
  await view.command('Merge from Source');
  await expect(view.dialog).toContainText('Merge “notes.db” into “notes”');
  await expect(view.dialog).toContainText(
    '3 rows that only the file changed are taken over (1 new, 1 changed, 1 deleted).',
  );
  await expect(view.dialog).toContainText('1 row that only you changed stays as it is.');
  await expect(rows(view).getByRole('option')).toHaveText([/note 2.*changed on both sides.*Undecided/]);
  await expect(view.dialog.getByRole('row', { name: /^body/ })).toHaveText('bodytwomine tootheirs');
  await expect(view.dialog).toContainText('1 row to decide');
  await expect(rows(view)).toBeFocused();
  await view.page.keyboard.press('ArrowRight');
  await expect(view.dialog).toContainText('Everything is decided');
  await view.page.keyboard.press('Enter');
  await expect(view.messages).toContainText('Merged “notes.db”: 4 rows changed here.');
  // A message stays while the pointer is on it.
  await view.messages.getByRole('button', { name: 'Undo' }).hover();
  await expect(grid.cell(0, 'body')).toHaveText('mine');
  await expect(grid.cell(1, 'body')).toHaveText('theirs');
  await expect(grid.cell(2, 'stars')).toHaveText('9');
  await expect(chip(view)).toHaveText('Changed here');

  await view.messages.getByRole('button', { name: 'Undo' }).click();
  await expect(grid.cell(1, 'body')).toHaveText('mine too');
  await expect(chip(view)).toHaveText('Both changed');
  await grid.cell(0, 'body').click();
  await view.page.keyboard.press('Control+Shift+z');
  await expect(grid.cell(1, 'body')).toHaveText('theirs');
  await expect(chip(view)).toHaveText('Changed here');

  await view.page.keyboard.press('Control+s');
  await expect(view.messages).toContainText('Saved to');
  await expect(chip(view)).toHaveText('Source unchanged');
  expect(query(source, 'SELECT id, body, stars FROM note')).toEqual([
    [1, 'mine', 1],
    [2, 'theirs', 5],
    [3, 'three', 9],
  ]);
  expect(integrityOf(source)).toBe('ok');
});

test(
  'without a history every row that differs is asked about, for tables at once',
  { tag: '@long' },
  async ({ idleApp }) => {
    const source = makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'sql', sql: NOTES });
    const view = new AppWindow(await idleApp.start(source));
    const grid = await view.openTable('note');
    await grid.edit(0, 'body', 'mine');
    await view.command('Clear History');
    await view.dialog.getByRole('button', { name: 'Clear history' }).click();
    await expect(view.messages).toContainText('The history was cleared');
    change(
      source,
      "UPDATE note SET body = 'theirs' WHERE id = 2; INSERT INTO tag VALUES ('c', 3); DELETE FROM tag WHERE name = 'a'",
    );
    await expect(chip(view)).toHaveText('Both changed');
    await chip(view).click();
    await view.page.getByRole('menuitem', { name: /^Merge from source/ }).click();
    await expect(view.dialog).toContainText('The history of this copy does not reach back to when both were the same.');
    await expect(view.dialog).toContainText('4 rows to decide');
    await view.dialog.getByRole('combobox', { name: 'Rows to decide' }).selectOption('tag');
    await view.dialog.getByRole('button', { name: 'Take theirs' }).click();
    await expect(view.dialog).toContainText('2 rows to decide');
    await rows(view).focus();
    await expect(rows(view).getByRole('option').first()).toContainText('Undecided');
    await view.page.keyboard.press('ArrowLeft');
    await view.page.keyboard.press('ArrowRight');
    await view.dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await expect(view.messages).toContainText('3 rows changed here');
    await expect(chip(view)).toHaveText('Changed here');
    await view.page.keyboard.press('Control+s');
    await expect(view.messages).toContainText('Saved to');
    expect(query(source, 'SELECT body FROM note')).toEqual([['mine'], ['theirs'], ['three'], ['four']]);
    expect(query(source, 'SELECT name FROM tag')).toEqual([['b'], ['c']]);
  },
);

test(
  'what cannot be as both want it is asked about, and the save that would overwrite offers to merge',
  { tag: '@long' },
  async ({ idleApp }) => {
    const source = makeDatabase(join(idleApp.folder, 'users.db'), {
      kind: 'sql',
      sql: "CREATE TABLE user (id INTEGER PRIMARY KEY, email TEXT UNIQUE); INSERT INTO user VALUES (1, 'a@x')",
    });
    const view = new AppWindow(await idleApp.start(source));
    await view.openTable('user');
    await view.runSql("INSERT INTO user VALUES (2, 'new@x');");
    change(source, "INSERT INTO user VALUES (3, 'new@x')");
    await expect(chip(view)).toHaveText('Both changed');
    await view.command('Save to Source');
    await view.dialog.getByRole('button', { name: 'Merge first…' }).click();
    await view.dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await expect(rows(view).getByRole('option')).toHaveText([/user 3.*already has this.*email.*Undecided/]);
    await expect(rows(view)).toBeFocused();
    await view.page.keyboard.press('ArrowLeft');
    await expect(view.dialog).toContainText('Everything is decided');
    await view.page.keyboard.press('Enter');
    await expect(view.messages).toContainText('nothing needed to change here');
    await view.command('Save to Source');
    await expect(view.messages).toContainText('Saved to');
    expect(query(source, 'SELECT * FROM user')).toEqual([
      [1, 'a@x'],
      [2, 'new@x'],
    ]);
  },
);

test('tens of thousands of rows that differ: stopped, then planned and done', { tag: '@long' }, async ({ idleApp }) => {
  test.setTimeout(180_000);
  const rows = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000)';
  const source = makeDatabase(join(idleApp.folder, 'large.db'), {
    kind: 'sql',
    sql: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); ${rows} INSERT INTO t SELECT i, 'row ' || i FROM n;`,
  });
  const view = new AppWindow(await idleApp.start(source));
  const grid = await view.openTable('t');
  await view.runSql("UPDATE t SET v = 'mine ' || id WHERE id % 3 = 0;");
  change(source, "UPDATE t SET v = 'theirs ' || id WHERE id % 3 = 1 OR id % 30 = 0; DELETE FROM t WHERE id % 30 = 2");
  await expect(chip(view)).toHaveText('Both changed');
  const letGo = await holdBack(view.page, 'source.merge');
  await view.command('Merge from Source');
  const job = view.page.getByRole('region', { name: /^Comparing large with/ });
  await job.getByRole('button', { name: 'Cancel' }).click();
  await letGo();
  await expect(job).toHaveCount(0, { timeout: 30_000 });
  await expect(view.dialog).toHaveCount(0);
  await view.command('Merge from Source');
  await expect(view.dialog).toContainText('22,000 rows that only the file changed', { timeout: 90_000 });
  await expect(view.dialog).toContainText('2,000 rows to decide');
  await view.dialog.getByRole('button', { name: 'Take theirs' }).click();
  await view.dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(view.messages).toContainText('24,000 rows changed here', { timeout: 90_000 });
  await view.openTable('t');
  await expect(grid.cell(0, 'v')).toHaveText('theirs 1');
  await expect(chip(view)).toHaveText('Changed here');
});
