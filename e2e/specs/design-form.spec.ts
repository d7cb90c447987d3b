// The form of a table that is designed: where the focus goes, what a foreign key begins with, and types that STRICT does not take.
import { expect, test } from '../fixtures.ts';
import { write } from '../pages/query-page.ts';
import { design, editor, openShop, ORDERS, PATIENT } from '../support/design-shop.ts';

test('what is added has the focus, by keyboard alone: typing replaces its text, and nothing is added twice', async ({
  anyApp,
}) => {
  const view = await openShop(anyApp);
  const { page } = view;
  const { keyboard } = page;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await design(view, 'orders');
  await button('Add check').focus();
  await keyboard.press('Space');
  await expect(page.getByLabel('Check', { exact: true })).toBeFocused();
  await keyboard.type('amount > 0 AND amount < 9');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Check', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Check', { exact: true })).toHaveValue('amount > 0 AND amount < 9');
  await button('Add column').focus();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Name of column 4')).toBeFocused();
  await keyboard.type('with spaces');
  await keyboard.press('Tab');
  await expect(page.getByLabel('Type of with spaces')).toBeFocused();
  await keyboard.type('INT');
  await keyboard.press('Tab');
  await expect(page.getByLabel('Primary key: with spaces')).toBeFocused();
  await button('Add unique key').focus();
  await keyboard.press('Space');
  const uniqueKeys = page.getByRole('region', { name: 'Unique keys' });
  await expect(uniqueKeys.getByRole('combobox').nth(3)).toBeFocused();
  // Each column that is added or removed leaves the focus in the key.
  await uniqueKeys.getByLabel('Unique key, add a column').nth(1).focus();
  await uniqueKeys.getByLabel('Unique key, add a column').nth(1).selectOption('amount');
  await expect(uniqueKeys.getByLabel('Unique key, column 3')).toBeFocused();
  await uniqueKeys.getByLabel('Unique key, column 3').selectOption('with spaces');
  await expect(uniqueKeys.getByLabel('Unique key, column 3')).toBeFocused();
  await uniqueKeys.getByLabel('Unique key, column 3').selectOption('Remove');
  await expect(uniqueKeys.getByLabel('Unique key, column 2').nth(1)).toBeFocused();
  await expect(editor(view).locator('.cm-line')).toHaveText([
    ...ORDERS.split('\n').slice(0, -3),
    '  amount INT,',
    '  "with spaces" INT,',
    '  UNIQUE (customer, amount),',
    '  CHECK (amount > 0 AND amount < 9),',
    '  UNIQUE (id, customer)',
    ')',
  ]);

  // Removing one moves the focus to its neighbor; removing the last one, to the button that adds one.
  const removes = uniqueKeys.getByRole('button', { name: 'Remove the unique key' });
  await removes.nth(1).focus();
  await keyboard.press('Enter');
  await expect(removes).toBeFocused();
  await keyboard.press('Enter');
  await expect(button('Add unique key')).toBeFocused();
});

test(
  'a new foreign key begins with the selected column and its likely table, and one without a table cannot run',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = await openShop(idleApp);
    const { page } = view;
    await design(view, 'customers');
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.keyboard.type('order_id');
    await page.keyboard.press('Tab');
    await page.keyboard.type('INTEGER');
    await page.getByRole('button', { name: 'Add foreign key' }).click();
    await expect(page.getByLabel('Foreign key, column 1')).toBeFocused();
    await expect(editor(view)).toContainText('order_id INTEGER REFERENCES orders (id)');
    // Its place in the statement follows its column, and the focus its select.
    await page.getByLabel('Foreign key, column 1').selectOption('name');
    await expect(page.getByLabel('Foreign key, column 1')).toBeFocused();
    await page.getByRole('button', { name: 'Remove the foreign key' }).click();
    await expect(page.getByRole('button', { name: 'Add foreign key' })).toBeFocused();

    await page.getByLabel('Name of column 2').click();
    await page.getByRole('button', { name: 'Add foreign key' }).click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect(changes).toContainText('Choose the table that the foreign key of “name” refers to.');
    await expect(changes).toContainText('Adds a foreign key from “name” to a table that has not been chosen');
    await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await expect(page.getByLabel('Referenced table')).toHaveValue('');
    await page.getByLabel('Foreign key, column 1').selectOption('order_id');
    await expect(page.getByLabel('Referenced table')).toHaveValue('orders');
    await expect(page.getByRole('button', { name: 'Apply' })).toBeEnabled();
  },
);

test(
  'STRICT with types that it does not take: they are marked, and converted with one click',
  { tag: '@long' },
  async ({ anyApp }) => {
    const view = await openShop(anyApp);
    const { page } = view;
    await design(view, 'customers');
    await write(view.page, 'CREATE TABLE customers (id INTEGER PRIMARY KEY, name NVARCHAR(160) NOT NULL, born DATE)');
    const strict = page.getByLabel('STRICT', { exact: true });
    await strict.check();
    await expect(page.getByRole('list', { name: 'Types to convert' }).getByRole('listitem')).toHaveText([
      '“name”: NVARCHAR(160) → TEXT',
      '“born”: DATE → ANY',
    ]);
    const takes = 'A STRICT table takes only the types INT, INTEGER, REAL, TEXT, BLOB, and ANY.';
    await expect(page.getByLabel('Type of name')).toHaveAttribute('title', takes);
    await expect(page.getByLabel('Type of name')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Type of id')).not.toHaveAttribute('aria-invalid');
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect(changes).toContainText(`${takes} “name” is NVARCHAR(160) and “born” is DATE.`);
    await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await page.getByRole('button', { name: 'Convert 2 types' }).click();
    await expect(strict).toBeFocused();
    await expect(editor(view)).toHaveText(
      'CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born ANY) STRICT',
    );
    await expect(page.getByLabel('Type of name')).not.toHaveAttribute('aria-invalid');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(changes).toContainText('Done and checked', PATIENT);
    await expect(changes).toContainText('2 rows before, 2 after');
  },
);
