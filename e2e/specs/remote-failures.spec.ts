// Rows of a server that is away for a while: what the tab says, and that they come without being asked for again.
import { expect, test } from '../server-fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { saveConnection } from '../support/server.ts';

const PATIENT = { timeout: 30_000 };

test('a table that cannot be read says so in its tab, never that it has no rows, and its rows come when the server is back', async ({
  page,
  distantServer: { url, controls },
}) => {
  const view = new AppWindow(page);
  await view.connected();
  await saveConnection(page, { address: url });
  await view.openFromLibrary('Shop');
  await expect((await view.openTable('item')).cell(0, 'name')).toHaveText('ant', PATIENT);
  controls.fail('cut', 1_000_000);
  const grid = await view.openTable('big');
  const why = page.getByText('The server ended the connection.');
  await expect(why).toBeVisible(PATIENT);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(view.status).not.toContainText(/\brows?\b(?! read)/);
  controls.fail('none', 0);
  await expect(grid.cell(0, 't')).toHaveText('row 1', PATIENT);
  await expect(why).toHaveCount(0);
  // Rows farther down, too, once the number of rows is estimated.
  await expect(view.status).toContainText('5,000 rows', PATIENT);
  controls.fail('cut', 1_000_000);
  await grid.root.focus();
  await page.keyboard.press('Control+End');
  await expect(view.messages).toContainText('The server ended the connection.', PATIENT);
  controls.fail('none', 0);
  await expect(grid.cell(4999, 't')).toHaveText('row 5000', PATIENT);
});

test(
  'a table that waits for a server says what it waits for, and Stop lets it go on',
  { tag: '@long' },
  async ({ page, distantServer: { url, controls } }) => {
    const view = new AppWindow(page);
    await view.connected();
    await saveConnection(page, { address: url });
    await view.openFromLibrary('Shop');
    // The first table is shown by itself. What it asks for is answered before what this one asks for.
    await expect((await view.openTable('item')).cell(0, 'name')).toHaveText('ant', PATIENT);
    await expect(view.status).toContainText('3 rows', PATIENT);
    await view.writeSql('SELECT name FROM item');
    controls.fail('hang', 1_000_000);
    await page.keyboard.press('F5');
    await page.getByRole('searchbox', { name: /Find table/ }).fill('big');
    await view.treeItem('big').dblclick();
    const waiting = page.getByRole('group', { name: 'Reading rows' });
    await expect(waiting).toContainText('Waiting for “SELECT name FROM item”', PATIENT);
    controls.fail('none', 0);
    await waiting.getByRole('button', { name: 'Stop' }).click();
    await expect(view.grid('Rows of big').cell(0, 't')).toHaveText('row 1', PATIENT);
  },
);
