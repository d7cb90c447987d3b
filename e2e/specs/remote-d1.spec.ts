// A database of Cloudflare D1, on its real engine: connected, browsed, edited, and asked, with what it cannot do explained.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { startD1 } from '../../build/d1/d1-server.ts';
import { AppWindow } from '../pages/app-window.ts';
import { onD1 } from '../support/d1.ts';
import { saveConnection, SHOP } from '../support/server.ts';

test(
  'a D1 database is connected as an experiment, and edited with exact values',
  { tag: '@long' },
  async ({ page }) => {
    const server = await startD1();
    test.skip('why' in server, 'why' in server ? server.why : '');
    if ('why' in server) return;
    const url = server.url('shop');
    try {
      await onD1(url, ...SHOP, 'UPDATE big SET n = 9223372036854775807 WHERE id = 3');
      const view = new AppWindow(page);
      await view.connected();
      await view.command('Connect to Server');
      await view.dialog.getByLabel('Address').fill(url);
      await expect(view.dialog).toContainText('Cloudflare D1 is experimental');
      await view.dialog.getByLabel('Name').fill('Shop');
      await view.dialog.getByRole('button', { name: 'Test connection' }).click();
      await expect(view.dialog.getByRole('status')).toHaveText('Connected: 2 tables.', { timeout: 30_000 });
      await view.dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await view.opened('Shop');
      const grid = await view.openTable('item');
      await grid.edit(0, 'name', 'emu');
      await expect.poll(() => onD1(url, 'SELECT name FROM item WHERE id = 1')).toEqual(['emu']);
      // Held changes are one batch.
      await view.command('Hold Changes');
      await grid.edit(0, 'name', 'hen');
      await grid.edit(2, 'name', 'jay');
      await page.keyboard.press('Control+s');
      await expect.poll(() => onD1(url, 'SELECT group_concat(name) FROM item')).toEqual(['hen,bee,jay']);
      // Until the window knows that they are saved, ending to hold changes asks about them.
      await expect(view.messages).toContainText('in one transaction');
      await view.command('Hold Changes');
      // Changes by someone else are not overwritten. The editor is opened before them: an edit of the “fox” that a table already shows does
      // not conflict with it.
      await grid.click(1, 'name');
      await page.keyboard.press('F2');
      await expect(grid.editor).toBeVisible();
      await onD1(url, "UPDATE item SET name = 'fox' WHERE id = 2");
      await page.keyboard.press('Control+a');
      await page.keyboard.type('owl');
      await page.keyboard.press('Enter');
      await expect(page.getByText(/“fox”/).first()).toBeVisible();
      expect(await onD1(url, 'SELECT name FROM item WHERE id = 2')).toEqual(['fox']);
      await page.keyboard.press('Escape');
      const big = await view.openTable('big');
      await expect(big.cell(2, 'n')).toHaveText('9223372036854775807');
      await view.runSql('SELECT count(*) AS n, max(n) AS most FROM big');
      await expect(view.grid('Result 1').cell(0, 'most')).toHaveText('9223372036854775807');
      const begin = page.getByRole('button', { name: 'Begin', exact: true });
      await expect(begin).toHaveAttribute('title', /no transactions.*Each statement is saved when it ends/);
      await view.runSql('BEGIN; DELETE FROM item; COMMIT');
      await expect(page.getByText(/has no transactions that last longer/).first()).toBeVisible();
      expect(await onD1(url, 'SELECT count(*) FROM item')).toEqual([3]);
      await view.copyIntoLibrary('Shop');
      await view.runSql('SELECT count(*) AS n, max(n) AS most FROM big');
      await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('5000');
      await expect(view.grid('Result 1').cell(0, 'most')).toHaveText('9223372036854775807');
    } finally {
      await server.end();
    }
  },
);

test(
  'what D1 has no transactions for is refused where it is begun, with what works instead',
  { tag: '@long' },
  async ({ app, page }) => {
    const server = await startD1();
    test.skip('why' in server, 'why' in server ? server.why : '');
    if ('why' in server) return;
    const url = server.url('shop');
    try {
      await onD1(url, ...SHOP);
      const view = new AppWindow(page);
      await view.connected();
      await saveConnection(page, { address: url });
      await view.openFromLibrary('Shop');
      await view.openTable('item');
      const menu = async (entry: string | RegExp): Promise<void> => {
        await view.treeItem('item').click({ button: 'right' });
        await page.getByRole('menuitem', { name: entry }).click();
      };
      const refused = async (instead: string): Promise<void> => {
        const message = view.messages.getByText(instead);
        await expect(message).toContainText('“Shop” is a Cloudflare D1 database, which has no transactions');
        await expect(page.getByRole('tab')).toHaveCount(1);
        await expect(page.getByRole('dialog')).toHaveCount(0);
      };
      await menu(/^Design table/);
      await refused('The designer needs one. Run CREATE and ALTER statements in an SQL tab instead.');
      await view.command('New Table');
      await refused('The designer needs one.');
      await menu(/^Drop/);
      await refused('Run the statement in an SQL tab instead.');
      await menu('Fill with sample rows…');
      await refused('Add them to a database on this computer instead.');
      await menu('Import into this table…');
      await refused('Import into a database on this computer instead.');
      // The index lab says it before anything is pressed.
      await view.writeSql('SELECT * FROM big WHERE n = 5000000000000000');
      await page.keyboard.press('Control+Alt+i');
      const found = page
        .getByRole('region', { name: 'Index lab' })
        .getByRole('listitem', { name: 'big_n', exact: true });
      const create = found.getByRole('button', { name: 'Create index' });
      await expect(create).toHaveAttribute('aria-disabled', 'true', { timeout: 30_000 });
      await expect(create).toHaveAttribute('title', /no transactions.*Run the CREATE INDEX statement in an SQL tab/);
      await view.command('Show Health');
      await expect(page.getByText('This server does not say how the database is stored.')).toBeVisible();
      // Other rows go into a new database, and this one is not among the targets.
      const source = join(app.folder, 'goods.csv');
      writeFileSync(source, 'id,code\n1,007\n');
      await app.answerOpenDialog(source);
      await page.keyboard.press('Control+Shift+o');
      const target = page.getByTestId('tabs').getByLabel('Database', { exact: true });
      await expect(target).toHaveText('New database in the library', { timeout: 30_000 });
    } finally {
      await server.end();
    }
  },
);
