// Designing tables of a database on a libSQL server: what ALTER cannot do is made anew there, with proof, and kept at once.
import type { Page } from '@playwright/test';
import { findings } from '../findings.ts';
import type { AppWindow } from '../pages/app-window.ts';
import { expect, test } from '../server-fixtures.ts';

const PATIENT = { timeout: 30_000 };

const changes = (page: Page) => page.getByRole('region', { name: 'Changes' });

async function design(view: AppWindow, table: string): Promise<void> {
  await view.page.getByRole('treeitem', { name: table, exact: false }).first().click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: 'Design table' }).click();
  await expect(view.page.getByLabel('Name of the table')).toHaveValue(table, PATIENT);
}

test(
  'a table on a server is made anew in the form, with what belongs to it, and every value is compared',
  { tag: '@long' },
  async ({ page, server }) => {
    await server.run(
      'CREATE VIEW cheap AS SELECT name FROM item WHERE price < 2',
      'CREATE INDEX item_name ON item (name)',
      'CREATE TABLE log (item)',
      'CREATE TRIGGER priced AFTER UPDATE OF price ON item BEGIN INSERT INTO log VALUES (new.id); END',
      'CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE)',
      'INSERT INTO sale VALUES (1, 1), (2, 3)',
    );
    const before = await server.run('SELECT group_concat(quote(name) || quote(price)) FROM item');
    const view = await server.openIn(page);
    await design(view, 'item');
    await page.getByLabel('Strict').check();
    await changes(page).getByRole('button', { name: 'Check' }).click();
    await expect(changes(page)).toContainText('Rebuilds the table “item”', PATIENT);
    await expect(changes(page)).toContainText('The server writes each row twice');
    expect(await findings(page, 'remote-plan', 'light')).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(view.messages).toContainText('Saved item on the server. Every value of 3 rows was compared.', PATIENT);
    await expect(changes(page)).toContainText('No changes');
    expect(
      await server.run(
        "SELECT sql LIKE '%STRICT' FROM sqlite_schema WHERE name = 'item'",
        'SELECT group_concat(quote(name) || quote(price)) FROM item',
        "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name IN ('cheap', 'item_name', 'priced') ORDER BY 1)",
        'SELECT count(*) FROM sale',
        "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'sidelite%'",
      ),
    ).toEqual(['1', ...before, 'cheap,item_name,priced', '2', '0']);
  },
);

test(
  'rows that do not fit are shown before, and a change that fails leaves everything as it was',
  { tag: '@long' },
  async ({ page, server }) => {
    await server.run("INSERT INTO item (id, name, price) VALUES (7, 'none', NULL)");
    const view = await server.openIn(page);
    await design(view, 'item');
    await page.getByLabel('Not null: price').check();
    await changes(page).getByRole('button', { name: 'Check' }).click();
    await expect(changes(page)).toContainText('1 row would have NULL in “price”, which is NOT NULL.', PATIENT);
    await changes(page).getByRole('button', { name: 'Show rows' }).click();
    await expect(view.grid('Rows of item').cell(0, 'name')).toHaveText('none', PATIENT);
  },
);
