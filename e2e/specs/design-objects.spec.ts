// Designing indexes, views and triggers: the form and the SQL in step, what is in the way is shown and put right, Undo takes it back.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { TestedApp } from '../tested-app.ts';

const PATIENT = { timeout: 30_000 };

const SHOP = `CREATE TABLE customers (id INTEGER PRIMARY KEY, mail TEXT, city TEXT);
  CREATE TABLE log (what);
  CREATE VIEW mails AS SELECT id, mail FROM customers; -- for letters
  INSERT INTO customers VALUES (1, 'ant@x', 'Ulm'), (2, 'bee@x', 'Bonn'), (3, 'ant@x', 'Bonn');`;

async function openShop(app: TestedApp, name = 'shop'): Promise<AppWindow> {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  await view.opened(name);
  return view;
}

async function choose(view: AppWindow, object: string, item: string): Promise<void> {
  await view.page.getByRole('treeitem', { name: object }).first().click({ button: 'right' });
  await view.page.getByRole('menuitem', { name: item }).click();
}

const editor = (view: AppWindow) => view.page.getByRole('textbox', { name: 'SQL' });
const changes = (view: AppWindow) => view.page.getByRole('region', { name: 'Changes' });
const plan = (view: AppWindow) => view.page.getByRole('list', { name: 'What the change would do' });

/** What cannot lose anything is kept at once. */
async function kept(view: AppWindow, message: string): Promise<void> {
  await expect(view.messages).toContainText(message, PATIENT);
  await expect(changes(view)).toContainText('No changes', PATIENT);
}

async function keep(view: AppWindow): Promise<void> {
  await expect(changes(view)).toContainText('Done and checked', PATIENT);
  await changes(view).getByRole('button', { name: 'Keep' }).click();
  await expect(changes(view)).toContainText('No changes', PATIENT);
}

test(
  'a unique index that rows prevent: they are counted, edited, and the index is created; then it is changed and undone',
  { tag: '@long' },
  async ({ anyApp }) => {
    const view = await openShop(anyApp);
    const { page } = view;
    await choose(view, 'customers', 'Design table');
    await page.getByRole('button', { name: 'Add index…' }).click();
    await page.getByLabel('Name of the index').fill('by mail', PATIENT);
    await page.getByLabel('Name of the index').press('Enter');
    await page.getByLabel('Column 1', { exact: true }).selectOption('mail');
    await page.getByLabel('UNIQUE').check();
    await expect(editor(view)).toHaveText('CREATE UNIQUE INDEX "by mail" ON customers (mail)');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(plan(view)).toContainText('2 rows would have the same “mail” as another row', PATIENT);
    await plan(view).getByRole('button', { name: 'Show rows' }).click();
    const grid = view.grid('Rows of customers');
    await expect(view.status).toContainText('2 rows', PATIENT);
    await grid.edit(1, 'mail', 'cat@x');
    await expect(view.status).toContainText('0 rows', PATIENT);
    await view.tabs.filter({ hasText: 'New index' }).click();
    await page.getByRole('button', { name: 'Create index' }).click();
    await kept(view, 'Created index “by mail”.');
    await expect(page.getByRole('treeitem', { name: 'by mail' })).toBeVisible();

    // The same tab changes it now.
    await page.getByRole('button', { name: 'Add expression' }).click();
    await expect(page.getByLabel('Expression 2')).toBeFocused();
    await page.keyboard.type('city || mail');
    await page.keyboard.press('Enter');
    await page.getByLabel('Collation of column 2').selectOption('NOCASE');
    await page.getByLabel('Order of column 2').selectOption('Descending');
    await page.getByRole('button', { name: 'Move column 2 up' }).click();
    // The focus stays with what was moved.
    await expect(page.getByRole('button', { name: 'Move column 1 up' })).toBeFocused();
    await page.getByLabel('Only where').fill('id > 0');
    await page.getByLabel('Only where').press('Enter');
    await expect(editor(view)).toHaveText(
      'CREATE UNIQUE INDEX "by mail" ON customers ((city || mail) COLLATE NOCASE DESC, mail) WHERE id > 0',
    );
    await expect(changes(view).getByRole('listitem')).toHaveText([
      'Its columns become (city || mail) COLLATE NOCASE DESC, mail',
      'It covers only rows where id > 0',
    ]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await kept(view, 'Changed index “by mail”.');
    await view.messages.getByRole('button', { name: 'Undo' }).click();
    await expect(view.messages).toContainText('Undid');
    await view.runSql("SELECT sql AS v FROM sqlite_schema WHERE name = 'by mail'");
    await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText(
      'CREATE UNIQUE INDEX "by mail" ON customers (mail)',
    );
  },
);

test(
  'a full-text table of a table is created, filled, and filled again with another tokenizer; an R-Tree gets a dimension',
  { tag: ['@web', '@long'] },
  async ({ anyApp }) => {
    const view = await openShop(anyApp);
    const { page } = view;
    await choose(view, 'customers', 'New full-text table from this…');
    await expect(page.getByLabel('Where the text is')).toHaveValue('external', PATIENT);
    await expect(page.getByLabel('Column with the row id')).toHaveValue('id');
    await page.getByLabel('Prefixes').fill('2');
    await page.getByLabel('Prefixes').press('Enter');
    await page.getByLabel('Searched: city').uncheck();
    await expect(editor(view).locator('.cm-line')).toHaveText([
      'CREATE VIRTUAL TABLE customers_search USING fts5 (',
      '  mail,',
      '  city UNINDEXED,',
      "  content='customers',",
      "  content_rowid='id',",
      '  prefix=2',
      ')',
    ]);
    await page.getByRole('button', { name: 'Create virtual table' }).click();
    await kept(view, 'Created virtual table “customers_search”.');
    await page.getByRole('button', { name: 'Add column' }).click();
    await expect(page.getByLabel('Name of column 3')).toBeFocused();
    await page.getByRole('button', { name: 'Remove column 3' }).click();
    await expect(page.getByRole('button', { name: 'Remove column 2' })).toBeFocused();
    await page.getByLabel('Tokenizer').selectOption('trigram');
    await page.getByLabel('Case-sensitive').check();
    await expect(changes(view).getByRole('listitem')).toHaveText(["“tokenize” becomes 'trigram case_sensitive 1'"]);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(plan(view)).toContainText('Rebuilds the table “customers_search”: 3 rows', PATIENT);
    await page.getByRole('button', { name: 'Apply' }).click();
    await keep(view);
    await page.getByRole('button', { name: 'Write triggers that keep it up to date…' }).click();
    await expect(editor(view)).toContainText("VALUES ('delete', old.id, old.mail, old.city)", PATIENT);
    await view.runSql("SELECT group_concat(rowid) AS v FROM customers_search('ant')");
    await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText('1,3');

    await view.command('New R-Tree Table…');
    await page.getByRole('button', { name: 'Add dimension' }).click(PATIENT);
    await expect(page.getByLabel('Smallest value of dimension 3')).toBeFocused();
    await page.getByRole('button', { name: 'Remove dimension 1' }).click();
    await expect(page.getByRole('button', { name: 'Remove dimension 1' })).toBeFocused();
    await page.getByRole('button', { name: 'Add column' }).click();
    await expect(page.getByLabel('Name of column 1')).toBeFocused();
    await page.getByLabel('Coordinates', { exact: true }).selectOption('rtree_i32');
    await expect(editor(view)).toContainText('new_rtree USING rtree_i32');
    await expect(editor(view)).toContainText(/min_y, max_y,\s*min_1,\s*max_1,\s*\+column_1/);
    await page.getByRole('button', { name: 'Create virtual table' }).click();
    await kept(view, 'Created virtual table “new_rtree”.');
  },
);

test(
  'a view and a trigger of a file in place: what would not compile is told before it is created',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const view = await openShop(idleApp, 'shop.db');
    const { page } = view;
    await choose(view, 'mails', 'Design view');
    await expect(page.getByLabel('Name of the view')).toHaveValue('mails', PATIENT);
    await write(view, 'CREATE VIEW mails AS SELECT id, gone FROM customers');
    await expect(changes(view).getByRole('listitem')).toHaveText(['Its query changes']);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(plan(view)).toContainText(
      'The view “mails” would not compile: There is no column named “gone”',
      PATIENT,
    );
    await expect(page.getByRole('button', { name: 'Apply anyway' })).toBeVisible();
    await write(view, 'CREATE VIEW mails AS SELECT id, mail, city FROM customers');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await kept(view, 'Changed view “mails”.');

    await page.getByRole('button', { name: 'Add trigger…' }).click();
    await expect(page.getByLabel('Timing')).toHaveValue('INSTEAD OF', PATIENT);
    await page.getByLabel('Table or view').selectOption('customers');
    await expect(page.getByLabel('Timing')).toHaveValue('AFTER');
    await page.getByLabel('Event').selectOption('UPDATE');
    await page.getByLabel('Of columns, add a column').selectOption('mail');
    await page.getByLabel('Only when').fill('new.mail IS NOT old.mail');
    await page.getByLabel('Only when').press('Enter');
    await writeStatement(view, 'INSERT INTO log VALUES (new.wrong);');
    await expect(editor(view).locator('.cm-line')).toHaveText([
      // Its name follows the table.
      'CREATE TRIGGER customers_trigger',
      'AFTER UPDATE OF mail ON customers WHEN new.mail IS NOT old.mail',
      'BEGIN',
      '  -- new.column is the value after the change, old.column the one before it.',
      '  INSERT INTO log VALUES (new.wrong);',
      'END',
    ]);
    await page.getByRole('button', { name: 'Create trigger' }).click();
    await expect(plan(view)).toContainText('would not compile: There is no column named “new.wrong”', PATIENT);
    await writeStatement(view, 'INSERT INTO log VALUES (new.mail);');
    await page.getByRole('button', { name: 'Create trigger' }).click();
    await kept(view, 'Created trigger “customers_trigger”.');
    await expect(editor(view)).toContainText(/CREATE TRIGGER customers_trigger\s*AFTER/);
    await view.runSql("UPDATE customers SET mail = 'dog@x' WHERE id = 1; SELECT what AS v FROM log");
    await expect(view.grid(/Rows of result/).cell(0, 'v')).toHaveText('dog@x');
  },
);

/** Replaces the first statement. */
async function writeStatement(view: AppWindow, sql: string): Promise<void> {
  await view.page.getByRole('button', { name: 'Edit the statements' }).click();
  await expect(editor(view)).toBeFocused();
  await view.page.keyboard.press('Shift+End');
  await overwrite(view, sql);
}

async function write(view: AppWindow, sql: string): Promise<void> {
  await editor(view).focus();
  await view.page.keyboard.press('Control+a');
  await overwrite(view, sql);
}

/** Text over a selection keeps its colors as an inline style, which the content policy rejects: the selection goes first. */
async function overwrite(view: AppWindow, sql: string): Promise<void> {
  await view.page.keyboard.press('Delete');
  await view.page.keyboard.insertText(sql);
}
