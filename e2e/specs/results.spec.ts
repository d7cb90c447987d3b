// Results of SQL tabs in the real app: sorted, filtered, and searched where they are, without running the statement again.
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { GridPage } from '../pages/grid-page.ts';
import { readClipboard } from '../support/clipboard.ts';

const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, kind TEXT);
  INSERT INTO item (name, price, kind) VALUES
    ('saw', 12.5, 'tool'), ('oak', 80.0, 'wood'), ('nail', 0.1, 'metal'), ('axe', 30.0, 'tool'), ('pine', NULL, 'wood');
`;

const CHANGED = `DELETE FROM item WHERE id = 2; UPDATE item SET price = 1.0 WHERE id = 3;
INSERT INTO item (name, price, kind) VALUES ('ash', 3.0, 'wood'); SELECT id, name, price FROM item`;

const grid = (page: Page): GridPage => new GridPage(page, page.getByRole('grid', { name: /^Rows of result/ }));
const column = (of: GridPage, name: string): Locator => of.root.locator(`[role=gridcell][data-column="${name}"]`);

test(
  'rows of a result are sorted, filtered, and searched without running it again',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const page = await anyApp.start(makeDatabase(join(anyApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP }));
    const window = new AppWindow(page);
    await expect(page.getByText('item', { exact: true }).first()).toBeVisible();
    await window.runSql('SELECT id, name, price, kind FROM item ORDER BY id');
    const rows = grid(page);
    const names = column(rows, 'name');
    await expect(names).toHaveText(['saw', 'oak', 'nail', 'axe', 'pine']);

    // A cell is edited in its table.
    await rows.edit(4, 'name', 'fir');
    await expect(names).toHaveText(['saw', 'oak', 'nail', 'axe', 'fir']);
    await page.keyboard.press('Control+z');
    await expect(names).toHaveText(['saw', 'oak', 'nail', 'axe', 'pine']);

    // A header, and a second one beside it.
    await rows.clickHeader('name');
    await expect(names).toHaveText(['axe', 'nail', 'oak', 'pine', 'saw']);
    await expect(rows.column('name')).toHaveAttribute('aria-sort', 'ascending');
    await rows.clickHeader('kind');
    await page.keyboard.down('Control');
    await rows.clickHeader('price');
    await rows.clickHeader('price');
    await page.keyboard.up('Control');
    await expect(names).toHaveText(['nail', 'axe', 'saw', 'oak', 'pine']);

    // The menu of a cell.
    await rows.click(0, 'kind');
    await rows.cell(0, 'kind').click({ button: 'right', force: true });
    await page.getByRole('menuitem', { name: 'Only rows without this value' }).click();
    await expect(names).toHaveText(['axe', 'saw', 'oak', 'pine']);
    await expect(page.getByText('4 rows shown')).toBeVisible();

    // The search field, from the rows by the key that filters.
    await rows.click(0, 'name');
    await page.keyboard.press('Control+f');
    const search = page.getByRole('textbox', { name: 'Search the rows' });
    await expect(search).toBeFocused();
    await page.keyboard.type('OO');
    await expect(names).toHaveText(['axe', 'saw', 'oak', 'pine']);
    await page.keyboard.type('l');
    await expect(names).toHaveText(['axe', 'saw']);
    await page.keyboard.press('Escape');
    await expect(names).toHaveText(['axe', 'saw', 'oak', 'pine']);
    await expect(rows.root).toBeFocused();

    await page.getByRole('button', { name: 'filter', exact: true }).click();
    const form = page.getByRole('form', { name: 'Filter' });
    await form.getByRole('combobox', { name: 'Column' }).selectOption('price');
    await form.getByRole('combobox', { name: 'Operator' }).selectOption('>');
    await form.getByRole('textbox', { name: 'Value' }).fill('15');
    await page.keyboard.press('Enter');
    await expect(names).toHaveText(['axe', 'oak']);
    // The operators of a table's filter, and what is wrong with a pattern.
    await page.getByRole('button', { name: 'filter', exact: true }).click();
    await form.getByRole('combobox', { name: 'Operator' }).selectOption('regex');
    await form.getByRole('textbox', { name: 'Value' }).fill('^(o|a');
    await page.keyboard.press('Enter');
    await expect(form.getByRole('alert')).toBeVisible();
    await form.getByRole('combobox', { name: 'Column' }).selectOption('name');
    await form.getByRole('textbox', { name: 'Value' }).fill('^.{2}k$');
    await form.getByRole('textbox', { name: 'Value' }).press('Enter');
    await expect(names).toHaveText(['oak']);

    await page.getByRole('button', { name: 'Show all' }).click();
    await rows.click(0, 'name');
    await page.keyboard.press('Alt+ArrowDown');
    await expect(names).toHaveText(['saw', 'pine', 'oak', 'nail', 'axe']);
    await expect(page.getByText(/rows shown/)).toHaveCount(0);

    // Kept beside the next result, as it was.
    await page.getByRole('button', { name: 'Keep this result' }).click();
    const editor = page.getByRole('textbox', { name: 'SQL' });
    await editor.fill("UPDATE item SET name = 'hammer' WHERE name = 'saw'; SELECT name FROM item");
    await editor.press('F5');
    const tabs = page.getByRole('tablist', { name: 'Results' }).getByRole('tab');
    await expect(tabs).toHaveText([/^Result 1/, /^Result 2/, /^Messages/]);
    await expect(names).toHaveText(['hammer', 'oak', 'nail', 'axe', 'pine']);
    await tabs.first().click();
    await expect(names).toHaveText(['saw', 'pine', 'oak', 'nail', 'axe']);
    await page.getByRole('button', { name: 'Keep this result' }).click();
    await editor.fill('SELECT id, name, price FROM item');
    await editor.press('F5');
    await expect(tabs).toHaveText([/^Result 1/, /^Messages/]);

    // The details show a cell of a result only while it is on screen.
    await rows.click(0, 'name');
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details).toContainText('Row 1');
    await tabs.last().click();
    await expect(details).toContainText('Select a cell to see its full value here.');
    await tabs.first().click();

    // Compared with the result of a later run, by the primary key at first.
    await page.getByRole('button', { name: 'Keep this result' }).click();
    await editor.fill(CHANGED);
    await editor.press('F5');
    await expect(tabs).toHaveText([/^Result 1/, /^Result 2.*5 rows · /, /^Messages/]);
    await page.keyboard.press('Control+Alt+x');
    const comparison = page.getByRole('region', { name: 'Comparison of two results' });
    const counts = comparison.getByRole('status');
    await expect(counts).toHaveText('1 row added, 1 removed, 1 changed, 3 the same.');
    const differing = comparison.getByRole('table', { name: 'Rows that differ' }).locator('[role=row][data-kind]');
    await expect(differing).toHaveText([/oak/, /0\.1.*1\.0/, /ash/]);
    await comparison.getByRole('button', { name: 'Match rows by id' }).click();
    await page.getByRole('menuitemradio', { name: 'Row position' }).click();
    await expect(counts).toHaveText('0 rows added, 0 removed, 4 changed, 1 the same.');
    // It continues with the next run.
    await editor.fill('SELECT id, name FROM item WHERE id <> 3');
    await editor.press('F5');
    await expect(counts).toHaveText('0 rows added, 1 removed, 3 changed, 1 the same.');
    await expect(comparison).toContainText('Only in the first: price.');
    await tabs.first().click();
    await page.getByRole('button', { name: 'Keep this result' }).click();
    await editor.fill('SELECT 1');
    await editor.press('F5');
    await expect(tabs).toHaveText([/^Result 1/, /^Messages/]);
  },
);

const PARTS = `
  CREATE TABLE part (code TEXT PRIMARY KEY, name TEXT NOT NULL CHECK (name <> 'x'), weight REAL);
  INSERT INTO part VALUES ('a', 'bolt', 1.5), ('b', 'gear', 20.0);
  CREATE TABLE bin (id INTEGER PRIMARY KEY, place TEXT, part TEXT REFERENCES part);
  INSERT INTO bin VALUES (1, 'left', 'a'), (2, 'right', 'b'), (3, 'top', NULL);
`;
const JOINED =
  'SELECT bin.id, place, part, code, name, weight * 2 AS twice FROM bin LEFT JOIN part ON part.code = bin.part ORDER BY bin.id';

test('cells of a result are edited in their tables', { tag: '@long' }, async ({ idleApp }) => {
  idleApp.opensFiles = 'in-place';
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'parts.db'), { kind: 'sql', sql: PARTS }));
  await expect(page.getByText('bin', { exact: true }).first()).toBeVisible();
  await new AppWindow(page).runSql(JOINED);
  const rows = grid(page);
  await expect(column(rows, 'place')).toHaveText(['left', 'right', 'top']);

  // Edit by the row id, and by the key of a table whose row id is not in the result.
  await rows.edit(1, 'place', 'middle');
  await expect(column(rows, 'place')).toHaveText(['left', 'middle', 'top']);
  await rows.edit(0, 'name', 'screw');
  await expect(column(rows, 'name')).toHaveText(['screw', 'gear', 'NULL']);
  await page.keyboard.press('Control+z');
  await expect(column(rows, 'name')).toHaveText(['bolt', 'gear', 'NULL']);

  // A foreign key offers the rows it can refer to.
  await rows.click(0, 'part');
  await page.keyboard.press('F2');
  await page.keyboard.type('gea');
  await expect(page.getByRole('listbox', { name: 'Rows of part' }).getByRole('option')).toHaveText([/^b.*gear/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(column(rows, 'part')).toHaveText(['b', 'b', 'NULL']);
  await expect(column(rows, 'name')).toHaveText(['gear', 'gear', 'NULL']);
  await page.keyboard.press('Control+z');
  await expect(column(rows, 'name')).toHaveText(['bolt', 'gear', 'NULL']);

  // Cells are cut: copied, and emptied in their table.
  await rows.click(1, 'place');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+x');
  await expect(column(rows, 'place')).toHaveText(['left', 'NULL', 'NULL']);
  expect(await readClipboard(page)).toBe('middle\ntop');
  await page.keyboard.press('Control+z');
  await expect(column(rows, 'place')).toHaveText(['left', 'middle', 'top']);
  await rows.click(0, 'twice');
  await rows.cell(0, 'twice').click({ button: 'right', force: true });
  const cut = page.getByRole('menuitem', { name: 'Cut' });
  await expect(cut).toBeDisabled();
  await expect(cut).toHaveAttribute('title', /^This column is computed/);
  await page.keyboard.press('Escape');

  // A result that does not follow its tables runs again to show it.
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await rows.edit(2, 'place', 'floor');
  await expect(column(rows, 'place')).toHaveText(['left', 'middle', 'floor']);
  await rows.click(2, 'place');
  await page.keyboard.press('Alt+Backspace');
  await expect(column(rows, 'place')).toHaveText(['left', 'middle', 'NULL']);

  // The details can be edited, too.
  const details = page.getByRole('complementary', { name: 'Details' });
  await rows.click(0, 'place');
  await page.keyboard.press('F4');
  await expect(details.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('shelf');
  await page.keyboard.press('Control+Enter');
  await expect(column(rows, 'place')).toHaveText(['shelf', 'middle', 'NULL']);
  await expect(details).toContainText('text, 5 characters');
  await rows.click(0, 'twice');
  await expect(details).toContainText('This column is computed');

  // A value that the table refuses stays in the editor.
  await rows.edit(0, 'name', 'x');
  await expect(page.getByText(/CHECK|check/).first()).toBeVisible();
  await page.keyboard.press('Escape');

  // A cell that cannot be edited says why.
  await rows.click(0, 'twice');
  await page.keyboard.press('F2');
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('This column is computed');
  await rows.click(2, 'name');
  await page.keyboard.press('F2');
  await expect(messages).toContainText('The key of this row is NULL in the result');
  await expect(rows.editor).toHaveCount(0);
});
