// Undo and redo on the real app: whatever was done comes back exactly, in every window and after a restart.
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { exported, openMusic, stored } from '../support/music-history.ts';

test(
  'an edit is undone and done again with the keys; the cell stays the one that is worked on',
  { tag: '@long' },
  async ({ anyApp }) => {
    const { view } = await openMusic(anyApp);
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
  },
);

test('a deleted row comes back with all that cascades and triggers did', { tag: '@web-long' }, async ({ anyApp }) => {
  const { view, history } = await openMusic(anyApp);
  const before = await stored(anyApp, view);
  const grid = await view.openTable('artist');
  await grid.click(0, 'id');
  await view.page.keyboard.press('Control+Backspace');
  await expect(view.messages).toContainText('Deleted 1 row of artist');
  const after = await stored(anyApp, view);
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
  expect(await stored(anyApp, view)).toEqual(before);
  await history.redo();
  await expect(history.step(/artist/)).not.toContainText('undone');
  expect(await stored(anyApp, view)).toEqual(after);
});

test(
  'each statement of a script is a step, an explicit transaction is one',
  { tag: ['@web', '@long'] },
  async ({ anyApp }) => {
    const { view, history } = await openMusic(anyApp);
    const before = await stored(anyApp, view);
    await view.runSql(
      `INSERT INTO artist VALUES (4, 'Di');
     BEGIN; UPDATE album SET price = price * 2; DELETE FROM track WHERE album = 12; COMMIT;
     UPDATE artist SET name = upper(name);`,
    );
    const after = await stored(anyApp, view);
    await history.show();
    await expect(history.steps).toHaveCount(1);
    await expect(history.step('Script')).toContainText('3 steps');
    await history.step('Script').getByRole('button', { name: 'Expand' }).click();
    await expect(history.steps).toHaveCount(4);
    await history.choose(/UPDATE album/);
    await expect(history.row('updated', '1.5')).toContainText('3.0');
    await expect(history.row('deleted', 'd')).toHaveCount(1);
    await history.undo();
    await expect(history.step(/UPDATE artist/)).toContainText('undone');
    await history.undo();
    await history.undo();
    await expect(history.bar.getByRole('button', { name: /^Undo/ })).toBeDisabled();
    expect(await stored(anyApp, view)).toEqual(before);
    await history.choose(/Script/);
    await view.page.getByRole('button', { name: 'Redo the whole script' }).click();
    await expect(history.bar.getByRole('button', { name: /^Redo/ })).toBeDisabled();
    expect(await stored(anyApp, view)).toEqual(after);
  },
);

test('a change of the schema is undone and redone as a whole', { tag: ['@web', '@long'] }, async ({ anyApp }) => {
  const { view, history } = await openMusic(anyApp);
  const before = await stored(anyApp, view);
  await view.runSql(
    "CREATE TABLE label (since, name TEXT PRIMARY KEY); INSERT INTO label (name) VALUES ('x'); ALTER TABLE album ADD COLUMN label; DROP TABLE track;",
  );
  const after = await stored(anyApp, view);
  await expect(view.treeItem('label')).toBeVisible();
  await history.show();
  await history.undo();
  await expect(view.treeItem('label')).toHaveCount(0);
  await expect(view.treeItem('track')).toBeVisible();
  expect(await stored(anyApp, view)).toEqual(before);
  await history.redo();
  await expect(view.treeItem('label')).toBeVisible();
  expect(await stored(anyApp, view)).toEqual(after);

  await view.runSql("UPDATE label SET since = 1960; UPDATE label SET name = 'y';");
  await history.show();
  await history.step('Script').getByRole('button', { name: 'Expand' }).click();
  await history.choose(/SET since/);
  // It has the name of that time, not its row id.
  await expect(history.row('updated', '1960').getByRole('rowheader')).toHaveText('x');
});

test(
  'the history is there after a restart, and takes back what was done before it',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const { view } = await openMusic(anyApp);
    const grid = await view.openTable('artist');
    await grid.edit(0, 'name', 'Adele');
    await expect(grid.cell(0, 'name')).toHaveText('Adele');
    await grid.edit(2, 'name', 'Cyd');
    await expect(grid.cell(2, 'name')).toHaveText('Cyd');
    await view.page.keyboard.press('Control+z');
    await expect(grid.cell(2, 'name')).toHaveText('Cy');

    const again = new AppWindow(await anyApp.relaunch());
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
  },
);

test('another window undoes it, is told whose it was, and both see it', { tag: '@long' }, async ({ idleApp }) => {
  const { view } = await openMusic(idleApp);
  const grid = await view.openTable('artist');
  await grid.edit(0, 'name', 'Adele');
  await expect(grid.cell(0, 'name')).toHaveText('Adele');
  const second = await view.secondWindow(idleApp, 'music');
  const theirs = await second.openTable('artist');
  await expect(theirs.cell(0, 'name')).toHaveText('Adele');
  await theirs.click(2, 'id');
  await second.page.keyboard.press('Control+z');
  await expect(second.messages).toContainText('by Window 1');
  await expect(theirs.cell(0, 'name')).toHaveText('Ada');
  await expect(grid.cell(0, 'name')).toHaveText('Ada');
});

test(
  'edits of a full-text table are undone, and searching finds the old words',
  { tag: ['@web', '@long'] },
  async ({ anyApp }) => {
    const { view } = await openMusic(anyApp);
    const grid = await view.openTable('note');
    await grid.edit(0, 'body', 'the slow purple fox');
    await expect(grid.cell(0, 'body')).toHaveText('the slow purple fox');
    await view.page.keyboard.press('Control+z');
    await expect(grid.cell(0, 'body')).toHaveText('the quick brown fox');
    const file = await exported(anyApp, view);
    expect(query(file, "SELECT title FROM note WHERE note MATCH 'quick'")).toEqual([['one']]);
    expect(query(file, "SELECT title FROM note WHERE note MATCH 'purple'")).toEqual([]);
  },
);

test('Undo in a table asks before it undoes what another tab did', async ({ idleApp }) => {
  const { view } = await openMusic(idleApp);
  const artists = await view.openTable('artist');
  await artists.edit(1, 'name', 'Bob');
  await expect(artists.cell(1, 'name')).toHaveText('Bob');
  await view.runSql('CREATE TABLE z1 (a)');
  await view.tabs.filter({ hasText: 'artist' }).click();
  await expect(artists.root).toBeFocused();
  await view.page.keyboard.press('Control+z');
  await expect(view.dialog).toContainText('Undo “CREATE TABLE z1 (a)” from Query 1?');
  await expect(view.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await view.page.keyboard.press('Enter');
  await expect(view.dialog).toHaveCount(0);
  await expect(view.treeItem('z1')).toBeVisible();

  await expect(artists.root).toBeFocused();
  await view.page.keyboard.press('Control+z');
  await view.dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(view.treeItem('z1')).toHaveCount(0);
  await expect(artists.root).toBeFocused();
  await view.page.keyboard.press('Control+z');
  await expect(artists.cell(1, 'name')).toHaveText('Bo');
});

test('Ctrl+Z in a text belongs to the text: SQL editor, filter, cell', async ({ idleApp }) => {
  const { view } = await openMusic(idleApp);
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
    await view.page.getByRole('button', { name: open, exact: true }).click();
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
  // At once: keys with more than half a second between them are undone one after the other.
  await view.page.keyboard.insertText('VALUES (4)');
  await expect(view.editor).toHaveText('VALUES (4)');
  await view.page.keyboard.press('Control+z');
  await expect(view.editor).toContainText('SELECT 3, upper(name)');

  await view.tabs.filter({ hasText: 'artist' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('Adele');
});
