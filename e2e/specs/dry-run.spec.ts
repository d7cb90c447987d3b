// Dry runs on the real app: the exact rows a text would change, then kept or discarded.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { HistoryPage } from '../pages/history-page.ts';
import type { TestedApp } from '../tested-app.ts';

const SHOP = `
  CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE item (id INTEGER PRIMARY KEY, maker INTEGER NOT NULL REFERENCES maker ON DELETE CASCADE, name TEXT, price REAL CHECK (price >= 0));
  CREATE TABLE note (text TEXT);
  CREATE TRIGGER item_gone AFTER DELETE ON item BEGIN INSERT INTO note VALUES ('gone ' || old.name); END;
  INSERT INTO maker VALUES (1, 'Ada'), (2, 'Bo');
  INSERT INTO item VALUES (10, 1, 'ant', 1), (11, 1, 'bee', 2), (12, 2, 'cat', 3);
`;

async function open(app: TestedApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  await view.openTable('item');
  const panel = view.page.getByRole('region', { name: 'Dry run' });
  const dryRun = async (sql: string): Promise<void> => {
    await view.writeSql(sql);
    await view.page.keyboard.press('Control+Alt+Shift+Enter');
  };
  return { view, panel, dryRun, rows: new HistoryPage(view.page) };
}

test('cascades and triggers are shown, discarded without a trace, then kept and undone', async ({ anyApp }) => {
  const { view, panel, dryRun, rows } = await open(anyApp);
  const grid = view.grid('Rows of item');
  await dryRun(
    "DELETE FROM maker WHERE id = 1; UPDATE item SET price = price + 1; INSERT INTO maker VALUES (3, 'Cy');",
  );
  await expect(panel).toContainText('Would insert 3, change 1 and delete 3 rows in 3 tables');
  await expect(rows.row('deleted', 'bee')).toHaveCount(1);
  await expect(rows.row('inserted', 'gone ant')).toHaveCount(1);
  await expect(rows.row('updated', '12')).toContainText('4.0');
  await panel.getByRole('button', { name: 'Discard' }).click();
  await expect(panel).toHaveCount(0);
  await expect(view.messages).toContainText('Nothing was changed.');
  await expect(view.editor).toBeFocused();
  await view.tabs.filter({ hasText: 'item' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('ant');
  await expect(grid.cell(2, 'price')).toHaveText('3.0');

  await view.tabs.filter({ hasText: 'Query' }).click();
  await view.editor.click();
  await view.page.keyboard.press('Control+Alt+Shift+Enter');
  await panel.getByRole('button', { name: 'Keep' }).click();
  await expect(view.messages).toContainText('The changes were kept.');
  await view.tabs.filter({ hasText: 'item' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('cat');
  await expect(grid.cell(0, 'price')).toHaveText('4.0');
  await grid.click(0, 'name');
  await view.page.keyboard.press('Control+z');
  await expect(view.dialog).toContainText('from Query 1?');
  await view.dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('ant');
  await expect(grid.cell(2, 'price')).toHaveText('3.0');
});

test(
  'a text that fails is said where runs say it, marked in the editor, and leaves nothing',
  { tag: ['@web', '@long'] },
  async ({ anyApp }) => {
    const { view, panel, dryRun } = await open(anyApp);
    const grid = view.grid('Rows of item');
    await dryRun('UPDATE item SET price = 9; UPDATE item SET price = -1; SELECT 1;');
    const failure = view.page.getByRole('list', { name: 'Messages' }).getByRole('alert');
    await expect(failure).toContainText('price >= 0');
    await expect(failure).toContainText('nothing was changed');
    await expect(panel).toHaveCount(0);
    await expect(view.messages).toBeEmpty();
    await expect(view.page.locator('.cm-lintRange-error, .cm-problem, .cm-lint-marker-error').first()).toBeVisible();
    await failure.getByRole('button', { name: 'Go to error' }).click();
    await expect(view.editor).toBeFocused();

    await dryRun('BEGIN; DELETE FROM item; COMMIT');
    await expect(failure).toContainText('BEGIN cannot be part of a dry run');
    await view.tabs.filter({ hasText: 'item' }).click();
    await expect(grid.cell(0, 'price')).toHaveText('1.0');
  },
);

test(
  'while it is undecided nothing else writes, and closing its tab takes it back',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, panel, dryRun } = await open(idleApp);
    await dryRun('DELETE FROM item');
    await expect(panel).toContainText('delete 3 rows');
    // Neither does its own window: what is discarded is what was listed, and no more.
    const ours = await view.openTable('maker');
    await ours.edit(0, 'name', 'Adele');
    await expect(view.page.getByText(/waiting in this window to be kept or discarded/).first()).toBeVisible();
    await view.page.getByRole('button', { name: 'Show the changes' }).click();
    await expect(panel).toContainText('delete 3 rows');
    await view.tabs.filter({ hasText: 'maker' }).click();
    await view.page.keyboard.press('Control+t');
    await expect(view.page.getByText(/\d changes? to keep or discard/)).toBeVisible();
    await expect(view.page.getByRole('button', { name: 'Roll back' })).toHaveCount(0);
    await view.tabs.filter({ hasText: 'Query 1' }).click();
    const second = await view.secondWindow(idleApp, 'shop');
    const theirs = await second.openTable('maker');
    await theirs.edit(0, 'name', 'Adele');
    await expect(second.page.getByText(/Window 1/).first()).toBeVisible();
    await view.page.bringToFront();
    await view.page.keyboard.press('Control+w');
    await view.dialog.getByRole('button', { name: 'Discard and close' }).click();
    await expect(view.messages).toContainText('Nothing was changed.');
    await second.page.keyboard.press('Escape');
    await theirs.edit(0, 'name', 'Adele');
    await expect(theirs.cell(0, 'name')).toHaveText('Adele');
    const items = await second.openTable('item');
    await expect(items.cell(2, 'name')).toHaveText('cat');
  },
);
