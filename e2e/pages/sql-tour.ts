// The screens of an SQL tab: a result with its colors and chart, a plan, the index lab, the search, an error, and work that lasts.
import { expect } from '@playwright/test';
import type { AppWindow } from './app-window.ts';
import type { OnScreen } from './on-screen.ts';

const PRICES = `SELECT c.name AS category, count(*) AS products,
  round(avg(p.price_cents) / 100.0, 2) AS average_price
FROM product p JOIN category c ON c.id = p.category_id
GROUP BY c.name ORDER BY average_price DESC;`;
const FOREVER = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;';

/** Tours an SQL tab of the sample. @param at called on each screen, once it has come to rest */
export async function tourOfSql(view: AppWindow, at: OnScreen): Promise<void> {
  const { page } = view;
  await view.runSql(PRICES);
  await expect(view.grid('Rows of result 1').cell(0, 'category')).toBeAttached();
  await at('sql');
  await view.grid('Rows of result 1').click(0, 'products');
  await view.command('Color Column by Rule…');
  await page.getByRole('button', { name: 'Add scale' }).click();
  await expect(page.getByRole('textbox', { name: 'Rule 1 to' })).not.toHaveValue('');
  await at('sql-colors');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Alt+r');
  await expect(page.getByRole('img', { name: /^Bars: / })).toBeVisible();
  await at('sql-chart');
  await page.getByRole('button', { name: 'Show the values as a table' }).click();
  await expect(page.getByRole('grid', { name: 'Values of the chart' })).toBeVisible();
  await at('sql-chart-values');
  await page.keyboard.press('Control+Alt+r');
  await view.editor.focus();
  await page.keyboard.press('Control+Alt+e');
  await expect(page.getByRole('region', { name: 'Query plan' })).toBeVisible();
  await at('sql-plan');
  await page.keyboard.press('Control+Alt+i');
  const lab = page.getByRole('region', { name: 'Index lab' });
  await expect(lab).toContainText('tried');
  await at('sql-index-lab');
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
  await page.keyboard.type('price');
  await at('sql-search');
  await page.keyboard.press('Escape');
  // The list of objects is the same on all the others.
  await page.keyboard.press('Control+b');
  await expect(view.tree).toHaveCount(0);
  await view.runSql('SELECT name, pric FROM product;');
  await expect(page.getByRole('tabpanel')).toContainText('pric');
  await at('sql-error');
  await view.writeSql(FOREVER);
  await page.keyboard.press('F5');
  const stop = page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'Stop' });
  await expect(stop).toBeVisible();
  await at('sql-running');
  await stop.click();
  await expect(stop).toHaveCount(0);
}
