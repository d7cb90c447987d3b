// Filling a table with sample rows, on both engines: what is suggested, what is chosen by hand, Stop, and Undo.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { settled } from '../support/settled.ts';

const PATIENT = { timeout: 30_000 };

const SHOP = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, status TEXT CHECK (status IN ('new', 'gone')), joined_on TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT NOT NULL REFERENCES customers, amount REAL CHECK (amount > 0), code TEXT);
  CREATE TABLE log (what TEXT);
  CREATE TRIGGER noted AFTER INSERT ON customers BEGIN INSERT INTO log VALUES (new.name); END;
  -- Makes what comes after 300 rows last for minutes, so that it cannot end before it is stopped.
  CREATE TRIGGER slow AFTER INSERT ON orders WHEN new.id > 300 BEGIN
    SELECT count(*) FROM (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n);
  END;`;

for (const opens of ['copy', 'in-place'] as const)
  test(
    `an empty table is filled by its columns, by hand, stopped, and undone in one step, ${opens}`,
    { tag: opens === 'in-place' ? '@long' : [] },
    async ({ idleApp }) => {
      idleApp.opensFiles = opens;
      const view = new AppWindow(await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP }))); // prettier-ignore
      const { page } = view;
      await view.opened('shop');
      const bar = page.getByRole('toolbar', { name: 'Sample rows' });
      const preview = page.getByRole('region', { name: 'Preview' });
      const value = (label: string) => page.getByRole('textbox', { name: label });
      const source = (column: string) => page.getByRole('combobox', { name: `Values of ${column}` });

      // A table whose parents are missing says what to do first.
      await view.treeItem('orders').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Fill with sample rows…' }).click();
      await expect(preview.getByRole('alert')).toContainText('“customers”, which has no rows', PATIENT);

      // Start from the page of the empty table. What is suggested fits names, types and constraints.
      await view.treeItem('customers').dblclick();
      await page.getByRole('button', { name: 'Fill with sample rows…' }).click(PATIENT);
      await expect(preview.getByRole('status')).toHaveText('First 50 rows, as stored', PATIENT);
      await expect(source('name').locator('option:checked')).toHaveText('Full names');
      await expect(source('email').locator('option:checked')).toHaveText('Email addresses');
      await expect(value('List of status')).toHaveValue('new, gone');
      const rows = view.grid('Rows as they will be stored');
      const first = await settled(() => rows.cell(0, 'name').textContent());

      // Choose and edit a source by hand.
      await source('name').selectOption('A pattern');
      await value('Pattern of name').fill('N-{x|y}');
      await value('Pattern of name').press('Enter');
      await expect(rows.cell(0, 'name')).toHaveText(/^N-[xy]$/, PATIENT);
      await page.getByRole('button', { name: 'Suggested values' }).click();
      await expect(rows.cell(0, 'name')).toHaveText(first!, PATIENT);
      await bar.getByRole('textbox', { name: 'Rows' }).fill('2000');
      await page.keyboard.press('Enter');
      await bar.getByRole('button', { name: 'Insert 2,000 rows' }).click();
      await expect(page.getByText(/^2,000 rows were inserted into “customers” in /)).toBeVisible(PATIENT);

      // The table that refers to it now works, with the rows of the trigger where they belong.
      await view.tabs.filter({ hasText: 'Sample rows for orders' }).click();
      await expect(preview.getByRole('status')).toHaveText('First 50 rows, as stored', PATIENT);
      await bar.getByRole('textbox', { name: 'Rows' }).fill('300');
      await page.keyboard.press('Enter');
      await bar.getByRole('button', { name: 'Insert 300 rows' }).click();
      await expect(page.getByText(/^300 rows were inserted/)).toBeVisible(PATIENT);

      // Stop leaves the table as it was.
      await bar.getByRole('textbox', { name: 'Rows' }).fill('5,000,000');
      await page.keyboard.press('Enter');
      await bar.getByRole('button', { name: 'Insert 5,000,000 rows' }).click();
      await bar.getByRole('button', { name: 'Stop' }).click(PATIENT);
      await expect(page.getByText('Inserting sample rows was stopped. Everything is as it was before.')).toBeVisible(
        PATIENT,
      );
      const counts =
        'SELECT (SELECT count(*) FROM customers) || (SELECT count(*) FROM orders) || (SELECT count(*) FROM log) || (SELECT count(*) FROM pragma_foreign_key_check) AS v';
      await view.runSql(counts);
      await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText('200030020000');

      // One step of the history each.
      await view.tabs.filter({ hasText: 'Sample rows for customers' }).click();
      await expect(page.getByRole('button', { name: 'Open table' })).toBeVisible();
      await view.command('Undo');
      await expect(view.messages).toContainText('Undid', PATIENT);
      await view.runSql(counts);
      await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText('2000020000');
    },
  );

for (const opens of ['copy', 'in-place'] as const)
  test(
    `an opened table has the focus, and its count follows an Undo behind the rows it shows, ${opens}`,
    { tag: '@long' },
    async ({ idleApp }) => {
      idleApp.opensFiles = opens;
      const notes = `CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO notes SELECT i, 'note ' || i FROM n;`;
      const view = new AppWindow(await idleApp.start(makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'sql', sql: notes }))); // prettier-ignore
      const { page } = view;
      await view.opened('notes');
      await view.treeItem('notes').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Fill with sample rows…' }).click();
      await page.getByRole('textbox', { name: 'Rows' }).fill('4000');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Insert 4,000 rows' }).click(PATIENT);
      await page.getByRole('button', { name: 'Open table' }).click(PATIENT);
      await expect(view.grid('Rows of notes').root).toBeFocused(PATIENT);
      await expect(view.status).toContainText('4,500 rows', PATIENT);
      await page.keyboard.press('Control+z');
      await expect(view.status).toContainText(/^500 rows/, PATIENT);
      await expect(view.treeItem('notes')).toContainText(/^notes500$/);
      await page.keyboard.press('Control+End');
      await expect(view.grid('Rows of notes').cell(499, 'body')).toHaveText('note 500', PATIENT);
    },
  );
