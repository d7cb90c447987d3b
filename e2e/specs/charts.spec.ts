// Charts of results in the real app: suggested, changed, read by keyboard, saved, and in step with their rows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { boxOf, settled } from '../support/settled.ts';

const SALES = `
  CREATE TABLE sale (day TEXT, city TEXT, amount REAL, units INTEGER);
  INSERT INTO sale VALUES ('2024-01-03', 'Rome', 12.5, 3), ('2024-01-01', 'Oslo', 80.0, 1), ('2024-01-02', 'Rome', NULL, 2),
    ('2024-01-05', 'Lima', 30.0, 9), ('2024-01-04', 'Oslo', 7.25, 4);
`;
const DAYS = 'SELECT day, amount, units FROM sale ORDER BY rowid';

const chart = (page: Page): Locator => page.getByRole('img', { name: /^(Line|Time series|Bars|Scatter|Histogram)\b/ });
const choose = (page: Page, label: string, value: string): Promise<unknown> =>
  page.getByRole('combobox', { name: label }).selectOption(value);

/** Another program inserts into a file in place. */
function insert(path: string, sql: string): void {
  const file = new Sqlite(path);
  file.exec(sql);
  file.close();
}

test('a chart is suggested, read by keyboard, follows its rows, and stays for the next run', async ({ idleApp }) => {
  idleApp.opensFiles = 'in-place';
  const path = makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SALES });
  const page = await idleApp.start(path);
  const view = new AppWindow(page);
  await view.opened('shop');
  await view.runSql(DAYS);
  await page.keyboard.press('Control+Alt+r');
  await expect(chart(page)).toHaveAccessibleName(
    'Time series: amount, units by day. 5 points from 2024-01-01 to 2024-01-05. ' +
      'amount: lowest 7.25 at 2024-01-04, highest 80 at 2024-01-01. units: lowest 1 at 2024-01-01, highest 9 at 2024-01-05.',
  );
  await expect(page.getByRole('list', { name: 'Series' }).getByRole('listitem')).toHaveText(['amount', 'units']);

  // Each place by key; a part of it by another, and back.
  await chart(page).focus();
  await page.keyboard.press('Control+Alt+r');
  await expect(page.getByRole('grid', { name: 'Rows of result 1' })).toBeFocused();
  await page.keyboard.press('Control+Alt+r');
  await expect(chart(page)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const value = page.getByRole('status', { name: 'Value at the cursor' });
  await expect(value).toHaveText('2024-01-04: amount 7.25, units 4');
  await page.keyboard.press('+');
  await expect(chart(page)).toHaveAccessibleName(/3 points from 2024-01-02 to 2024-01-04/);
  await page.keyboard.press('Escape');
  await expect(chart(page)).toHaveAccessibleName(/5 points/);

  // Another kind; the rows are still filtered above it, and the chart follows them and their table.
  await choose(page, 'Kind of chart', 'bar');
  await choose(page, 'Combine as', 'greatest');
  await expect(chart(page)).toHaveAccessibleName(/^Bars: Maximum of amount, Maximum of units by day\. 5 bars\./);
  await page.getByRole('button', { name: 'Search and filter the rows' }).click();
  await page.getByRole('textbox', { name: 'Search the rows' }).fill('-03');
  await expect(chart(page)).toHaveAccessibleName(/1 bar\./);
  await page.keyboard.press('Escape');
  await expect(chart(page)).toHaveAccessibleName(/5 bars/);
  insert(path, "INSERT INTO sale VALUES ('2024-01-06', 'Lima', 1, 1)");
  await expect(chart(page)).toHaveAccessibleName(/6 bars/);

  // The numbers as a table, and nothing to draw.
  await page.getByRole('button', { name: 'Show the values as a table' }).click();
  const values = page.getByRole('grid', { name: 'Values of the chart' });
  await expect(values.locator('[role=gridcell][data-column="Maximum of units"]')).toHaveText([
    '3',
    '1',
    '2',
    '9',
    '4',
    '1',
  ]);
  const run = async (sql: string, summary: RegExp): Promise<void> => {
    await view.editor.fill(sql);
    await page.keyboard.press('F5');
    await expect(page.getByRole('tablist', { name: 'Results' }).getByRole('tab').first()).toHaveText(summary);
  };
  await run('SELECT city, NULL AS amount, NULL AS units FROM sale LIMIT 4', /4 rows · /);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await expect(chart(page)).toHaveAccessibleName(/^Bars: Rows by city\. 3 bars/);
  await run('SELECT NULL AS gone', /1 row · /);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await expect(page.getByText('There is nothing to draw')).toBeVisible();

  // The chart of columns that were drawn before.
  await run(`${DAYS} LIMIT 2`, /2 rows · /);
  await page.keyboard.press('Control+Alt+r');
  await expect(chart(page)).toHaveAccessibleName(/2 points/);
  await run(`${DAYS} LIMIT 3`, /3 rows · /);
  await expect(chart(page)).toHaveAccessibleName(/3 points/);

  const picture = join(idleApp.folder, 'chart.png');
  await idleApp.answerSaveDialog(picture);
  await page.getByRole('button', { name: 'Save or copy the chart' }).click();
  await page.getByRole('menuitem', { name: 'PNG…' }).click();
  await expect(view.messages).toContainText('The chart was saved to chart.png');
  const png = readFileSync(picture);
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual(['PNG', 1920]);
});

test('many rows are drawn, enlarged with the pointer, saved, and copied', { tag: '@long' }, async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SALES }));
  const view = new AppWindow(page);
  await view.opened('shop');
  await view.runSql(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i, i * 7919 % 1000 AS r FROM n',
  );
  await expect(page.getByRole('tab', { name: /^Result 1 100,000 rows · / })).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Control+Alt+r');
  const name = /^Line: r by i\. [\d,]+ points from 1 to 100,000\. r: lowest 0 at .*, highest 999 at/;
  await expect(chart(page)).toHaveAccessibleName(name, { timeout: 30_000 });
  await expect(page.getByText('drawn as the lowest and highest value of each interval')).toBeVisible();
  const plot = await settled(() => boxOf(page.locator('.u-over')));
  await page.mouse.move(plot.x + plot.width / 2, plot.y + 20);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.75, plot.y + 60, { steps: 3 });
  const marked = async (): Promise<number> => (await boxOf(page.locator('.u-select'))).width / plot.width;
  await expect.poll(async () => Math.abs((await marked()) - 0.25) < 0.01).toBe(true);
  await page.mouse.up();
  await expect(chart(page)).toHaveAccessibleName(/points from 5\d,\d\d\d to 7\d,\d\d\d/, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Reset zoom' }).click();
  await expect(chart(page)).toHaveAccessibleName(name, { timeout: 30_000 });

  const save = async (label: string, file: string): Promise<Buffer> => {
    await idleApp.answerSaveDialog(join(idleApp.folder, file));
    await page.getByRole('button', { name: 'Save or copy the chart' }).click();
    await page.getByRole('menuitem', { name: label }).click();
    await expect(view.messages).toContainText(`The chart was saved to ${file}`);
    return readFileSync(join(idleApp.folder, file));
  };
  const svg = (await save('SVG…', 'chart.svg')).toString();
  expect(svg).toContain('<path');
  expect(svg).not.toMatch(/script|style=|href|var\(|NaN/);
  const png = await save('PNG…', 'chart.png');
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual(['PNG', 1920]);
  await page.getByRole('button', { name: 'Save or copy the chart' }).click();
  await page.getByRole('menuitem', { name: 'Copy as PNG' }).click();
  await expect(view.messages).toContainText('on the clipboard as a picture');
  const copied = await idleApp.electron.evaluate(({ clipboard }) =>
    (clipboard as unknown as { readImage(): { getSize(): { width: number } } }).readImage().getSize(),
  );
  expect(copied.width).toBe(1920);
});
