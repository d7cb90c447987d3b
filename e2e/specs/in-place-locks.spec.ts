// Files in place that another program has locked are waited for.
import Sqlite from 'better-sqlite3';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import { makeShop, openShop } from '../support/shop-in-place.ts';

test('a file that another program has locked is waited for, with Stop, and goes on by itself', async ({ idleApp }) => {
  const { file, other, view, grid } = await openShop(idleApp);
  other.exec('BEGIN IMMEDIATE');
  await grid.edit(0, 'name', 'emu');
  await expect(view.status).toContainText(/Waiting for node, process \d+/);
  await view.status.getByRole('button', { name: 'Stop' }).click();
  await expect(view.page.getByText('Stopped while waiting for').first()).toBeVisible();
  expect(query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['ant']]);
  await view.page.keyboard.press('Enter');
  await expect(view.status).toContainText('Waiting for');
  other.exec("INSERT INTO item (name) VALUES ('theirs'); COMMIT");
  await expect
    .poll(() => query(file, 'SELECT name FROM item WHERE id IN (1, 4) ORDER BY id'))
    .toEqual([['emu'], ['theirs']]);
  await expect(view.status).not.toContainText('Waiting for');
  other.close();
});

test(
  'opening a file that is locked for reading too waits for the other program',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const file = makeShop(idleApp);
    const other = new Sqlite(file);
    other.exec('BEGIN EXCLUSIVE');
    const view = new AppWindow(await idleApp.start());
    await view.openFile(idleApp, file);
    await expect(view.status).toContainText(/Waiting for .+, process \d+/);
    await view.status.getByRole('button', { name: 'Stop' }).click();
    await expect(view.status).not.toContainText('Waiting for');
    await view.openFile(idleApp, file);
    await expect(view.status).toContainText('Waiting for');
    other.exec('COMMIT');
    await view.opened('shop.db');
    other.close();
  },
);

test(
  'a transaction button that waits for another program is stopped, and the transaction is as before',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { file, other, view } = await openShop(idleApp, 'delete');
    await view.runSql('SELECT 1');
    const bar = view.page.getByRole('toolbar', { name: 'Query' });
    await bar.getByRole('button', { name: 'Begin' }).click();
    // This tab runs nothing else in the meantime.
    await expect(bar.getByRole('button', { name: 'Commit' })).toBeEnabled();
    await view.editor.fill("UPDATE item SET name = 'emu' WHERE id = 1");
    await view.page.keyboard.press('F5');
    await expect(bar).toContainText('1 change pending');
    // A reader keeps the commit out.
    other.exec('BEGIN; SELECT * FROM item');
    await bar.getByRole('button', { name: 'Commit' }).click();
    await expect(view.status).toContainText('Waiting for');
    await bar.getByRole('button', { name: 'Stop' }).click();
    await expect(view.page.getByText('Stopped').first()).toBeVisible();
    await expect(bar).toContainText('1 change pending');
    other.exec('COMMIT');
    await bar.getByRole('button', { name: 'Commit' }).click();
    await expect(bar.getByRole('button', { name: 'Begin' })).toBeVisible();
    expect(query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['emu']]);
    other.close();
  },
);
