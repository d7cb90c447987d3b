// Undo, redo and the history on the real app: whatever was done comes back exactly, and what cannot is asked about first.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { applySql, contentsOf, integrityOf, query } from '../pages/compare.ts';
import type { Contents } from '../pages/compare.ts';
import { HistoryPage } from '../pages/history-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { joinWire } from '../wire-in-page.ts';

const MUSIC = `
  CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE album (id INTEGER PRIMARY KEY, artist INTEGER NOT NULL REFERENCES artist ON DELETE CASCADE, title TEXT, price REAL);
  CREATE TABLE track (album INTEGER REFERENCES album ON DELETE CASCADE, number INTEGER, name TEXT, PRIMARY KEY (album, number)) WITHOUT ROWID;
  CREATE TABLE gone (what TEXT);
  CREATE TRIGGER album_gone AFTER DELETE ON album BEGIN INSERT INTO gone VALUES ('album ' || old.title); END;
  CREATE TRIGGER track_gone AFTER DELETE ON track BEGIN INSERT INTO gone VALUES ('track ' || old.name); END;
  INSERT INTO artist VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
  INSERT INTO album VALUES (10, 1, 'First', 1.5), (11, 1, 'Second', 2.5), (12, 2, 'Third', 3.5);
  INSERT INTO track VALUES (10, 1, 'a'), (10, 2, 'b'), (11, 1, 'c'), (12, 1, 'd');
  CREATE VIRTUAL TABLE note USING fts5(title, body);
  INSERT INTO note VALUES ('one', 'the quick brown fox'), ('two', 'a lazy dog');
`;

async function open(app: SideliteApp, name = 'music'): Promise<{ view: AppWindow; history: HistoryPage }> {
  const view = new AppWindow(await app.start(musicFile(app, name)));
  await view.opened(name);
  return { view, history: new HistoryPage(view.page) };
}

const musicFile = (app: SideliteApp, name: string): string =>
  makeDatabase(join(app.folder, `${name}.db`), { kind: 'sql', sql: MUSIC });

let exports = 0;

/** Everything in the database as another SQLite reads it, which finds it sound. */
async function stored(app: SideliteApp, view: AppWindow): Promise<Contents> {
  return contentsOf(await exported(app, view));
}

async function exported(app: SideliteApp, view: AppWindow): Promise<string> {
  const name = `export-${++exports}.db`;
  await app.answerSaveDialog(join(app.folder, name));
  await view.command('Export to File');
  await expect(view.messages).toContainText(name);
  const file = join(app.folder, name);
  expect(integrityOf(file)).toBe('ok');
  return file;
}

test('an edit is undone and done again with the keys; the cell stays the one that is worked on', async ({
  idleApp,
}) => {
  const { view } = await open(idleApp);
  const grid = await view.openTable('artist');
  await grid.edit(1, 'name', 'Bob');
  await expect(grid.cell(1, 'name')).toHaveText('Bob');
  await view.page.keyboard.press('Control+z');
  await expect(grid.cell(1, 'name')).toHaveText('Bo');
  await expect(view.messages).toContainText(/Undid: .*artist, 1 row/);
  await expect(grid.root).toBeFocused();
  await expect(grid.cell(1, 'name')).toHaveAttribute('aria-selected', 'true');
  await view.page.keyboard.press('Control+Home');
  await view.page.keyboard.press('Control+Shift+z');
  await expect(grid.cell(1, 'name')).toHaveAttribute('aria-selected', 'true');
  await expect(grid.cell(1, 'name')).toHaveText('Bob');
  await view.page.keyboard.press('Control+z');
  await expect(grid.cell(1, 'name')).toHaveText('Bo');
  await view.page.keyboard.press('Control+y');
  await expect(grid.cell(1, 'name')).toHaveText('Bob');
  await view.page.keyboard.press('Control+z');
  await view.page.keyboard.press('Control+z');
  await expect(view.messages).toContainText('There is nothing to undo');
  await expect(grid.cell(1, 'name')).toHaveText('Bo');
});

test('a deleted row comes back with all that cascades and triggers did', async ({ idleApp }) => {
  const { view, history } = await open(idleApp);
  const before = await stored(idleApp, view);
  const grid = await view.openTable('artist');
  await grid.click(0, 'id');
  await view.page.keyboard.press('Control+Backspace');
  await expect(view.messages).toContainText('Deleted 1 row of artist');
  const after = await stored(idleApp, view);
  expect(after.tables['album']).toHaveLength(1);
  expect(after.tables['gone']).toHaveLength(5);

  await history.show();
  const details = await history.choose(/artist/);
  await expect(history.row('deleted', 'Ada')).toHaveCount(1);
  await expect(history.row('deleted', 'Second')).toHaveCount(1);
  await expect(history.row('inserted', 'track c')).toHaveCount(1);
  await expect(history.rows.locator('[role=row]').filter({ hasNot: view.page.locator('.diff-mark') })).toHaveCount(4);
  await details.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(history.step(/artist/)).toContainText('undone');
  expect(await stored(idleApp, view)).toEqual(before);
  await history.redo();
  await expect(history.step(/artist/)).not.toContainText('undone');
  expect(await stored(idleApp, view)).toEqual(after);
});

test('each statement of a script is a step, an explicit transaction is one', async ({ idleApp }) => {
  const { view, history } = await open(idleApp);
  const before = await stored(idleApp, view);
  await view.runSql(
    `INSERT INTO artist VALUES (4, 'Di');
     BEGIN; UPDATE album SET price = price * 2; DELETE FROM track WHERE album = 12; COMMIT;
     UPDATE artist SET name = upper(name);`,
  );
  const after = await stored(idleApp, view);
  await history.show();
  await expect(history.steps).toHaveCount(1);
  await expect(history.step('Script')).toContainText('3 steps');
  await history.step('Script').getByRole('button', { name: 'Unfold' }).click();
  await expect(history.steps).toHaveCount(4);
  await history.choose(/UPDATE album/);
  await expect(history.row('updated', '1.5')).toContainText('3.0');
  await expect(history.row('deleted', 'd')).toHaveCount(1);
  await history.undo();
  await expect(history.step(/UPDATE artist/)).toContainText('undone');
  await history.undo();
  await history.undo();
  await expect(history.bar.getByRole('button', { name: /^Undo/ })).toBeDisabled();
  expect(await stored(idleApp, view)).toEqual(before);
  await history.choose(/Script/);
  await view.page.getByRole('button', { name: 'Redo all of it' }).click();
  await expect(history.bar.getByRole('button', { name: /^Redo/ })).toBeDisabled();
  expect(await stored(idleApp, view)).toEqual(after);
});

test('a change of the schema is undone and redone as a whole', async ({ idleApp }) => {
  const { view, history } = await open(idleApp);
  const before = await stored(idleApp, view);
  await view.runSql(
    "CREATE TABLE label (id INTEGER PRIMARY KEY, name); INSERT INTO label (name) VALUES ('x'); ALTER TABLE album ADD COLUMN label; DROP TABLE track;",
  );
  const after = await stored(idleApp, view);
  await expect(view.treeItem('label')).toBeVisible();
  await history.show();
  await history.undo();
  await expect(view.treeItem('label')).toHaveCount(0);
  await expect(view.treeItem('track')).toBeVisible();
  expect(await stored(idleApp, view)).toEqual(before);
  await history.redo();
  await expect(view.treeItem('label')).toBeVisible();
  expect(await stored(idleApp, view)).toEqual(after);
});

test('the history is there after a restart, and takes back what was done before it', async ({ idleApp }) => {
  const { view } = await open(idleApp);
  const grid = await view.openTable('artist');
  await grid.edit(0, 'name', 'Adele');
  await expect(grid.cell(0, 'name')).toHaveText('Adele');
  await grid.edit(2, 'name', 'Cyd');
  await expect(grid.cell(2, 'name')).toHaveText('Cyd');
  await view.page.keyboard.press('Control+z');
  await expect(grid.cell(2, 'name')).toHaveText('Cy');

  const again = new AppWindow(await idleApp.relaunch());
  await again.opened('music');
  const same = again.grid('Rows of artist');
  await expect(same.cell(0, 'name')).toHaveText('Adele');
  await same.click(0, 'id');
  await again.page.keyboard.press('Control+Shift+z');
  await expect(same.cell(2, 'name')).toHaveText('Cyd');
  await again.page.keyboard.press('Control+z');
  await expect(same.cell(2, 'name')).toHaveText('Cy');
  await again.page.keyboard.press('Control+z');
  await expect(same.cell(0, 'name')).toHaveText('Ada');
  const history = new HistoryPage(again.page);
  await history.show();
  await expect(history.steps).toHaveCount(2);
});

test('another window undoes it, is told whose it was, and both see it', async ({ idleApp }) => {
  const { view } = await open(idleApp);
  const grid = await view.openTable('artist');
  await grid.edit(0, 'name', 'Adele');
  await expect(grid.cell(0, 'name')).toHaveText('Adele');
  const second = await view.secondWindow(idleApp, 'music');
  const theirs = await second.openTable('artist');
  await expect(theirs.cell(0, 'name')).toHaveText('Adele');
  await theirs.click(2, 'id');
  await second.page.keyboard.press('Control+z');
  await expect(theirs.cell(0, 'name')).toHaveText('Ada');
  await expect(grid.cell(0, 'name')).toHaveText('Ada');
  await expect(second.messages).toContainText('by Window 1');
});

test('an older step alone is taken back; for rows that changed since the person decides', async ({ idleApp }) => {
  const { view, history } = await open(idleApp);
  await view.runSql("UPDATE album SET title = title || '!', price = price + 1");
  const grid = await view.openTable('album');
  await grid.edit(0, 'title', 'Mine A');
  await expect(grid.cell(0, 'title')).toHaveText('Mine A');
  await grid.edit(1, 'title', 'Mine B');
  await expect(grid.cell(1, 'title')).toHaveText('Mine B');

  await history.show();
  const details = await history.choose(/UPDATE album/);
  await details.getByRole('button', { name: 'Undo only this step' }).click();
  await expect(view.dialog).toContainText('2 rows changed since');
  await expect(view.dialog.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await view.page.keyboard.press('Escape');
  await expect(view.messages).toContainText('Nothing was changed.');

  await details.getByRole('button', { name: 'Undo only this step' }).click();
  await expect(view.dialog.getByRole('option')).toHaveCount(2);
  // ← keeps mine and goes on to the next row, → takes theirs.
  await view.page.keyboard.press('ArrowLeft');
  await view.page.keyboard.press('ArrowDown');
  await view.page.keyboard.press('ArrowRight');
  await expect(view.dialog).toContainText('Everything is decided');
  await view.page.keyboard.press('Enter');
  await expect(view.messages).toContainText(/Undid only: UPDATE album.*2 rows changed, 1 row left/);
  await view.tabs.filter({ hasText: 'album' }).click();
  await expect(grid.cell(0, 'title')).toHaveText('Mine A');
  await expect(grid.cell(0, 'price')).toHaveText('2.5');
  await expect(grid.cell(1, 'title')).toHaveText('Second');
  await expect(grid.cell(1, 'price')).toHaveText('2.5');
  await expect(grid.cell(2, 'title')).toHaveText('Third');
  await grid.click(0, 'id');
  await view.page.keyboard.press('Control+z');
  await expect(grid.cell(1, 'title')).toHaveText('Mine B');
  await expect(grid.cell(2, 'title')).toHaveText('Third!');
});

test('a row that is gone is left out of what is taken back, and nothing is asked about it', async ({ idleApp }) => {
  const { view, history } = await open(idleApp);
  await view.runSql("UPDATE artist SET name = name || '!'");
  await view.runSql("DELETE FROM artist WHERE id = 3; UPDATE artist SET name = 'mine' WHERE id = 2;");
  await history.show();
  const details = await history.choose(/UPDATE artist SET name = name/);
  await details.getByRole('button', { name: 'Undo only this step' }).click();
  await expect(view.dialog.getByRole('option')).toHaveCount(2);
  await expect(view.dialog).toContainText('1 row to decide');
  await view.dialog.getByRole('option', { name: /Left out/ }).click();
  await expect(view.dialog).toContainText('there is no row any more that could be changed');
  await expect(view.dialog.getByRole('radio')).toHaveCount(0);
  await view.dialog.getByRole('button', { name: 'Take theirs for all' }).click();
  await view.dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(view.messages).toContainText(/2 rows changed, 1 row left/);
});

test('a step is saved as a patch and applied to another database', async ({ idleApp }) => {
  const { view, history } = await open(idleApp);
  await view.runSql("BEGIN; UPDATE artist SET name = 'Zoe' WHERE id = 1; DELETE FROM album WHERE id = 12; COMMIT");
  const wanted = await stored(idleApp, view);
  await history.show();
  const details = await history.choose(/album|artist/);
  const save = async (entry: RegExp, name: string): Promise<string> => {
    await idleApp.answerSaveDialog(join(idleApp.folder, name));
    await details.getByRole('button', { name: /Save as patch/ }).click();
    await view.page.getByRole('menuitem', { name: entry }).click();
    await expect(view.messages).toContainText(`was saved to ${name}`);
    await expect(view.messages).toContainText('not in the patch: the table has no primary key');
    return join(idleApp.folder, name);
  };
  const changeset = await save(/Changeset/, 'step.changeset');
  const sql = await save(/SQL/, 'step.sql');

  await view.openFile(idleApp, musicFile(idleApp, 'other'));
  await view.opened('other');
  await idleApp.answerOpenDialog(changeset);
  await view.command('Apply Patch');
  await expect(view.messages).toContainText('Applied step.changeset');
  // “gone” has no primary key, so a changeset cannot name its rows: that was said when it was saved.
  const got = await stored(idleApp, view);
  expect({ ...got.tables, gone: null }).toEqual({ ...wanted.tables, gone: null });
  // In SQL what triggers did is written out: where they are, they are switched off for it.
  const untriggered = `${MUSIC}; DROP TRIGGER album_gone; DROP TRIGGER track_gone;`;
  const target = makeDatabase(join(idleApp.folder, 'by-sql.db'), { kind: 'sql', sql: untriggered });
  applySql(target, sql);
  for (const table of ['artist', 'album', 'track', 'gone'])
    expect(contentsOf(target).tables[table]).toEqual(wanted.tables[table]);

  // What is no patch is refused in words.
  await idleApp.answerOpenDialog(sql);
  await view.command('Apply Patch');
  await expect(view.messages).toContainText(/step\.sql|not a changeset|no patch/i);
});

test('edits of a full-text table are undone, and searching finds the old words', async ({ idleApp }) => {
  const { view } = await open(idleApp);
  const grid = await view.openTable('note');
  await grid.edit(0, 'body', 'the slow purple fox');
  await expect(grid.cell(0, 'body')).toHaveText('the slow purple fox');
  await view.page.keyboard.press('Control+z');
  await expect(grid.cell(0, 'body')).toHaveText('the quick brown fox');
  const file = await exported(idleApp, view);
  expect(query(file, "SELECT title FROM note WHERE note MATCH 'quick'")).toEqual([['one']]);
  expect(query(file, "SELECT title FROM note WHERE note MATCH 'purple'")).toEqual([]);
});

test('what could not be undone is asked about before it runs', async ({ idleApp }) => {
  const { view, history } = await open(idleApp);
  await joinWire(view.page);
  await view.page.evaluate(() =>
    window.ask('history.setLimits', { database: '', totalBytes: 4 << 20, stepBytes: 1 << 20 }),
  );
  await view.runSql("UPDATE artist SET name = 'Cyd' WHERE id = 3");
  await view.runSql(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) INSERT INTO gone SELECT hex(zeroblob(400)) FROM n',
  );
  await view.writeSql("DELETE FROM gone; UPDATE artist SET name = 'x' WHERE id = 1");
  await view.page.keyboard.press('F5');
  await expect(view.dialog).toContainText('Run without undo?');
  await view.page.keyboard.press('Escape');
  await expect(view.page.getByRole('list', { name: 'Messages' }).getByRole('alert')).toBeVisible();
  await expect(view.editor).toBeFocused();
  expect((await stored(idleApp, view)).tables['gone']).toHaveLength(3000);

  await view.editor.click();
  await view.page.keyboard.press('F5');
  await view.dialog.getByRole('button', { name: 'Run without undo' }).click();
  await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText('2 statements');
  await history.show();
  await expect(history.step(/DELETE FROM gone/)).toContainText('not recorded');

  // What lies below is not reached by undoing step by step, and that is said before it is tried.
  const undo = history.bar.getByRole('button', { name: /^Undo/ });
  const below = await history.choose(/Cyd/);
  const back = below.getByRole('button', { name: 'Undo back to here' });
  await expect(back).toBeDisabled();
  await expect(back).toHaveAccessibleDescription(/Undo ends at “DELETE FROM gone”.*larger than/);
  await expect(undo).toBeDisabled();
  await expect(undo).toHaveAccessibleDescription(/DELETE FROM gone/);
  await expect(below.getByRole('button', { name: 'Undo only this step' })).toBeEnabled();
  await view.writeSql('ALTER TABLE artist RENAME TO singer');
  await view.page.keyboard.press('F5');
  await view.dialog.getByRole('button', { name: 'Run without undo' }).click();
  await history.show();
  await history.choose(/Cyd/);
  const only = below.getByRole('button', { name: 'Undo only this step' });
  await expect(only).toBeDisabled();
  await expect(only).toHaveAccessibleDescription(/“artist” as it was: it is not there any more/);
});

test('Ctrl+Z in a text belongs to the text: SQL editor, filter, cell', async ({ idleApp }) => {
  const { view } = await open(idleApp);
  const grid = await view.openTable('artist');
  await grid.edit(0, 'name', 'Adele');
  await expect(grid.cell(0, 'name')).toHaveText('Adele');

  await grid.click(1, 'name');
  await view.page.keyboard.press('F2');
  await view.page.keyboard.type('by');
  await view.page.keyboard.press('Control+z');
  await expect(grid.editor.getByRole('textbox')).not.toHaveValue('Boby');
  await view.page.keyboard.press('Escape');

  for (const [open, name] of [
    ['filter', 'Value'],
    ['WHERE…', 'WHERE condition'],
  ] as const) {
    await view.page.getByRole('button', { name: open }).click();
    const field = view.page.getByRole('textbox', { name });
    await expect(field).toBeFocused();
    await view.page.keyboard.type('zz');
    await view.page.keyboard.press('Control+z');
    await expect(field).not.toHaveValue('zz');
    await expect(field).toBeFocused();
    await view.page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
    await expect(grid.cell(0, 'name')).toHaveText('Adele');
  }

  const search = view.page.getByRole('searchbox', { name: /Find table/ });
  await search.click();
  await view.page.keyboard.type('alb');
  await view.page.keyboard.press('Control+z');
  await expect(search).not.toHaveValue('alb');

  await view.page.keyboard.press('Control+t');
  await expect(view.editor).toBeFocused();
  await view.page.keyboard.type('SELECT 1');
  await view.page.keyboard.press('Control+z');
  await expect(view.editor).not.toContainText('SELECT 1');
  // The menu decides as the key does.
  await view.page.keyboard.type('SELECT 2');
  await idleApp.menu('history.undo');
  await expect(view.editor).not.toContainText('SELECT 2');
  await view.page.keyboard.type('SELECT 3, upper(name)');
  await view.page.keyboard.press('Control+a');
  await view.page.keyboard.type('VALUES (4)');
  await expect(view.editor).toHaveText('VALUES (4)');
  await view.page.keyboard.press('Control+z');
  await expect(view.editor).toContainText('SELECT 3, upper(name)');

  await view.tabs.filter({ hasText: 'artist' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('Adele');
});
