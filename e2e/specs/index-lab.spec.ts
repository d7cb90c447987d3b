// The index lab in the real app: indexes found, measured, created, and undone, in the library and in place, with the keyboard alone.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const SHOP = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
  CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, day TEXT, total REAL);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
  INSERT INTO customer SELECT i, 'Name ' || i, 'City ' || (i % 12) FROM n;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
  INSERT INTO purchase SELECT i, i * 31 % 200 + 1, CASE i % 40 WHEN 0 THEN 'open' ELSE 'done' END, date(2450000 + i % 365), i % 97 FROM n;
  CREATE INDEX purchase_day ON purchase (day);
  CREATE INDEX purchase_day_total ON purchase (day, total);
`;
const SQL = "SELECT day, total FROM purchase WHERE customer_id = :customer AND status = 'open' ORDER BY day";

for (const inPlace of [false, true])
  test(
    `finds, measures, creates, and undoes an index, ${inPlace ? 'in place' : 'in the library'}`,
    { tag: inPlace ? '@long' : [] },
    async ({ idleApp }) => {
      if (inPlace) idleApp.opensFiles = 'in-place';
      const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP }));
      const window = new AppWindow(page);
      await window.opened('shop');
      await window.writeSql(SQL);
      await page.keyboard.press('Control+Alt+i');
      const plan = page.getByRole('region', { name: 'Query plan' });
      const lab = page.getByRole('region', { name: 'Index lab' });
      await expect(plan.getByRole('table').first()).toContainText('SCAN purchase');
      await expect(lab.locator('.lab-head')).toContainText(/index(es)? would help; \d+ were tried/);
      await expect(lab).toContainText('purchase_day on purchase: purchase_day_total does the same.');
      const short = lab.getByRole('listitem', { name: 'purchase_customer_id', exact: true });
      await expect(short).toContainText('CREATE INDEX purchase_customer_id ON purchase (customer_id)');
      await expect(short).toContainText(/Estimated cost [\d,]+ → [\d,]+, \d+ times less · about [\d.]+ (KB|MB)/);
      await short.getByText('Query plan with this index').click();
      await expect(short.getByRole('table')).toContainText(
        'SEARCH purchase USING INDEX purchase_customer_id (customer_id=?)',
      );

      // An index of one's own, first with a mistake.
      const own = lab.getByRole('textbox', { name: 'An index of your own' });
      await own.fill('CREATE INDEX mine ON purchase (customer)');
      await own.press('Enter');
      await expect(lab.getByRole('alert')).toContainText('customer');
      await own.fill("CREATE INDEX mine ON purchase (customer_id, day) WHERE status = 'open'");
      await own.press('Enter');
      const mine = lab.getByRole('listitem', { name: 'mine', exact: true });
      await expect(mine.getByText('Query plan with this index')).toBeVisible();
      await expect(own).toHaveValue('');

      // It is measured with the values that a run would have, which are asked for.
      await mine.getByRole('button', { name: 'Measure' }).press('Enter');
      const customer = page.getByRole('textbox', { name: /:customer/ });
      await customer.fill('7');
      await customer.press('Tab');
      await mine.getByRole('button', { name: 'Measure' }).press('Enter');
      await expect(mine).toContainText(/Measured in a copy: .* without it, .* with it\. It takes .* to build\./);
      await expect(window.tree.getByText('mine', { exact: true })).toHaveCount(0);

      await mine.getByRole('button', { name: 'Create index' }).press('Enter');
      await expect(plan.getByRole('table').first()).toContainText('INDEX mine');
      await expect(plan).toBeFocused();
      await expect(window.tree.getByText('mine', { exact: true })).toHaveCount(1);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect(window.tree.getByText('mine', { exact: true })).toHaveCount(0);
      await page.getByRole('textbox', { name: 'SQL' }).click();
      await page.keyboard.press('Control+Alt+e');
      await expect(plan.getByRole('table').first()).toContainText('SCAN purchase');
    },
  );

test('what the lab has found is seen below a long plan in a small window', { tag: '@long' }, async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'shop.db'), { kind: 'sql', sql: SHOP }));
  const window = new AppWindow(page);
  await window.opened('shop');
  const shown = await idleApp.electron.browserWindow(page);
  await shown.evaluate((it) => it.setContentSize(800, 600));
  const parts = ['open', 'done', 'lost', 'sent', 'back'].map(
    (status) => `SELECT day, total FROM purchase WHERE status = '${status}' AND total > 90`,
  );
  await window.writeSql(`${parts.join(' UNION ')} ORDER BY 1`);
  await page.keyboard.press('Control+Alt+i');
  const lab = page.getByRole('region', { name: 'Index lab' });
  await expect(lab.locator('.lab-head')).toContainText('tried');
  await expect(lab.locator('.lab-head')).toBeInViewport({ ratio: 1 });
});
