// Display formats of columns in the real app: suggested, chosen, edited in, copied, and found again in results and after the tab was closed.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import { readClipboard } from '../support/clipboard.ts';
import { boxOf, settled } from '../support/settled.ts';

const VISITS = `
  CREATE TABLE visit (id INTEGER PRIMARY KEY, visited_at INTEGER, token BLOB, bytes_sent INTEGER);
  INSERT INTO visit VALUES (1, 1774745999, x'45c105cafeff58c88a3dbaae3fd824f0', 123456),
    (2, 1774746000, x'123e4567e89b42d3a456426614174000', 42), (3, NULL, NULL, NULL), (4, 9223372036854775807, NULL, 1);`;

async function displayAs(grid: GridPage, column: string, item: string): Promise<void> {
  await grid.clickHeader(column, { button: 'right' });
  await grid.page.getByRole('menuitem', { name: 'Display as' }).hover();
  await grid.page
    .getByRole('menuitemradio', { name: item })
    .or(grid.page.getByRole('menuitem', { name: item }))
    .click();
}

const leftOf = async (target: Locator): Promise<number> => (await boxOf(target)).x;

test('columns show what their values stand for, and keep the values', async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'visits.db'), { kind: 'sql', sql: VISITS }));
  const view = new AppWindow(page);
  const grid = await view.openTable('visit');
  await expect(grid.cell(0, 'visited_at')).toHaveText('1774745999');
  const details = page.getByRole('complementary', { name: 'Details' });

  await test.step('the likely format is offered, and nothing moves when it is chosen', async () => {
    const before = await settled(() => leftOf(grid.column('token')));
    await displayAs(grid, 'visited_at', 'Unix seconds');
    await expect(grid.cell(0, 'visited_at')).toHaveText('2026-03-29 00:59:59 UTC');
    await expect(grid.cell(2, 'visited_at')).toHaveText('NULL');
    await expect(grid.cell(3, 'visited_at')).toHaveText('9223372036854775807');
    await expect(grid.column('visited_at')).toHaveText('visited_at, integer, shown as Unix seconds, UTC');
    expect(await leftOf(grid.column('token'))).toBe(before);
    await displayAs(grid, 'token', 'UUID');
    await expect(grid.cell(0, 'token')).toHaveText('45c105ca-feff-58c8-8a3d-baae3fd824f0');
  });

  await test.step('the dialog has every format and zone, with the values in it', async () => {
    await grid.click(0, 'visited_at');
    await view.command('Display Column As…');
    await view.dialog.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin');
    await expect(view.dialog.getByRole('table', { name: 'Preview' })).toContainText('2026-03-29 03:00:00 +02:00');
    await expect(view.dialog.getByRole('status')).toContainText('1 of 3 values read do not fit');
    expect(await findings(page, 'display-format', 'light')).toEqual([]);
    await view.dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(grid.cell(0, 'visited_at')).toHaveText('2026-03-29 01:59:59 +01:00');
    await expect(details).toContainText('2026-03-29 01:59:59 +01:00 Unix seconds, Europe/Berlin');
    await expect(details.getByLabel('Value', { exact: true })).toHaveText('1774745999');
  });

  await test.step('cells are edited as they are shown, exactly or not at all', async () => {
    await grid.click(0, 'visited_at');
    await page.keyboard.press('F2');
    await expect(grid.editor).toContainText('Editing as shown: Unix seconds, Europe/Berlin');
    await expect(grid.editor.getByRole('textbox')).toHaveValue('2026-03-29 01:59:59 +01:00');
    await page.keyboard.type('2026-03-29 02:30');
    await page.keyboard.press('Enter');
    await expect(grid.editor).toContainText('does not exist in Europe/Berlin');
    await grid.editor.getByRole('textbox').fill('2026-03-29 03:30');
    await page.keyboard.press('Enter');
    await expect(grid.cell(0, 'visited_at')).toHaveText('2026-03-29 03:30:00 +02:00');
    // What does not fit is edited as it is stored.
    await grid.click(3, 'visited_at');
    await page.keyboard.press('F2');
    await expect(grid.editor).toContainText('Editing the stored value');
    await page.keyboard.press('Escape');
  });

  await test.step('one key shows the stored values, and shows the formats again', async () => {
    await page.keyboard.press('Control+Shift+x');
    await expect(grid.cell(0, 'visited_at')).toHaveText('1774747800');
    await expect(grid.cell(0, 'token')).toHaveText('blob · 16 bytes');
    await page.keyboard.press('Control+Shift+x');
    await expect(grid.cell(0, 'visited_at')).toHaveText('2026-03-29 03:30:00 +02:00');
  });

  await test.step('Copy takes stored values, Copy as shown does not, and an export says which it has', async () => {
    await grid.click(0, 'visited_at');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    await expect.poll(() => readClipboard(page)).toBe("1774747800\tX'45C105CAFEFF58C88A3DBAAE3FD824F0'");
    await view.command('Copy as Shown');
    await expect
      .poll(() => readClipboard(page))
      .toBe('2026-03-29 03:30:00 +02:00\t45c105ca-feff-58c8-8a3d-baae3fd824f0');
    await page.keyboard.press('Control+e');
    await expect(view.dialog).toContainText(
      'Stored values are exported, not the formats in which the grid shows “visited_at” and “token”.',
    );
    await page.keyboard.press('Escape');
  });

  await test.step('a result has the formats of its tables, and shares new ones with them', async () => {
    await view.runSql('SELECT visited_at AS at, bytes_sent, visited_at + 0 AS later FROM visit ORDER BY id');
    const result = view.grid(/^Rows of result/);
    await expect(result.cell(0, 'at')).toHaveText('2026-03-29 03:30:00 +02:00');
    await expect(result.cell(0, 'later')).toHaveText('1774747800');
    await displayAs(result, 'bytes_sent', 'Size (KB, MB)');
    await expect(result.cell(0, 'bytes_sent')).toHaveText('123.5 KB');
    await displayAs(result, 'later', 'Unix seconds');
    await expect(result.cell(0, 'later')).toHaveText('2026-03-29 01:30:00 UTC');
  });

  await test.step('the table remembers its formats when it is opened again', async () => {
    for (let left = await view.tabs.count(); left > 0; left--) {
      await page.keyboard.press('Control+w');
      await expect(view.tabs).toHaveCount(left - 1);
    }
    const again = await view.openTable('visit');
    await expect(again.cell(1, 'visited_at')).toHaveText('2026-03-29 03:00:00 +02:00');
    await expect(again.cell(0, 'bytes_sent')).toHaveText('123.5 KB');
    await displayAs(again, 'visited_at', 'As stored');
    await expect(again.cell(1, 'visited_at')).toHaveText('1774746000');
  });
});
