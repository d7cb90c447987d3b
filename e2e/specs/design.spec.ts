// Designing tables: the form and the SQL in step, what is not changed stays as it is, a report before anything is kept, and Undo.
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { write } from '../pages/query-page.ts';
import { writeClipboard } from '../support/clipboard.ts';
import { design, editor, openShop, ORDERS, PATIENT } from '../support/design-shop.ts';
import { boxOf } from '../support/settled.ts';

test(
  'a table is changed in the form: its SQL follows, comments stay, a report comes before Keep, Undo takes it back',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const view = await openShop(anyApp);
    const { page } = view;
    await design(view, 'orders');
    await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await page.getByLabel('Name of column 3').fill('price');
    await page.getByLabel('Name of column 3').press('Enter');
    await page.getByLabel('Not null: price').check();
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByLabel('Name of column 4').fill('note');
    await page.getByLabel('Name of column 4').press('Enter');
    await page.getByRole('textbox', { name: 'Comment' }).fill('free text');
    await page.getByRole('textbox', { name: 'Comment' }).press('Enter');
    const expected = [
      'CREATE TABLE orders ( -- every order',
      '  id INTEGER PRIMARY KEY,',
      '  customer INT REFERENCES customers(id) ON DELETE CASCADE, -- who pays',
      '  -- in cents',
      '  price INT NOT NULL,',
      '  note TEXT, -- free text',
      '  UNIQUE (customer, price)',
      ')',
    ];
    await expect(editor(view).locator('.cm-line')).toHaveText(expected);
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect(changes.getByRole('listitem')).toHaveText([
      'Renames the column “amount” to “price”',
      'Adds the column “note”',
      '“price” becomes NOT NULL',
    ]);
    expect(await findings(page, 'design', 'light')).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(changes).toContainText('Done and checked', PATIENT);
    await expect(changes).toContainText('3 rows before, 3 after');
    await changes.getByRole('button', { name: 'Keep' }).click();
    await expect(changes).toContainText('No changes', PATIENT);
    await view.runSql('SELECT group_concat(name || "notnull") AS v FROM pragma_table_info(\'orders\')');
    await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText('id0,customer0,price1,note0');
    await view.command('Undo');
    await view.dialog.getByRole('button', { name: 'Undo' }).click();
    // The design that was kept shows the table as it is again.
    await view.tabs.filter({ hasText: 'Design orders' }).click();
    await expect(page.getByLabel('Name of column 3')).toHaveValue('amount');
    await expect(editor(view).locator('.cm-line')).toHaveText(ORDERS.split('\n'));
    await expect(changes).toContainText('No changes');
    await view.runSql("SELECT sql AS v FROM sqlite_schema WHERE name = 'orders'");
    await expect(view.grid('Rows of result 1').cell(0, 'v')).toContainText('amount INT');
  },
);

test('the SQL is changed by hand: the form follows, and waits while the text is not complete', async ({ anyApp }) => {
  const view = await openShop(anyApp);
  const { page } = view;
  await design(view, 'customers');
  await write(view.page, 'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city');
  await expect(page.getByText('The SQL is not complete', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await page.keyboard.press('End');
  await page.keyboard.type(" TEXT DEFAULT 'x')");
  await expect(page.getByLabel('Name of column 3')).toHaveValue('city');
  await expect(page.getByRole('region', { name: 'Changes' }).getByRole('listitem')).toHaveText([
    'Adds the column “city”',
  ]);
  await page.getByRole('button', { name: 'Revert' }).click();
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText('No changes');

  // A table that is renamed elsewhere stays the one that is designed, also while the tab is hidden.
  for (const [from, to] of [
    ['customers', 'clients'],
    ['clients', 'the clients'],
  ] as const) {
    await view.runSql(`ALTER TABLE ${from} RENAME TO "${to}"`);
    await view.tabs.filter({ hasText: `Design ${to}` }).click();
    await expect(page.getByLabel('Name of the table')).toHaveValue(to);
    const changes = page.getByRole('region', { name: 'Changes' });
    if (from === 'customers') await expect(changes).toContainText('No changes');
    else await expect(changes.getByRole('listitem')).toHaveText(['Adds the column “town”']);
    await write(view.page, `CREATE TABLE "${to}" (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT)`);
    await expect(changes.getByRole('listitem')).toHaveText(['Adds the column “town”']);
  }
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText('Done and checked', PATIENT);
});

test('a new table with a foreign key, and what SQLite rejects is said', { tag: '@long' }, async ({ idleApp }) => {
  const view = await openShop(idleApp);
  const { page } = view;
  await view.command('New Table…');
  await page.getByLabel('Name of the table').fill('order items', PATIENT);
  await page.getByLabel('Name of the table').press('Enter');
  await page.getByRole('button', { name: 'Add column' }).click();
  await page.getByLabel('Type of column_1').fill('INTEGER');
  await page.getByLabel('Type of column_1').press('Enter');
  await page.getByRole('button', { name: 'Add foreign key' }).click();
  await page.getByLabel('Referenced table').selectOption('orders');
  await page.getByLabel('Foreign key, column 1').selectOption('column_1');
  await page.getByRole('combobox', { name: 'On delete' }).selectOption('CASCADE');
  await expect(editor(view)).toContainText('column_1 INTEGER REFERENCES orders ON DELETE CASCADE');
  // In a small window the SQL is below the form.
  const window = await idleApp.electron.browserWindow(page);
  await window.evaluate((it) => it.setContentSize(800, 600));
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(800);
  await page.getByRole('button', { name: 'Create table' }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(page.getByRole('treeitem', { name: 'order items' })).toBeVisible(PATIENT);
  await expect(changes).toContainText('No changes', PATIENT);
  await page.getByLabel('Name of the table').fill('customers');
  await page.getByLabel('Name of the table').press('Enter');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(changes.getByRole('alert')).toContainText('customers');
});

test(
  'what a change would do is told before it is made, with the rows that are in the way',
  { tag: '@long' },
  async ({ anyApp }) => {
    const view = await openShop(anyApp);
    const { page } = view;
    await view.writeSql('SELECT sum(amount) FROM orders');
    await view.command('Save Query');
    await view.dialog.getByLabel('Name').fill('Turnover');
    await view.dialog.getByRole('button', { name: 'Save' }).click();
    await design(view, 'orders');
    await write(view.page, ORDERS.replace('UNIQUE (customer, amount)', 'UNIQUE (customer)'));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const plan = page.getByRole('list', { name: 'What the change would do' });
    await expect(plan).toContainText('Rebuilds the table “orders”: 3 rows', PATIENT);
    await expect(plan).toContainText('would have the same “customer” as another row');
    await expect(plan).toContainText('view totals');
    await expect(plan).toContainText('Saved queries that mention it are not changed: Turnover');
    // It would fail the same way, and nothing is changed.
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('region', { name: 'Changes' }).getByRole('alert')).toBeVisible(PATIENT);
    await plan.getByRole('button', { name: 'Show as SQL' }).click();
    await expect(editor(view)).toBeFocused();
    await page.keyboard.press('F5');
    await expect(view.grid('Rows of result 1').cell(0, 'customer')).toHaveText('1');
  },
);

test('messages in a small window cover no button of a change', { tag: '@long' }, async ({ idleApp }) => {
  const view = await openShop(idleApp);
  const { page } = view;
  await (await idleApp.electron.browserWindow(page)).evaluate((it) => it.setContentSize(800, 560));
  const grid = await view.openTable('customers');
  await grid.click(0, 'name');
  await page.keyboard.press('Alt+Backspace');
  await expect(view.messages.getByRole('alert')).toHaveCount(1);
  await grid.click(0, 'id');
  await writeClipboard(page, 'not a number');
  await page.keyboard.press('Control+v');
  await expect(view.messages.getByRole('alert')).toHaveCount(2);
  await design(view, 'customers');
  // Until something is changed, the text has most of the height.
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes).toHaveText(/^No changes/);
  expect((await boxOf(changes)).height).toBeLessThan(150);
  await page.getByLabel('Name of column 2').fill('title');
  await page.getByLabel('Name of column 2').press('Enter');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Apply' })).toBeVisible();
  await expect(view.messages.getByRole('alert')).toHaveCount(2);
});
