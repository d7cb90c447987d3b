// A table is copied into another open database: from the library to a file in place and back, with a taken name, and undone there.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';

const PATIENT = { timeout: 30_000 };

const SHOP = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT REFERENCES customers (id), note);
  CREATE INDEX by_customer ON orders (customer);
  CREATE TABLE log (what);
  CREATE TRIGGER noted AFTER DELETE ON orders BEGIN INSERT INTO log VALUES (old.id); END;
  INSERT INTO customers VALUES (1, 'ant');
  INSERT INTO orders VALUES (1, 1, X'00FF'), (2, 1, 9007199254740993), (3, 1, NULL);`;

test('a table is copied into a file in place and back, and undone there', async ({ idleApp }) => {
  const shop = makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP });
  const archive = makeDatabase(join(idleApp.folder, 'archive.db'), { kind: 'sql', sql: 'CREATE TABLE orders (id)' });
  idleApp.opensFiles = 'ask';
  const view = new AppWindow(await idleApp.start());
  const { page, dialog } = view;
  await view.openFile(idleApp, archive);
  await dialog.getByRole('button', { name: 'In place' }).click();
  await view.opened('archive.db');
  await view.openFile(idleApp, shop);
  await dialog.getByRole('button', { name: 'Library copy' }).click();
  await view.opened('shop');

  await view.treeItem('orders').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy to database…' }).click();
  await expect(dialog.getByLabel('To database')).toBeFocused();
  await expect(dialog.getByLabel('Name there')).toHaveValue('orders_copy');
  const consequences = dialog.getByRole('list', { name: 'Consequences' });
  await expect(consequences).toContainText('Foreign keys refer to “customers”, which is not there', PATIENT);
  expect(await findings(page, 'copy-table', 'light')).toEqual([]);
  // The name that is taken is asked about before anything is done.
  await dialog.getByLabel('Name there').fill('Orders');
  await expect(dialog.getByRole('status')).toHaveText('There is a table “orders” already.');
  await expect(dialog.getByRole('button', { name: 'Copy', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Name there').fill('sales');
  await page.keyboard.press('Enter');
  const done = view.messages
    .getByRole('status')
    .filter({ hasText: 'Copied “orders” to “archive.db” as “sales”: 3 rows.' });
  await done.hover(PATIENT);
  await expect(view.messages).toContainText('The trigger “noted” was left out.');
  const rows = 'SELECT *, typeof(note) FROM';
  expect(query(archive, `${rows} sales`)).toEqual(query(shop, `${rows} orders`));

  await view.openFromLibrary('archive.db');
  await view.openTable('sales');
  await view.command('Copy Table to…');
  await expect(dialog.getByLabel('Name there')).toHaveValue('sales');
  await dialog.getByLabel('Name there').fill('orders');
  await dialog.getByLabel('Add the rows to it').check();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  const refused = view.messages.getByRole('status').filter({ hasText: '3 rows were not copied' });
  await expect(refused).toContainText('already has this “id”', PATIENT);

  await view.command('Undo Copy table');
  await expect(view.tree.getByRole('treeitem', { name: /^sales/ })).toHaveCount(0, PATIENT);
  expect(query(archive, 'SELECT name FROM sqlite_schema')).toEqual([['orders']]);
});
