// Searching all tables of a database.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';

const SHOP = `CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE mail (key TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
  CREATE TABLE slow (id INTEGER PRIMARY KEY, v AS (length(hex(zeroblob(2000000 + id)))));
  INSERT INTO customer (name, city) VALUES ('Ada', 'London'), ('Grace', 'New York'), ('Mary', 'London');
  INSERT INTO mail VALUES ('a', 'Dear Grace, meet me in London'), ('b', 'No');
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO slow (id) SELECT i FROM n;`;

test('all tables are searched, hits arrive while it runs, Stop keeps them, and a click goes to the row', async ({
  idleApp,
}) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP })),
  );
  const { page } = view;
  await view.connected();
  await view.openTable('mail');
  await page.keyboard.press('Control+Shift+f');
  // Matches are sent only as fast as the window keeps up, so that the table that computes each row slowly is not done before the search
  // is stopped.
  const letGo = await holdBack(page, 'credit');
  await page.getByRole('textbox', { name: 'Text to search for' }).fill('london');
  await page.keyboard.press('Enter');
  const hits = page.getByRole('group', { name: 'Rows found' }).getByRole('button');
  await expect(hits).toHaveText([
    'customer.cityLondon',
    'customer.cityLondon',
    'mail.bodyDear Grace, meet me in London',
  ]);

  await page.getByRole('button', { name: 'Stop', exact: true }).first().click();
  await letGo();
  await expect(page.getByText('Stopped. Rows found so far are listed.')).toBeVisible();
  await expect(hits).toHaveCount(3);

  await hits.nth(1).click();
  const customer = view.grid('Rows of customer');
  await expect(customer.cell(2, 'city')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(hits).toHaveCount(3);
  await hits.nth(2).click();
  await expect(view.grid('Rows of mail').cell(0, 'body')).toHaveAttribute('aria-selected', 'true');
});
