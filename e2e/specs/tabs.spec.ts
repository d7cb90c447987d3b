// The strip of tabs: what it offers when it cannot show all of them.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

test('eight tabs fit into a window of usual width, and the active one can always be closed', async ({ app, page }) => {
  const view = new AppWindow(page);
  await (await app.electron.browserWindow(page)).evaluate((it) => it.setContentSize(1380, 860));
  const tables = ['Album', 'Artist', 'Customer', 'Employee', 'Genre', 'Invoice', 'InvoiceLine', 'PlaylistTrack'];
  const sql = tables.map((name) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY);`).join('');
  await view.openFile(app, makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql }));
  for (const name of tables) await view.openTable(name);
  await expect(view.tabs).toHaveCount(tables.length);
  await expect(page.getByRole('button', { name: 'All tabs' })).toHaveCount(0);
  for (const name of tables) {
    await page.getByRole('tab', { name, exact: true }).click({ position: { x: 12, y: 12 } });
    await expect(page.getByRole('button', { name: `Close ${name}`, exact: true })).toBeInViewport({ ratio: 1 });
  }

  // With two databases, the name of the database is beside each title, and leaves the title the room.
  await view.openFile(app, makeDatabase(join(app.folder, 'other.db'), { kind: 'sql', sql: 'CREATE TABLE a (b)' }));
  await expect(page.locator('.tab-database')).toHaveCount(tables.length + 1);
  const crowded = await view.tabs.evaluateAll((all) =>
    all
      .map((tab) => [...tab.querySelectorAll('.cut')] as HTMLElement[])
      .filter(([title, database]) => title!.scrollWidth > title!.clientWidth && database!.clientWidth > 1)
      .map(([title]) => title!.textContent),
  );
  expect(crowded).toEqual([]);
});

test('a strip that cannot show all tabs has a list of them, which the keyboard reaches', async ({ app, page }) => {
  const view = new AppWindow(page);
  const sql = 'CREATE TABLE animal (name); INSERT INTO animal VALUES (1)';
  await view.openFile(app, makeDatabase(join(app.folder, 'animals.db'), { kind: 'sql', sql }));
  await expect(view.tabs).toHaveText(['animal']);
  const list = page.getByRole('button', { name: 'All tabs' });
  await expect(list).toHaveCount(0);
  for (let count = 2; count <= 16; count++) {
    await page.keyboard.press('Control+t');
    await expect(view.tabs).toHaveCount(count);
  }
  await expect(view.editor).toBeFocused();
  await view.focusSettled();
  await list.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitemradio')).toHaveCount(16);
  await expect(menu.getByRole('menuitemradio', { checked: true })).toHaveText('Query 15animals');
  await page.keyboard.type('ani');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'animal', selected: true })).toBeInViewport();
  await expect(view.grid('Rows of animal').root).toBeFocused();
});
