// Finding a text in a table: from row to row, in the order and with the filter that are shown.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const ROWS = 20_000;
/** “needle” is in each 3,000th row, in turns in one column and in the other. */
const TABLE = `
  CREATE TABLE stack (id INTEGER PRIMARY KEY, straw TEXT, hay TEXT);
  INSERT INTO stack WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
  SELECT i, iif(i % 6000 = 0, 'a Needle', 'straw ' || i), iif(i % 6000 = 3000, 'needle', 'hay') FROM n;
  CREATE VIEW seen AS SELECT straw FROM stack;
`;

test('rows with a text are gone through with F3', async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'stack.db'), { kind: 'sql', sql: TABLE });
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  const grid = await view.openTable('stack');
  await page.keyboard.press('F3');
  const bar = page.getByRole('search', { name: 'Find in the table' });
  const field = bar.getByRole('textbox', { name: 'Text to find' });
  await expect(field).toBeFocused();
  await page.keyboard.type('needle');
  await page.keyboard.press('Enter');
  await expect(bar).toContainText('1 of 6 rows');
  await expect(grid.cell(2999, 'hay')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('F3');
  await expect(grid.cell(5999, 'straw')).toHaveAttribute('aria-selected', 'true');
  // There are rows above and below it: it is not the last one on the screen.
  await expect(grid.cell(6003, 'straw')).toBeAttached();
  await expect(grid.cell(5995, 'straw')).toBeAttached();
  await page.keyboard.press('Shift+F3');
  await page.keyboard.press('Shift+F3');
  await expect(bar).toContainText('6 of 6 rows');
  await expect(grid.cell(17_999, 'straw')).toHaveAttribute('aria-selected', 'true');

  await field.fill('nowhere');
  await page.keyboard.press('Enter');
  await expect(bar).toContainText('No matches');
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);

  // F3 works from the grid, too. In a cell that is being edited, Escape applies to the edit.
  await page.keyboard.press('F3');
  await grid.click(17_999, 'hay');
  await page.keyboard.press('F2');
  await page.keyboard.press('Escape');
  await expect(bar).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);

  await test.step('with the case as typed, and as the whole cell', async () => {
    await page.keyboard.press('F3');
    await bar.getByRole('button', { name: 'Match case (A to Z)' }).click();
    await field.fill('needle');
    await field.press('Enter');
    await expect(bar).toContainText('of 3 rows');
    await bar.getByRole('button', { name: 'Whole cell' }).click();
    await field.fill('Needle');
    await field.press('Enter');
    await expect(bar).toContainText('No matches');
    await bar.getByRole('button', { name: 'Match case (A to Z)' }).click();
    await field.press('Enter');
    await expect(bar).toContainText('of 3 rows');
    // The next search begins with the switches of the one before.
    await page.keyboard.press('Escape');
    await page.keyboard.press('F3');
    await expect(bar.getByRole('button', { name: 'Whole cell' })).toHaveAttribute('aria-pressed', 'true');
    await bar.getByRole('button', { name: 'Whole cell' }).click();
    await field.press('Escape');
  });

  await test.step('in a view, and in a result in another order', async () => {
    await view.openTable('seen');
    await page.keyboard.press('F3');
    await field.fill('needle');
    await page.keyboard.press('Enter');
    await expect(bar).toContainText('1 of 3 rows');
    await expect(view.grid('Rows of seen').cell(5999, 'straw')).toHaveAttribute('aria-selected', 'true');

    await view.runSql('SELECT straw, id, hay FROM stack');
    const result = view.grid('Rows of result 1');
    await result.click(0, 'straw');
    await page.keyboard.press('F3');
    const inResult = page.getByRole('search', { name: 'Find in the result' });
    await page.keyboard.type('needle');
    await page.keyboard.press('Enter');
    await expect(inResult).toContainText('1 of 6 rows');
    await expect(result.cell(2999, 'hay')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Shift+F3');
    await expect(result.cell(17_999, 'straw')).toHaveAttribute('aria-selected', 'true');
    await result.clickHeader('id');
    await result.clickHeader('id');
    // The next row is the next one of those on the screen.
    await expect(result.cell(17_999, 'straw')).toHaveText('straw 2001');
    await page.keyboard.press('F3');
    await expect(result.cell(2000, 'straw')).toHaveAttribute('aria-selected', 'true');
    await inResult.getByRole('textbox').fill('straw 12345');
    await page.keyboard.press('Enter');
    await expect(inResult.getByRole('status')).toHaveText('1 of 1 row');
    await result.click(7655, 'straw');
    await page.keyboard.press('Escape');
    await expect(inResult).toHaveCount(0);
  });
});
