// Transactions of an SQL tab on a server: kept open while the user thinks, who is told when the server has ended one.
import { expect, test } from '../server-fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { onServer, saveConnection } from '../support/server.ts';

const PATIENT = { timeout: 60_000 };

test(
  'a transaction outlives the time after which the server ends idle ones, and is committed',
  { tag: '@long' },
  async ({ page, distantServer: { url, controls } }) => {
    const view = new AppWindow(page);
    await view.connected();
    await saveConnection(page, { address: url });
    await view.openFromLibrary('Shop');
    const bar = page.getByRole('toolbar', { name: 'Query' });
    await view.runSql("BEGIN; UPDATE item SET name = 'emu' WHERE id = 1");
    await expect(bar).toContainText('1 change pending', PATIENT);
    // Each is at least 3 s after the one before; the server waits for 10.
    const before = controls.requests;
    await expect.poll(() => controls.requests - before, PATIENT).toBeGreaterThanOrEqual(5);
    expect(await onServer(url, 'SELECT name FROM item WHERE id = 1')).toEqual(['ant']);
    await bar.getByRole('button', { name: 'Commit' }).click();
    await expect(bar.getByRole('button', { name: 'Begin' })).toBeVisible(PATIENT);
    expect(await onServer(url, 'SELECT name FROM item WHERE id = 1')).toEqual(['emu']);
  },
);

test(
  'a transaction that the server has ended for someone else is told of at once, and not called open',
  { tag: '@long' },
  async ({ page, server }) => {
    const view = await server.openIn(page);
    const bar = page.getByRole('toolbar', { name: 'Query' });
    await view.runSql("BEGIN; UPDATE item SET name = 'emu' WHERE id = 1");
    await expect(bar).toContainText('1 change pending', PATIENT);
    // Waits until the server has ended the other one.
    await server.run("UPDATE item SET name = 'yak' WHERE id = 1");
    await expect(view.messages).toContainText('“Shop”: The server ends transactions after a few seconds', PATIENT);
    await expect(bar.getByRole('button', { name: 'Begin' })).toBeVisible();
    await expect(view.status).not.toContainText('open transaction');
    expect(await server.run('SELECT name FROM item WHERE id = 1')).toEqual(['yak']);
  },
);

test(
  'a transaction that is lost because the server was restarted is told of at once',
  { tag: '@long' },
  async ({ page, server }) => {
    const view = await server.openIn(page);
    const bar = page.getByRole('toolbar', { name: 'Query' });
    await view.runSql("BEGIN; UPDATE item SET name = 'emu' WHERE id = 1");
    await expect(bar).toContainText('1 change pending', PATIENT);
    await server.kill();
    await server.startAgain();
    await expect(view.messages).toContainText('The open transaction was lost, and none of it was saved.', PATIENT);
    await expect(bar.getByRole('button', { name: 'Begin' })).toBeVisible();
    expect(await server.run('SELECT name FROM item WHERE id = 1')).toEqual(['ant']);
  },
);
