// A shop of two tables, for specs that design them.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { TestedApp } from '../tested-app.ts';

export const PATIENT = { timeout: 30_000 };

export const ORDERS = `CREATE TABLE orders ( -- every order
  id INTEGER PRIMARY KEY,
  customer INT REFERENCES customers(id) ON DELETE CASCADE, -- who pays
  -- in cents
  amount INT,
  UNIQUE (customer, amount)
)`;

const SHOP = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  ${ORDERS};
  CREATE INDEX by_customer ON orders(customer);
  CREATE VIEW totals AS SELECT customer, count(*) orders FROM orders GROUP BY customer;
  INSERT INTO customers VALUES (1, 'ant'), (2, 'bee');
  INSERT INTO orders VALUES (1, 1, 100), (2, 1, 250), (3, 2, 700);`;

export async function openShop(app: TestedApp): Promise<AppWindow> {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  await view.opened('shop');
  return view;
}

export async function design(view: AppWindow, table: string): Promise<void> {
  await view.page.getByRole('treeitem', { name: table, exact: false }).first().click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Design table' }).click();
  await expect(view.page.getByLabel('Name of the table')).toHaveValue(table, PATIENT);
}

export const editor = (view: AppWindow) => view.page.getByRole('textbox', { name: 'SQL' });
