// Actions on tables, views, indexes and triggers: SQL and consequences before they run, one step to undo, tabs and windows that follow.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const PATIENT = { timeout: 30_000 };

const SHOP = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT REFERENCES customers (id), amount INT);
  CREATE INDEX by_customer ON orders (customer);
  CREATE TABLE log (what);
  CREATE TRIGGER noted AFTER DELETE ON orders BEGIN INSERT INTO log VALUES (old.id); END;
  CREATE VIEW totals AS SELECT customer, sum(amount) AS sum FROM orders GROUP BY customer;
  CREATE VIEW best AS SELECT * FROM totals ORDER BY sum DESC;
  CREATE TRIGGER no_totals INSTEAD OF DELETE ON totals BEGIN SELECT RAISE(ABORT, 'no'); END;
  CREATE TABLE visits (id INTEGER PRIMARY KEY, customer_id INTEGER -- who came
  );
  INSERT INTO visits VALUES (1, 1), (2, 9);
  INSERT INTO customers VALUES (1, 'ant'), (2, 'bee');
  INSERT INTO orders VALUES (1, 1, 100), (2, 1, 250), (3, 2, 700);`;

async function openShop(app: SideliteApp, opensFiles: 'copy' | 'in-place'): Promise<AppWindow> {
  app.opensFiles = opensFiles;
  const name = opensFiles === 'copy' ? 'shop' : 'shop.db';
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  await view.opened(name);
  return view;
}

const sqlOf = (view: AppWindow) => view.dialog.getByLabel('SQL', { exact: true });
const facts = (view: AppWindow) => view.dialog.getByRole('list', { name: 'Consequences' });
const tab = (view: AppWindow, name: string) => view.tabs.filter({ hasText: name });

/** Puts the cursor of the tree on an object. */
async function at(view: AppWindow, name: string): Promise<void> {
  await view.treeItem(name).click();
  await view.tree.focus();
}

async function act(view: AppWindow, name: string, action: string): Promise<void> {
  await view.treeItem(name).click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: action }).click();
}

for (const opensFiles of ['copy', 'in-place'] as const) {
  test(
    `by keyboard: a renamed table keeps its tabs, a dropped one says so, Undo brings both back, ${opensFiles}`,
    { tag: opensFiles === 'in-place' ? '@long' : [] },
    async ({ idleApp }) => {
      const view = await openShop(idleApp, opensFiles);
      const { page } = view;
      const grid = await view.openTable('orders');
      await grid.click(2, 'amount');
      await at(view, 'orders');
      await page.keyboard.press('F2');
      await expect(view.dialog.getByLabel('New name')).toBeFocused();
      await page.keyboard.type('sales');
      await expect(sqlOf(view)).toHaveText('ALTER TABLE main."orders" RENAME TO "sales";');
      await expect(facts(view)).toContainText('SQLite also updates the name in');
      await expect(facts(view)).toContainText('view totals');
      await expect(facts(view)).toContainText('Undo restores everything in one step');
      await page.keyboard.press('Enter');
      // A message stays while the pointer is on it.
      await view.messages.getByRole('status').filter({ hasText: 'Renamed table “orders” to “sales”.' }).hover();
      await expect(tab(view, 'sales')).toHaveCount(1, PATIENT);
      await expect(view.grid('Rows of sales').cell(2, 'amount')).toHaveText('700', PATIENT);
      await expect(view.tree).toBeFocused();
      await view.messages.getByRole('button', { name: 'Undo' }).click();
      await expect(view.grid('Rows of orders').cell(2, 'amount')).toHaveText('700', PATIENT);
      await expect(tab(view, 'sales')).toHaveCount(0);

      await at(view, 'orders');
      await page.keyboard.press('Delete');
      await expect(sqlOf(view)).toHaveText('DROP TABLE main."orders";');
      await expect(view.dialog).toContainText('Drop table “orders” with 3 rows?');
      await expect(facts(view)).toContainText('Dropped with it: index by_customer, trigger noted');
      await expect(facts(view)).toContainText('2 views and 1 trigger will stop working: ');
      expect(await findings(page, 'object-drop', 'light')).toEqual([]);
      const drop = view.dialog.getByRole('button', { name: 'Drop', exact: true });
      // Enter destroys nothing, and what does is red.
      await expect(drop).toHaveClass(/button-danger/);
      await expect(view.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(view.dialog).toHaveCount(0);
      await expect(view.tree).toBeFocused();
      await page.keyboard.press('Delete');
      await drop.click();
      // The user was told before what it breaks: there is no second question.
      await expect(view.dialog).toHaveCount(0, PATIENT);
      const gone = page.getByRole('alert').filter({ hasText: '“orders” no longer exists.' });
      await expect(gone).toBeVisible(PATIENT);
      await gone.getByRole('button', { name: 'Undo Drop table orders' }).click();
      await expect(view.grid('Rows of orders').cell(2, 'amount')).toHaveText('700', PATIENT);
      await expect(gone).toHaveCount(0);

      await view.openTable('orders');
      await view.command('Reorder Columns');
      const columns = view.dialog.getByRole('listbox', { name: 'Columns' });
      await expect(columns).toBeFocused();
      await expect(view.dialog.getByRole('button', { name: 'Reorder' })).toHaveAccessibleDescription(
        'The columns are already in this order.',
      );
      for (const key of ['ArrowDown', 'Alt+ArrowDown', 'ArrowUp', 'Alt+Home']) await page.keyboard.press(key);
      await expect(columns.getByRole('option')).toHaveText(['1amount', '2id', '3customer']);
      await expect(sqlOf(view)).toContainText(
        'CREATE TABLE orders (amount INT, id INTEGER PRIMARY KEY, customer INT REFERENCES customers (id))',
      );
      await expect(facts(view)).toContainText(
        'follow the new order, also in: trigger noted, view totals, view best',
        PATIENT,
      );
      await expect(facts(view)).toContainText('Rebuilds the table and compares every value', PATIENT);
      await page.keyboard.press('Enter');
      await expect(view.dialog).toHaveCount(0, PATIENT);
      const done = 'Reordered the columns of table “orders”. Every value of 3 rows was compared.';
      await view.messages.getByRole('status').filter({ hasText: done }).hover();
      const headers = view.grid('Rows of orders').root.getByRole('columnheader');
      await expect(headers.filter({ hasText: /amount|id|customer/ }).first()).toContainText('amount', PATIENT);
      await view.messages.getByRole('button', { name: 'Undo' }).last().click();
      await expect(headers.filter({ hasText: /amount|id|customer/ }).first()).toContainText('id', PATIENT);

      // The menu key opens the menu of the row under the cursor, not of the database.
      await at(view, 'orders');
      await page.keyboard.press('Shift+F10');
      await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeVisible();
      await page.keyboard.press('Escape');
    },
  );
}

test(
  'what uses a table or column is listed with its SQL, and follows the schema',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = await openShop(idleApp, 'copy');
    const { page } = view;
    await view.writeSql('SELECT sum(amount) FROM orders');
    await view.command('Save Query');
    await view.dialog.getByLabel('Name').fill('Turnover');
    await view.dialog.getByRole('button', { name: 'Save' }).click();
    await act(view, 'orders', 'What uses this?');
    const uses = page.getByRole('region', { name: 'Uses of orders', exact: true });
    await expect(uses.getByRole('region', { name: 'Views' }).getByRole('listitem')).toHaveCount(2, PATIENT);
    await expect(uses.getByRole('region', { name: 'Triggers' })).toContainText('of totals');
    await expect(uses.getByRole('region', { name: 'Saved queries that mention it' })).toContainText('Turnover');
    await act(view, 'orders', 'Drop…');
    await expect(facts(view)).toContainText('Saved queries that mention it are not changed: Turnover');
    await page.keyboard.press('Escape');
    await expect(view.dialog).toHaveCount(0);
    await page.getByLabel('Column', { exact: true }).selectOption('customer');
    const column = page.getByRole('region', { name: 'Uses of orders.customer' });
    await expect(column.getByRole('region', { name: 'In the table itself' })).toContainText(
      'REFERENCES customers (id)',
      PATIENT,
    );
    await expect(column.getByRole('region', { name: 'Indexes' })).toContainText('by_customer');
    // Dropped in another place, it is no longer listed; the tab of a renamed table follows it.
    await act(view, 'by_customer', 'Drop…');
    await view.dialog.getByRole('button', { name: 'Drop' }).click();
    await expect(column.getByRole('region', { name: 'Indexes' })).toHaveCount(0, PATIENT);
    await act(view, 'orders', 'Rename…');
    await view.dialog.getByLabel('New name').fill('sales');
    await view.dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(tab(view, 'Uses of sales.customer')).toHaveCount(1, PATIENT);
    // A hit opens its object, and the heading of a column asks about that column.
    await page
      .getByRole('region', { name: 'Uses of sales.customer' })
      .getByRole('button', { name: 'totals', exact: true })
      .click();
    const grid = view.grid('Rows of totals');
    await expect(grid.cell(0, 'sum')).toHaveText('350', PATIENT);
    await grid.clickHeader('sum', { button: 'right' });
    await page.getByRole('menuitem', { name: 'What uses this column?' }).click();
    await expect(page.getByRole('region', { name: 'Uses of totals.sum' })).toContainText('best', PATIENT);
  },
);

test(
  'a likely foreign key is declared from the diagram, once the rows in the way are mended',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = await openShop(idleApp, 'in-place');
    const { page } = view;
    await view.command('Show Diagram');
    // The diagram has commands once it is shown.
    await expect(page.getByRole('toolbar', { name: 'Diagram' })).toBeVisible(PATIENT);
    await view.command('Diagram: Show as List or Picture');
    const add = page.getByRole('button', { name: 'Add foreign key: visits (customer_id)' });
    await add.click(PATIENT);
    await expect(sqlOf(view)).toContainText('customer_id INTEGER REFERENCES customers (id) -- who came');
    await expect(facts(view)).toContainText('1 row refers to no row of “customers”', PATIENT);
    await expect(view.dialog.getByRole('button', { name: 'Add foreign key' })).toBeDisabled();
    await facts(view).getByRole('button', { name: 'Show rows' }).click();
    const grid = view.grid('Rows of visits');
    await expect(grid.cell(0, 'customer_id')).toHaveText('9', PATIENT);
    await expect(grid.rows).toHaveCount(1);
    await grid.edit(0, 'customer_id', '2');
    await expect(grid.rows).toHaveCount(0, PATIENT);
    await tab(view, 'Diagram').click();
    await add.click(PATIENT);
    await expect(facts(view)).toContainText('Every value exists in “customers”', PATIENT);
    await expect(facts(view)).toContainText('Rebuilds the table and compares every value: 2 rows');
    await view.dialog.getByRole('button', { name: 'Add foreign key' }).click();
    await expect(view.messages).toContainText(
      'Added a foreign key to table “visits”. Every value of 2 rows was compared.',
      PATIENT,
    );
    await expect(add).toHaveCount(0, PATIENT);
    await view.command('Undo');
    await expect(add).toBeVisible(PATIENT);
  },
);

test(
  'views, triggers and indexes are renamed and dropped; tables are copied and emptied; other windows follow',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = await openShop(idleApp, 'copy');
    const other = await view.secondWindow(idleApp, 'shop');
    await other.openTable('orders');
    await act(view, 'totals', 'Rename…');
    await view.dialog.getByLabel('New name').fill('sums');
    await expect(facts(view)).toContainText('Recreated: trigger no_totals');
    await expect(facts(view)).toContainText('1 view will stop working: view best');
    await expect(sqlOf(view)).toContainText('CREATE VIEW "sums" AS SELECT customer');
    await view.dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(view.treeItem('sums')).toBeVisible(PATIENT);
    await expect(view.treeItem('no_totals')).toBeVisible();
    await view.command('Undo');
    await expect(view.treeItem('totals')).toBeVisible(PATIENT);

    await act(view, 'by_customer', 'Rename…');
    await view.dialog.getByLabel('New name').fill('orders');
    await expect(view.dialog.getByRole('status')).toHaveText('A table with this name already exists.');
    await expect(view.dialog.getByRole('button', { name: 'Rename' })).toBeDisabled();
    await view.dialog.getByLabel('New name').fill('of_customer');
    await view.dialog.getByLabel('New name').press('Enter');
    await expect(view.treeItem('of_customer')).toBeVisible(PATIENT);

    // The palette has the actions of any object.
    await view.page.keyboard.press('Control+p');
    await view.page.keyboard.type('of_customer');
    await view.page.keyboard.press('Tab');
    await view.page.keyboard.type('drop');
    await view.page.keyboard.press('Enter');
    await expect(sqlOf(view)).toHaveText('DROP INDEX main."of_customer";');
    await view.page.keyboard.press('Escape');

    await view.openTable('orders');
    await view.command('Duplicate Table');
    await expect(view.dialog.getByLabel('New name')).toHaveValue('orders_copy');
    await expect(sqlOf(view)).toContainText('INSERT OR ABORT INTO main."orders_copy"');
    await view.dialog.getByRole('checkbox', { name: 'Include its 3 rows' }).uncheck();
    await expect(sqlOf(view)).not.toContainText('INSERT');
    await view.dialog.getByRole('checkbox').check();
    await view.dialog.getByRole('button', { name: 'Duplicate' }).click();
    await expect(other.treeItem('orders_copy')).toContainText('3', PATIENT);

    await view.command('Empty Table');
    await expect(sqlOf(view)).toHaveText('DELETE FROM main."orders";');
    await view.dialog.getByRole('button', { name: 'Empty' }).click();
    await expect(other.grid('Rows of orders').root.page().getByText('No rows.')).toBeVisible(PATIENT);
    await view.command('Undo');
    await expect(other.grid('Rows of orders').cell(0, 'amount')).toHaveText('100', PATIENT);

    await act(view, 'orders', 'Rename…');
    await view.dialog.getByLabel('New name').fill('sales');
    await view.dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(other.grid('Rows of sales').cell(0, 'amount')).toHaveText('100', PATIENT);

    // Customers are needed by the foreign key of what are now sales.
    await act(view, 'customers', 'Drop…');
    await expect(facts(view)).toContainText(
      'Foreign keys of “sales” and “orders_copy” will refer to a table that does not exist',
    );
    await view.page.keyboard.press('Escape');
    await expect(view.treeItem('customers')).toBeVisible();
  },
);
