// Checks of databases too large to be looked at in one go: damage is found, a sound one passes, and others work on meanwhile.
import { join } from 'node:path';
import { corruptPages } from '../data/damaged.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const ROWS = 1_000_000;

test('damage in a large file is found while it is imported', async ({ app, page }) => {
  const file = makeDatabase(join(app.folder, 'hurt.db'), { kind: 'big', rows: ROWS });
  corruptPages(file, 3, 5);
  const view = new AppWindow(page);
  await view.openFile(app, file);
  await expect(view.dialog).toContainText('is damaged', { timeout: 30_000 });
});

test('a large database passes, and says how far its check is', async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'big.db'), { kind: 'big', rows: ROWS });
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('big');
  await view.command('Check Integrity');
  const card = view.page.getByRole('region', { name: 'Checking big' });
  await expect(card).toContainText(/Checking · [\d.]+ .B of/);
  await expect(view.messages).toContainText('is intact', { timeout: 30_000 });
});

test('while a large database is checked, its rows are read, and what is written waits until the end', async ({
  idleApp,
}) => {
  // Large enough that a quick machine is not done with it before it is looked at.
  const last = 3 * ROWS - 1;
  const file = makeDatabase(join(idleApp.folder, 'big.db'), { kind: 'big', rows: 3 * ROWS });
  const view = new AppWindow(await idleApp.start(file));
  const grid = await view.openTable('big');
  await view.command('Check Integrity');
  const card = view.page.getByRole('region', { name: 'Checking big' });
  await expect(card).toBeVisible();
  await grid.click(0, 'name');
  await view.page.keyboard.press('Control+End');
  await expect(grid.cell(last, 'name')).toHaveText(`row number ${last + 1}`);
  await grid.edit(last, 'name', 'written');
  await expect(view.messages).toContainText('is intact', { timeout: 30_000 });
  await expect(grid.cell(last, 'name')).toHaveText('written');
});

test('a check is stopped', async ({ idleApp }) => {
  // Large enough that a quick machine is not done with it before the button is pressed.
  const file = makeDatabase(join(idleApp.folder, 'big.db'), { kind: 'big', rows: 6 * ROWS });
  const view = new AppWindow(await idleApp.start(file));
  const grid = await view.openTable('big');
  await view.command('Check Integrity');
  const card = view.page.getByRole('region', { name: 'Checking big' });
  await card.getByRole('button', { name: 'Cancel' }).click();
  await expect(card).toHaveCount(0);
  await grid.edit(0, 'name', 'written');
  await expect(grid.cell(0, 'name')).toHaveText('written');
});
