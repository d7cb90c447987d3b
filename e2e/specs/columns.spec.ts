// Columns of tables and results in the real app: hidden, frozen, moved, fitted, and found again after a restart.
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { GridPage } from '../pages/grid-page.ts';
import { readClipboard } from '../support/clipboard.ts';
import { boxOf, settled } from '../support/settled.ts';

const NAMES = Array.from({ length: 24 }, (_, index) => `c${index}`);
const WIDE = `
  CREATE TABLE wide (id INTEGER PRIMARY KEY, ${NAMES.join(', ')});
  INSERT INTO wide SELECT value, ${NAMES.map((name) => `'${name}-' || value`).join(', ')} FROM generate_series(1, 200);
`.replace(
  'generate_series(1, 200)',
  '(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 200) SELECT value FROM n)',
);

async function headerMenu(grid: GridPage, column: string, item: string): Promise<void> {
  await grid.clickHeader(column, { button: 'right' });
  await grid.page.getByRole('menuitem', { name: item }).click();
}

/** Left edges on screen. */
const leftOf = async (target: Locator): Promise<number> => (await boxOf(target)).x;

/** Runs in the page. Columns whose arrow is seen outside the field. */
function arrowsOutside(): string[] {
  return [...document.querySelectorAll<HTMLElement>('.filter-cell')].flatMap((cell) => {
    const arrow = cell.querySelector('.filter-values')!;
    const { left, top } = arrow.getBoundingClientRect();
    const isOutside = left < cell.getBoundingClientRect().left;
    return isOutside && document.elementFromPoint(left + 2, top + 8)?.closest('.filter-values') === arrow
      ? [cell.dataset['column'] ?? '']
      : [];
  });
}

test('columns are frozen, hidden, and moved; tables and results remember it', async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'wide.db'), { kind: 'sql', sql: WIDE }));
  const window = new AppWindow(page);
  const table = await window.openTable('wide');
  await expect(table.cell(0, 'c0')).toHaveText('c0-1');
  await headerMenu(table, 'c0', 'Freeze up to this column');
  const before = await settled(() => leftOf(table.column('c0')));

  // The end of the row, and back to a frozen cell by the mouse.
  await table.click(2, 'c1');
  await page.keyboard.press('End');
  await expect(table.cell(2, 'c23')).toHaveText('c23-3');
  await expect(table.column('c5')).toHaveCount(0);
  await expect.poll(() => leftOf(table.column('c0'))).toBe(before);
  // The arrows of fields that the frozen columns cover stay under them.
  await page.keyboard.press('Control+Alt+f');
  await expect(page.getByRole('textbox', { name: 'Filter by c23' })).toBeFocused();
  expect(await page.evaluate(arrowsOutside)).toEqual([]);
  await page.keyboard.press('Control+Alt+f');
  await table.click(4, 'c0');
  await page.keyboard.press('Control+c');
  await expect.poll(() => readClipboard(page)).toBe('c0-5');
  await expect(table.cell(4, 'c23')).toHaveText('c23-5');
  // The next column is scrolled to beside the frozen ones.
  await page.keyboard.press('ArrowRight');
  await expect(table.column('c1')).toBeAttached();
  await table.edit(0, 'c1', 'changed');
  await expect(table.cell(0, 'c1')).toHaveText('changed');

  // Hidden by the list, and what is copied has no hidden columns.
  await window.command('Columns…');
  const list = page.getByRole('dialog', { name: 'Columns' });
  await list.getByRole('textbox', { name: 'Find column' }).fill('c1');
  await list.getByRole('checkbox', { name: 'c1', exact: true }).uncheck();
  await expect(list).toContainText('24 of 25 shown');
  await list.getByRole('button', { name: 'Close' }).click();
  await expect(table.column('c1')).toHaveCount(0);
  await table.click(0, 'c0');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Control+c');
  await expect.poll(() => readClipboard(page)).toBe('c0-1\tc2-1');

  // A result, by the keyboard.
  await window.runSql('SELECT id, c0, c1, c2 FROM wide ORDER BY id');
  const rows = new GridPage(page, page.getByRole('grid', { name: /^Rows of result/ }));
  await rows.click(0, 'c1');
  await window.command('Hide Column');
  await expect(rows.column('c1')).toHaveCount(0);
  await rows.click(0, 'c2');
  await page.keyboard.press('Control+Alt+ArrowLeft');
  await expect(rows.root.getByRole('columnheader')).toHaveText(['Row', /^id/, /^c2/, /^c0/]);

  // Closed and opened again.
  for (let left = await window.tabs.count(); left > 0; left--) {
    await page.keyboard.press('Control+w');
    await expect(window.tabs).toHaveCount(left - 1);
  }
  await expectRemembered(window);
});

/** `c1` is hidden, in a new tab of the table and in a new result. */
async function expectRemembered(window: AppWindow): Promise<void> {
  const table = await window.openTable('wide');
  await expect(table.column('c0')).toBeAttached();
  await expect(table.column('c1')).toHaveCount(0);
  await window.runSql('SELECT id, c0, c1, c2 FROM wide WHERE id < 9');
  const result = window.grid(/^Rows of result/);
  await expect(result.column('c2')).toBeAttached();
  await expect(result.column('c1')).toHaveCount(0);
}

test('hidden columns are remembered after a restart', { tag: '@long' }, async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'wide.db'), { kind: 'sql', sql: WIDE }));
  const window = new AppWindow(page);
  const table = await window.openTable('wide');
  await headerMenu(table, 'c1', 'Hide column');
  await expect(table.column('c1')).toHaveCount(0);
  await window.runSql('SELECT id, c0, c1, c2 FROM wide ORDER BY id');
  const result = window.grid(/^Rows of result/);
  await headerMenu(result, 'c1', 'Hide column');
  await expect(result.column('c1')).toHaveCount(0);
  await page.keyboard.press('Control+w');
  const again = new AppWindow(await idleApp.relaunch());
  await again.treeItem('wide').click();
  await expectRemembered(again);
});

const PRICES = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, stock INTEGER);
  INSERT INTO item VALUES (1, 'saw', 5, 0), (2, 'oak', 40, 10), (3, 'Nail', NULL, 20), (4, 'axe', 120, 5);`;

/** How much more red than blue the pixel is that is painted near the end of a cell. */
async function rednessOf(page: Page, cell: Locator): Promise<number> {
  const { x, y, width, height } = await boxOf(cell);
  return await page.evaluate(
    ([left, top]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.grid-canvas')!;
      const box = canvas.getBoundingClientRect();
      const scale = canvas.width / box.width;
      const [red = 0, , blue = 0] = canvas
        .getContext('2d')!
        .getImageData((left! - box.x) * scale, (top! - box.y) * scale, 1, 1).data;
      return red - blue;
    },
    [x + width - 4, y + height / 2] as const,
  );
}

test('cells are colored by rules that the table remembers', { tag: '@long' }, async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: PRICES }));
  const window = new AppWindow(page);
  const table = await window.openTable('item');
  await expect(table.cell(3, 'name')).toHaveText('axe');
  await headerMenu(table, 'price', 'Color by rule…');
  const card = page.getByRole('dialog', { name: 'Colors of price' });
  await card.getByRole('button', { name: 'Add condition' }).click();
  await expect(card.getByRole('textbox', { name: 'Condition of rule 1' })).toBeFocused();
  await page.keyboard.type('regex (');
  await expect(card.getByRole('listitem')).toContainText('regular expression');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('> 100 || null');
  await card.getByRole('combobox', { name: 'Color of rule 1' }).selectOption('Red');
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  await expect(table.root).toBeFocused();
  await expect(table.cell(3, 'price')).toHaveAttribute('aria-description', 'red');
  await expect(table.cell(2, 'price')).toHaveAttribute('data-tint', 'red');
  await expect(table.cell(1, 'price')).not.toHaveAttribute('data-tint');
  const difference = async (): Promise<number> =>
    (await rednessOf(page, table.cell(3, 'price'))) - (await rednessOf(page, table.cell(1, 'price')));
  await expect.poll(difference).toBeGreaterThan(10);

  // A scale by the keyboard: its ends are read from the column.
  await table.click(1, 'stock');
  await window.command('Color Column by Rule…');
  const stock = page.getByRole('dialog', { name: 'Colors of stock' });
  await stock.getByRole('button', { name: 'Add scale' }).press('Enter');
  await expect(stock.getByRole('textbox', { name: 'Rule 1 from' })).toHaveValue('0');
  await expect(stock.getByRole('textbox', { name: 'Rule 1 to' })).toHaveValue('20');
  await page.keyboard.press('Escape');
  await expect(table.cell(2, 'stock')).toHaveAttribute('data-tint', 'green');
  await expect(table.cell(0, 'stock')).not.toHaveAttribute('data-tint');
  // The value decides, also after an edit.
  await table.edit(1, 'price', '500');
  await expect(table.cell(1, 'price')).toHaveAttribute('data-tint', 'red');

  // A result has the colors of the columns that its own come from, at once.
  await page.keyboard.press('Control+t');
  await page.keyboard.type('SELECT name, price AS cost, price + 0 AS computed FROM item ORDER BY id;');
  await page.keyboard.press('F5');
  const result = new GridPage(page, page.getByRole('grid', { name: 'Rows of result 1' }));
  await expect(result.cell(1, 'cost')).toHaveAttribute('data-tint', 'red');
  await expect(result.cell(1, 'computed')).toHaveText('500.0');
  await expect(result.cell(1, 'computed')).not.toHaveAttribute('data-tint');
  await page.keyboard.press('Control+w');

  await page.keyboard.press('Control+w');
  const again = new AppWindow(await idleApp.relaunch());
  await again.treeItem('item').click();
  const reopened = await again.openTable('item');
  await expect(reopened.cell(1, 'price')).toHaveAttribute('data-tint', 'red');
  await expect(reopened.cell(1, 'stock')).toHaveAttribute('data-tint', 'green');
  await headerMenu(reopened, 'price', 'Color by rule…');
  await again.page.getByRole('button', { name: 'Remove rule 1' }).click();
  await expect(reopened.cell(1, 'price')).not.toHaveAttribute('data-tint');
});

for (const inPlace of [false, true])
  test(
    `cells of results are colored by rules of their own, ${inPlace ? 'in place' : 'in the library'}`,
    { tag: '@long' },
    async ({ idleApp }) => {
      if (inPlace) idleApp.opensFiles = 'in-place';
      const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: PRICES }));
      const window = new AppWindow(page);
      await window.opened('shop');
      const sql = 'SELECT id, name, price, price * 2 AS twice, stock FROM item ORDER BY id;';
      await window.runSql(sql);
      const result = new GridPage(page, page.getByRole('grid', { name: 'Rows of result 1' }));
      const tints = async (column: string) =>
        await Promise.all([0, 1, 2, 3].map((row) => result.cell(row, column).getAttribute('data-tint')));

      await test.step('a condition on a computed column, from the menu of its header', async () => {
        await headerMenu(result, 'twice', 'Color by rule…');
        const card = page.getByRole('dialog', { name: 'Colors of twice' });
        await card.getByRole('button', { name: 'Add condition' }).click();
        await page.keyboard.type('> 50 || null');
        await card.getByRole('combobox', { name: 'Color of rule 1' }).selectOption('Red');
        await page.keyboard.press('Escape');
        await expect(card).toHaveCount(0);
        await expect(result.root).toBeFocused();
        await expect.poll(() => tints('twice')).toEqual([null, 'red', 'red', 'red']);
      });

      await test.step('a scale by the keyboard, with the ends of the rows that are shown', async () => {
        await result.click(1, 'stock');
        await window.command('Color Column by Rule…');
        const card = page.getByRole('dialog', { name: 'Colors of stock' });
        await card.getByRole('button', { name: 'Add scale' }).press('Enter');
        await expect(card.getByRole('textbox', { name: 'Rule 1 to' })).toHaveValue('20');
        await page.keyboard.press('Escape');
        await expect.poll(() => tints('stock')).toEqual([null, 'green', 'green', 'green']);
        await headerMenu(result, 'name', 'Color by rule…');
        const names = page.getByRole('dialog', { name: 'Colors of name' });
        await names.getByRole('button', { name: 'Add scale' }).click();
        await expect(names.getByRole('status')).toHaveText('This column has no numbers.');
        await page.keyboard.press('Escape');
      });

      await test.step('rules of the result come before those of the table', async () => {
        const table = await window.openTable('item');
        await headerMenu(table, 'price', 'Color by rule…');
        const ofTable = page.getByRole('dialog', { name: 'Colors of price' });
        await ofTable.getByRole('button', { name: 'Add condition' }).click();
        await page.keyboard.type('> 10');
        await ofTable.getByRole('combobox', { name: 'Color of rule 1' }).selectOption('Blue');
        await page.keyboard.press('Escape');
        await window.tabs.filter({ hasText: 'Query' }).click();
        await expect.poll(() => tints('price')).toEqual([null, 'blue', null, 'blue']);
        await headerMenu(result, 'price', 'Color by rule…');
        const card = page.getByRole('dialog', { name: 'Colors of price' });
        await expect(card).toContainText('Other cells have the colors of “price” in “item”.');
        await card.getByRole('button', { name: 'Add condition' }).click();
        await page.keyboard.type('> 100');
        await card.getByRole('combobox', { name: 'Color of rule 1' }).selectOption('Purple');
        await page.keyboard.press('Escape');
        await expect.poll(() => tints('price')).toEqual([null, 'blue', null, 'purple']);
      });

      await test.step('an edit changes the color, and Undo changes it back', async () => {
        await result.edit(0, 'price', '500');
        await expect(result.cell(0, 'price')).toHaveAttribute('data-tint', 'purple');
        await page.keyboard.press('Control+z');
        await expect(result.cell(0, 'price')).toHaveText('5.0');
        await expect(result.cell(0, 'price')).not.toHaveAttribute('data-tint');
      });

      await test.step('the statement run again has them, also after a restart', async () => {
        await window.editor.focus();
        await page.keyboard.press('F5');
        await expect.poll(() => tints('twice')).toEqual([null, 'red', 'red', 'red']);
        const again = new AppWindow(await idleApp.relaunch());
        await again.runSql(sql);
        const reopened = again.grid('Rows of result 1');
        await expect(reopened.cell(1, 'twice')).toHaveAttribute('data-tint', 'red');
        await expect(reopened.cell(2, 'stock')).toHaveAttribute('data-tint', 'green');
        await expect(reopened.cell(3, 'price')).toHaveAttribute('data-tint', 'purple');
        await headerMenu(reopened, 'twice', 'Color by rule…');
        await again.page.getByRole('button', { name: 'Remove rule 1' }).click();
        await expect(reopened.cell(1, 'twice')).not.toHaveAttribute('data-tint');
      });
    },
  );
