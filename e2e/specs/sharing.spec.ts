// Several windows on one worker: who is busy with what, and who may stop it; files that are dropped.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const TABLE = "CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO log (text) VALUES ('first');";

test(
  'every window shows a long statement, for whom it runs, and can stop it',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = new AppWindow(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
    );
    await view.openTable('log');
    const second = await view.secondWindow(idleApp, 'log');
    await second.writeSql('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;');
    await second.page.keyboard.press('F5');

    await expect(view.status).toContainText('SELECT count(*)');
    await view.status.getByText('SELECT count(*)').hover();
    await expect(view.page.getByText(/for Window 2/)).toBeVisible();
    await view.status.getByRole('button', { name: 'Stop' }).click();
    await expect(view.status).not.toContainText('SELECT count(*)');
    await expect(second.page.getByRole('list', { name: 'Messages' })).toContainText(/[Ss]topped/);
    const grid = view.grid('Rows of log');
    await grid.edit(0, 'text', 'and on it goes');
    await expect(grid.cell(0, 'text')).toHaveText('and on it goes');
  },
);

// Both windows share one connection, on which a half-read statement would see the write (worker/sessions/DECISIONS.md).
test(
  'while a window reads for long, another reads too, and what it edits is stored when that ends',
  { tag: '@long' },
  async ({ idleApp }) => {
    const sql = `${TABLE} CREATE TABLE other (name TEXT); INSERT INTO other VALUES ('read meanwhile');`;
    const view = new AppWindow(await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql })));
    const grid = await view.openTable('log');
    const second = await view.secondWindow(idleApp, 'log');
    await second.writeSql(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500000) SELECT i, hex(i) FROM n;',
    );
    await second.page.keyboard.press('F5');
    await expect(second.grid(/^Rows of result/).cell(0, 'i')).toHaveText('1');
    await grid.edit(0, 'text', 'in between');
    await expect(second.page.getByRole('tablist', { name: 'Results' })).toContainText('500,000 rows', {
      timeout: 60_000,
    });
    await expect(grid.cell(0, 'text')).toHaveText('in between');

    await second.writeSql('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;');
    await second.page.keyboard.press('F5');
    await expect(second.grid(/^Rows of result/).cell(0, 'i')).toHaveText('1');
    const other = await view.openTable('other');
    await expect(other.cell(0, 'name')).toHaveText('read meanwhile');
    await view.status.getByRole('button', { name: 'Stop' }).click();
    await expect(second.page.getByRole('list', { name: 'Messages' })).toContainText(/[Ss]topped/);
  },
);

test('a file that is dropped on the window is opened', { tag: '@long' }, async ({ app, page }) => {
  const file = makeDatabase(join(app.folder, 'dropped.db'), { kind: 'sql', sql: TABLE });
  const view = new AppWindow(page);
  await view.connected();
  await view.drop(file);
  await view.opened('dropped');
  await expect(view.grid('Rows of log').cell(0, 'text')).toHaveText('first');
});

test.describe('a window that is just closing', () => {
  // Later requests of its page are refused, as it is gone.
  test.use({ expectedProblems: /is not open to this page/ });

  test(
    'New Window, chosen from the menu of a window that is just closing, opens one all the same',
    { tag: '@long' },
    async ({ app }) => {
      await app.menu('file.newWindow');
      const second = await app.window(1);
      await new AppWindow(second).connected();
      const gone = second.waitForEvent('close');
      await app.electron.evaluate(({ BrowserWindow, Menu }) => {
        const windows = BrowserWindow.getAllWindows().filter((it) => it.webContents.getURL().endsWith('/index.html'));
        const closing = windows.reduce((one, other) => (other.id > one.id ? other : one));
        closing.focus();
        Menu.getApplicationMenu()?.getMenuItemById('file.newWindow')?.click();
        closing.destroy();
      });
      await gone;
      await new AppWindow(await app.window(1)).connected();
      expect(app.windows()).toHaveLength(2);
    },
  );
});
