// Transactions of an SQL tab on a server: kept open while the user thinks.
import { expect, test } from '../server-fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { onServer, saveConnection } from '../support/server.ts';

const PATIENT = { timeout: 60_000 };

test('a transaction outlives the time after which the server ends idle ones, and is committed', async ({
  page,
  distantServer: { url, controls },
}) => {
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
});
