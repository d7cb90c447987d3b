// Transactions by hand in SQL tabs: what is pending, what other windows may do meanwhile, and how they end.
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { cells, messages, runAll, secondQueryWindow, startWithAnimals } from '../pages/query-page.ts';

test('a transaction by hand is shown with what is pending, and other windows read but do not write', async ({
  idleApp,
}) => {
  const page = await startWithAnimals(idleApp);
  const bar = page.getByRole('toolbar', { name: 'Query' });
  await runAll(page, "BEGIN; DELETE FROM animal WHERE name = 'eel';");
  await expect(bar).toContainText('1 change pending since');

  const other = await secondQueryWindow(idleApp);
  await expect(other.getByText('has an open transaction').first()).toBeVisible();
  await runAll(other, 'SELECT name FROM animal WHERE legs = 2;');
  await expect(cells(other)).toHaveText(['duck']);
  await runAll(other, 'UPDATE animal SET legs = 0;');
  const { windowTitle } = await page.evaluate(() => window.sidelite.windowInfo());
  await expect(messages(other).getByRole('alert')).toContainText(windowTitle);

  await page.bringToFront();
  await chooseSavepoint(page, /^Set savepoint/);
  await expect(bar).toContainText('savepoint “savepoint_1”');
  await runAll(page, 'UPDATE animal SET legs = 1; SELECT sum(legs) FROM animal;');
  await expect(bar).toContainText('5 changes pending');
  await expect(cells(page)).toHaveText(['4']);
  await chooseSavepoint(page, /^Roll back to/);
  await expect(bar).toContainText('1 change pending');
  await bar.getByRole('button', { name: 'Roll back', exact: true }).click();
  await expect(bar.getByRole('button', { name: 'Begin' })).toBeVisible();
  // The result of the last run is still there, and follows its table.
  await expect(cells(page)).toHaveText(['18']);

  await other.bringToFront();
  await runAll(other, 'UPDATE animal SET legs = 0;');
  await expect(messages(other)).toContainText('5 rows changed');
  await page.bringToFront();
  await bar.getByRole('button', { name: 'Begin' }).click();
  await runAll(page, "INSERT INTO animal (name) VALUES ('fox');");
  await bar.getByRole('button', { name: 'Commit' }).click();
  await expect(bar.getByRole('button', { name: 'Begin' })).toBeVisible();
  await other.bringToFront();
  await runAll(other, 'SELECT count(*) FROM animal;');
  await expect(cells(other)).toHaveText(['6']);

  // It stays open when its commit fails.
  await page.bringToFront();
  await runAll(
    page,
    'CREATE TABLE toy (owner INTEGER REFERENCES animal (id) DEFERRABLE INITIALLY DEFERRED); BEGIN; INSERT INTO toy VALUES (77);',
  );
  await expect(bar).toContainText('1 change pending');
  await bar.getByRole('button', { name: 'Commit' }).click();
  await expect(messages(page).getByRole('alert')).toContainText('The transaction is still open');
  await expect(bar).toContainText('1 change pending');
  await bar.getByRole('button', { name: 'Roll back', exact: true }).click();
  await expect(bar.getByRole('button', { name: 'Begin' })).toBeVisible();
});

async function chooseSavepoint(page: Page, entry: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Savepoints' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
