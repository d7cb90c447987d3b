// Databases on a real libSQL server: connected, browsed, edited, with care where that is wanted, while the server goes and comes back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import { expect, test } from '../server-fixtures.ts';

const TOKEN = 'not-checked-by-this-server.but-secret';

async function fill(view: AppWindow, { address, name = '', token = '' }: Record<string, string>): Promise<void> {
  await view.dialog.getByLabel('Address').fill(address!);
  await view.dialog.getByLabel('Token', { exact: true }).fill(token);
  await view.dialog.getByLabel('Name').fill(name);
}

test('a connection is tried before it is saved, and its database opens like a file', async ({ app, page, server }) => {
  const view = new AppWindow(page);
  await view.connected();
  await view.command('Connect to Server');
  const test_ = view.dialog.getByRole('button', { name: 'Test connection' });
  await fill(view, { address: 'http://db.example.com' });
  await expect(view.dialog).toContainText('Without encryption, Sidelite connects only to this computer.');
  await expect(test_).toBeDisabled();
  expect(await findings(page, 'connect', 'light')).toEqual([]);
  await fill(view, { address: 'http://127.0.0.1:59998', token: TOKEN });
  await test_.click();
  await expect(view.dialog.getByRole('status')).toContainText('No server responds at this address.', {
    timeout: 30_000,
  });
  await fill(view, { address: server.url, name: 'Shop', token: TOKEN });
  await view.dialog.getByRole('radio', { name: 'red' }).check({ force: true });
  await test_.click();
  await expect(view.dialog.getByRole('status')).toContainText('2 tables', { timeout: 30_000 });
  await view.dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await view.opened('Shop');
  const grid = await view.openTable('item');
  await expect(grid.cell(2, 'price')).toHaveText('9223372036854776000.0');
  await grid.edit(0, 'name', 'emu');
  await expect.poll(() => server.run('SELECT name FROM item WHERE id = 1')).toEqual(['emu']);
  // The next run must not read from a replica that does not have this yet.
  await expect.poll(() => readFileSync(join(app.profile, 'connections.json'), 'utf8')).toMatch(/"written": ?"\d+"/);
  await server.run("UPDATE item SET name = 'fox' WHERE id = 2");
  await expect(grid.cell(1, 'name')).toHaveText('fox', { timeout: 30_000 });
  await expect(view.status).toContainText('Shop');
  await expect(view.status).toContainText(/rows read/);
  await view.runSql('SELECT count(*) AS n, max(n) AS most FROM big');
  await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('5000');
  await expect(view.grid('Result 1').cell(0, 'most')).toHaveText('5000000000000000000');
  // Edited, it connects again, with the token that only main knows.
  await page.keyboard.press('Control+l');
  await page.getByRole('row', { name: 'Shop', exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Edit connection…' }).click();
  await expect(view.dialog).toContainText('Leave the field empty to keep it.');
  await expect(view.dialog.getByLabel('Token', { exact: true })).toHaveValue('');
  await view.dialog.getByRole('checkbox', { name: /^Read-only/ }).check();
  await view.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(view.database).toHaveText(/on a server, read-only/, { timeout: 30_000 });
  await view.openTable('item');
  await grid.click(0, 'name');
  await page.keyboard.press('F2');
  await expect(view.status).toContainText('read-only');
  await expect(grid.editor).toHaveCount(0);
  // The token is in no file of the profile, not in the page, and not in the log.
  expect(readFileSync(join(app.profile, 'connections.json'), 'utf8')).not.toContain(TOKEN);
  expect(app.readLog()).not.toContain(TOKEN);
  expect(await page.content()).not.toContain(TOKEN);
});

test(
  'changes of other clients appear in the tables that are shown, and the connection goes on when listening ends',
  { tag: '@long' },
  async ({ page, server }) => {
    const view = await server.openIn(page);
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    for (const name of ['auk', 'ape']) {
      await server.run(`UPDATE item SET name = '${name}' WHERE id = 1`);
      await expect(grid.cell(0, 'name')).toHaveText(name, { timeout: 30_000 });
    }
    await server.run('DELETE FROM item WHERE id = 2');
    await expect(grid.cell(1, 'name')).toHaveText('cat', { timeout: 30_000 });
    const big = await view.openTable('big');
    await server.run("UPDATE big SET t = 'changed' WHERE id = 1");
    await expect(big.cell(0, 't')).toHaveText('changed', { timeout: 30_000 });
    await server.kill();
    await server.startAgain();
    await server.run("UPDATE big SET t = 'again' WHERE id = 1");
    await expect(big.cell(0, 't')).toHaveText('again', { timeout: 90_000 });
  },
);

test(
  'a production database asks before it is written to, and what a server cannot do is explained',
  { tag: '@long' },
  async ({ page, server }) => {
    const view = await server.openIn(page, { production: true });
    const grid = await view.openTable('item');
    await grid.edit(0, 'name', 'emu');
    await expect(view.dialog).toContainText('Write to “Shop”?');
    await view.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(view.dialog).toHaveCount(0);
    expect(await server.run('SELECT name FROM item WHERE id = 1')).toEqual(['ant']);
    await page.keyboard.press('Escape');
    await grid.edit(0, 'name', 'fox');
    await view.dialog.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(grid.cell(0, 'name')).toHaveText('fox');
    expect(await server.run('SELECT name FROM item WHERE id = 1')).toEqual(['fox']);
    // Undo is a new edit, so it asks, too, and overwrites nothing.
    await page.keyboard.press('Control+z');
    await view.dialog.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    await expect(view.messages).toContainText('Undid, as a new edit: Edit name in item');
    await page.keyboard.press('Control+Shift+z');
    await view.dialog.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(grid.cell(0, 'name')).toHaveText('fox');
    await server.run("UPDATE item SET name = 'owl' WHERE id = 1");
    await expect(grid.cell(0, 'name')).toHaveText('owl', { timeout: 30_000 });
    await page.keyboard.press('Control+z');
    await view.dialog.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(view.messages).toContainText(
      '“name” of a row of “item” was changed in the meantime. Nothing was overwritten.',
    );
    expect(await server.run('SELECT name FROM item WHERE id = 1')).toEqual(['owl']);
    // A script is asked about before its first statement runs, so nothing of it is shown twice.
    await view.writeSql("SELECT 7 AS seven; UPDATE item SET name = 'gnu' WHERE id = 2;");
    await page.keyboard.press('F5');
    await view.dialog.getByRole('button', { name: /10 minutes/ }).click();
    await expect(page.getByRole('tablist', { name: 'Results' }).getByRole('tab', { name: 'Result 1' })).toHaveCount(1);
    await expect.poll(() => server.run('SELECT name FROM item WHERE id = 2')).toEqual(['gnu']);
    await view.openTable('item');
    await grid.edit(2, 'name', 'hen');
    await expect.poll(() => server.run('SELECT name FROM item WHERE id = 3')).toEqual(['hen']);
    await view.command('Show History');
    await expect(page.getByText('SQL statements, imports, and schema changes cannot be undone.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Edit name in item' })).toBeVisible();
  },
);

test(
  'a server that goes and comes back loses no tab, and its database is copied into the library',
  { tag: '@long' },
  async ({ app, page, server }) => {
    const view = await server.openIn(page);
    await view.writeSql('SELECT 1 AS kept');
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    await server.kill();
    await grid.edit(0, 'name', 'emu');
    // In the editor: a message about the rows, which are read again, says the same, and may come before the edit has failed.
    await expect(grid.editor.getByRole('alert')).toContainText('No server responds at this address.', {
      timeout: 30_000,
    });
    // The typed text is still there.
    await server.startAgain();
    await expect(page.getByRole('textbox', { name: 'Edit name' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => server.run('SELECT name FROM item WHERE id = 1'), { timeout: 30_000 }).toEqual(['emu']);
    await page.keyboard.press('Control+l');
    await page.getByRole('row', { name: 'Shop', exact: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy into library…' }).click();
    await view.dialog.getByRole('button', { name: 'Copy' }).click();
    await view.opened('Shop 2');
    await expect(view.database).toHaveText('Shop 2');
    await view.runSql('SELECT count(*) AS n, max(n) AS most FROM big');
    await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('5000');
    await server.kill();
    const next = new AppWindow(await app.relaunch());
    await expect(next.messages).toContainText('“Shop” was not opened', { timeout: 30_000 });
    await next.opened('Shop 2');
    await server.startAgain();
    await next.openFromLibrary('Shop');
    await next.tabs.filter({ hasText: 'Query 1' }).first().click();
    await expect(next.editor).toContainText('SELECT 1 AS kept');
    await expect(next.messages).not.toContainText('was not opened');
    await next.editor.click();
    await next.page.keyboard.press('F5');
    await expect(next.grid('Result 1').cell(0, 'kept')).toHaveText('1');
  },
);
