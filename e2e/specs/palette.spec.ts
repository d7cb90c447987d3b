// The command palette by the words that people use: a setting at its place, a part of the health page, an answer, and searches elsewhere.
import { makeDatabase } from '../data/make-database.ts';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

test('words of other programs find a setting, a panel, an answer, or a search', async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'words.db'), {
    kind: 'sql',
    sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('qwxz')",
  });
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  await view.opened('words');
  const find = async (typed: string, found: string | RegExp): Promise<void> => {
    await page.keyboard.press('Control+p');
    await page.getByPlaceholder(/Go to anything/).fill(typed);
    await page.getByRole('option', { name: found }).click();
    await expect(page.getByRole('dialog', { name: 'Go to anything' })).toHaveCount(0);
  };

  await find('unix', /Dates stored as numbers/);
  const dates = page.getByRole('group', { name: 'Dates stored as numbers' });
  await expect(dates).toBeFocused();
  await expect(dates).toBeInViewport();
  await expect(page.getByRole('group', { name: 'Theme', exact: true })).toHaveCount(1);

  await find('vacuum', /Maintenance/);
  await expect(page.getByRole('tabpanel', { name: 'Maintenance' })).toBeVisible();

  await find('sqlcipher', /Encrypted databases/);
  await expect(page.getByText('Open File… asks for the password or key of an encrypted database')).toBeVisible();

  await find('qwxz', 'Search all tables for “qwxz”');
  await expect(page.getByLabel('Text to search for')).toHaveValue('qwxz');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 row with “qwxz”')).toBeVisible();

  await find('qwxz', 'Search the query history for “qwxz”');
  await expect(page.getByLabel('Search runs')).toHaveValue('qwxz');
});
