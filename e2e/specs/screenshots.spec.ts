// The pictures of the README, taken of the sample database. `SIDELITE_SCREENSHOTS=1` puts them into e2e/screenshots.
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const FOLDER = join(import.meta.dirname, '..', 'screenshots');

for (const theme of ['Light', 'Dark'] as const) {
  test(`the main window, ${theme.toLowerCase()}`, async ({ app, page }) => {
    await app.electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()
        .find((window) => window.isVisible())
        ?.setContentSize(1280, 800);
    });
    const view = new AppWindow(page);
    await page.getByRole('button', { name: /Sample database/ }).click();
    await view.opened('Sample');
    await view.command(`Theme: ${theme}`);
    await view.runSql(
      'SELECT c.name AS category, count(*) AS products, round(avg(p.price_cents) / 100.0, 2) AS average_price\nFROM product p JOIN category c ON c.id = p.category_id\nGROUP BY c.name ORDER BY average_price DESC;',
    );
    const grid = await view.openTable('product');
    await grid.click(4, 'name');
    await page.getByPlaceholder(/Find table/).blur();
    await grid.root.focus();
    await expect(view.status).toContainText('1,200 rows');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    const name = `main-window-${theme.toLowerCase()}.png`;
    const keeps = process.env['SIDELITE_SCREENSHOTS'] === '1';
    await page.screenshot({ path: keeps ? join(FOLDER, name) : test.info().outputPath(name) });
  });
}
