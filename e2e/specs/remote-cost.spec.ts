// Costs of sorting and filtering a table on a real libSQL server: asked about in a bar above the rows, unless an index serves it.
import type { Page } from '@playwright/test';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import { expect, test } from '../server-fixtures.ts';
import { writeClipboard } from '../support/clipboard.ts';
import { settled } from '../support/settled.ts';

const SORTS = 'No index serves this sort. The server would read up to 5,000 rows (a whole-table scan).';

/** Rows read by all requests so far, as the status bar shows them. Windows are told before the rows arrive; painting both is not one step. */
const rowsRead = async (view: AppWindow): Promise<number> =>
  Number(/rows read [\d,]+ of ([\d,]+)/.exec((await view.status.textContent()) ?? '')?.[1]?.replaceAll(',', ''));

const barOf = (page: Page) => page.getByRole('group', { name: /without an index$/ });

test(
  'a sort that no index serves is asked about, remembered for the tab, and not made again after a restart',
  { tag: '@long' },
  async ({ app, page, server }) => {
    const view = await server.openIn(page);
    const bar = barOf(page);
    // All of its rows are loaded.
    const items = await view.openTable('item');
    await items.clickHeader('name');
    await items.clickHeader('name');
    await expect(items.cell(0, 'name')).toHaveText('cat');
    await expect(bar).toHaveCount(0);
    const grid = await view.openTable('big');
    await expect(grid.cell(0, 'id')).toHaveText('1');
    await grid.clickHeader('t');
    await expect(bar).toContainText(SORTS);
    await expect(page.locator('#announcer')).toContainText(SORTS);
    // The rows are as before, and so are the headers.
    await expect(grid.cell(0, 'id')).toHaveText('1');
    await expect(grid.cell(1, 'id')).toHaveText('2');
    await expect(grid.column('t')).not.toHaveAttribute('aria-sort', 'ascending');
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached();
      expect(await findings(page, 'scan-bar', theme)).toEqual([]);
    }
    await bar.getByRole('button', { name: 'Cancel' }).click();
    await expect(bar).toHaveCount(0);
    await expect(grid.root).toBeFocused();
    // Use the keyboard: the bar is the tab stop before the grid.
    await grid.clickHeader('t');
    await expect(bar).toBeVisible();
    await bar.getByRole('button', { name: 'Sort anyway' }).focus();
    await page.keyboard.press('Tab');
    await expect(bar.getByRole('button', { name: 'Create index…' })).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(bar).toHaveCount(0);
    await expect(grid.column('t')).toHaveAttribute('aria-sort', 'ascending');
    await expect(grid.cell(1, 't')).toHaveText('row 10');
    // Somebody else's commit does not have the table read again.
    await server.run("UPDATE big SET t = 'row 10, changed' WHERE id = 10");
    await expect(bar).toContainText('The database has changed since these rows were read.', { timeout: 60_000 });
    await expect(grid.cell(1, 't')).toHaveText('row 10, changed');
    await bar.getByRole('button', { name: 'Cancel' }).press('Escape');
    await expect(bar).toHaveCount(0);
    await expect(grid.cell(1, 't')).toHaveText('row 10, changed');
    // Another order is another question; the first one was answered.
    await grid.clickHeader('t');
    await expect(bar).toContainText(SORTS);
    await expect(grid.cell(1, 't')).toHaveText('row 10, changed');
    await grid.clickHeader('id');
    await expect(bar).toHaveCount(0);
    await expect(grid.cell(1, 'id')).toHaveText('2');
    await grid.clickHeader('t');
    await bar.getByRole('button', { name: 'Sort anyway' }).click();
    await expect(grid.cell(1, 't')).toHaveText('row 10, changed');
    // A cost that was agreed to once is not asked about again, and not read again, after another order or another tab.
    const read = await settled(() => rowsRead(view));
    await grid.clickHeader('id');
    await expect(grid.cell(1, 'id')).toHaveText('2');
    await grid.clickHeader('t');
    await expect(grid.cell(1, 't')).toHaveText('row 10, changed');
    await expect(bar).toHaveCount(0);
    await view.openTable('item');
    await expect(items.cell(0, 'name')).toHaveText('cat');
    await view.openTable('big');
    await expect(grid.cell(1, 't')).toHaveText('row 10, changed');
    expect((await settled(() => rowsRead(view))) - read).toBeLessThan(5000);
    // An edit of one's own moves its row, and nothing else is read for that.
    await grid.edit(1, 't', 'zebra');
    await expect(grid.cell(1, 't')).toHaveText('row 100');
    await expect(bar).toHaveCount(0);
    // Many are not moved one by one.
    await grid.click(1, 't');
    await writeClipboard(page, Array.from({ length: 30 }, (_, at) => `zoo ${at}`).join('\n'));
    await page.keyboard.press('Control+v');
    await view.dialog.getByRole('button', { name: 'Paste', exact: true }).click();
    await expect(bar).toContainText('The database has changed since these rows were read.');
    await expect(grid.cell(1, 't')).toHaveText('zoo 0');
    await bar.getByRole('button', { name: 'Sort again' }).click();
    await expect(grid.cell(1, 't')).toHaveText(/^row 10/);
    const next = await app.relaunch();
    const shown = new AppWindow(next).grid('Rows of big');
    await expect(barOf(next)).toContainText(SORTS, { timeout: 30_000 });
    await expect(shown.cell(1, 'id')).toHaveText('2');
    await barOf(next).getByRole('button', { name: 'Cancel' }).press('Escape');
    await expect(barOf(next)).toHaveCount(0);
    await expect(shown.cell(1, 'id')).toHaveText('2');
  },
);

test(
  'a sort that no index serves is asked about, and an index that is made meanwhile answers the question',
  { tag: '@long' },
  async ({ page, server }) => {
    const view = await server.openIn(page);
    const bar = barOf(page);
    const grid = await view.openTable('big');
    await expect(grid.cell(0, 'id')).toHaveText('1');
    await grid.clickHeader('t');
    await expect(bar).toContainText(SORTS);
    await bar.getByRole('button', { name: 'Cancel' }).click();
    await expect(bar).toHaveCount(0);
    // The rows are as before, and so are the headers.
    await expect(grid.cell(1, 'id')).toHaveText('2');
    await expect(grid.column('t')).not.toHaveAttribute('aria-sort', 'ascending');
    await grid.clickHeader('t');
    await bar.getByRole('button', { name: 'Create index…' }).click();
    await expect(page.getByRole('tab', { selected: true })).toContainText(/index/i);
    await expect(page.getByText('big_t').first()).toBeVisible();
    await view.runSql('CREATE INDEX big_t ON big (t)');
    await view.openTable('big');
    await expect(grid.cell(1, 't')).toHaveText('row 10');
    await expect(bar).toHaveCount(0);
    await grid.clickHeader('t');
    await expect(grid.cell(0, 't')).toHaveText('row 999');
    await expect(bar).toHaveCount(0);
  },
);

test(
  'finding a text and exporting say beforehand how many rows of a large table the server reads',
  { tag: '@long' },
  async ({ page, server }) => {
    const view = await server.openIn(page);
    const grid = await view.openTable('big');
    await expect(grid.cell(0, 'id')).toHaveText('1');
    await page.keyboard.press('F3');
    const find = page.getByRole('search', { name: 'Find in the table' });
    await expect(find).toContainText('The server reads up to 5,000 rows.');
    expect(await findings(page, 'find-cost', 'light')).toEqual([]);
    await page.keyboard.type('row 4999');
    await page.keyboard.press('Enter');
    await expect(find).toContainText('1 of 1 row');
    await view.command('Export…');
    await expect(view.dialog.getByRole('note')).toContainText('The server reads up to 5,000 rows.');
    await page.keyboard.press('Escape');
    // A small table is not worth a word.
    await view.openTable('item');
    await view.command('Export…');
    await expect(view.dialog.getByRole('note')).toContainText('Types are not kept');
    await expect(view.dialog.getByRole('region', { name: 'Preview' })).toContainText('ant');
    await expect(view.dialog.getByRole('note')).not.toContainText('The server reads');
  },
);

test(
  'the values of a column are counted once you agree, and a key offers what an index finds',
  { tag: '@long' },
  async ({ page, server }) => {
    await server.run(
      'CREATE TABLE sale (id INTEGER PRIMARY KEY, big INTEGER REFERENCES big (id))',
      'INSERT INTO sale VALUES (1, 17)',
    );
    const view = await server.openIn(page);
    const grid = await view.openTable('big');
    await grid.click(0, 't');
    await page.keyboard.press('Control+Alt+v');
    const card = page.getByRole('dialog', { name: 't' });
    await expect(card).toContainText(
      'To count the values of a column, every row has to be read. The server would read up to 5,000 rows (a whole-table scan).',
    );
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached();
      expect(await findings(page, 'column-card-cost', theme)).toEqual([]);
    }
    await card.getByRole('button', { name: 'Count values' }).click();
    await expect(card).toContainText('5,000 rows counted.', { timeout: 30_000 });
    await page.keyboard.press('Escape');
    const sales = await view.openTable('sale');
    await sales.click(0, 'big');
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('499');
    const offers = page.getByRole('listbox', { name: 'Rows of big' });
    await expect(offers.getByRole('option').first()).toContainText('499');
    await expect(page.getByText('11 rows of big, found by index only')).toBeVisible();
  },
);
