// Stop of what reads a distant server: it takes effect although the server has not answered yet.
import { AppWindow } from '../pages/app-window.ts';
import { expect, test } from '../server-fixtures.ts';
import { saveConnection } from '../support/server.ts';

/** Far longer than a story waits: what ends before has not waited for an answer. */
const DELAY_MS = 600_000;
const PATIENT = { timeout: 30_000 };

test(
  'a search is stopped while the server has not answered yet, and works again afterwards',
  { tag: '@long' },
  async ({ page, distantServer: { url, controls } }) => {
    const view = new AppWindow(page);
    await view.connected();
    await saveConnection(page, { address: url });
    await view.openFromLibrary('Shop');
    await page.keyboard.press('Control+Shift+f');
    const search = page.getByRole('textbox', { name: 'Text to search for' });
    await expect(page.getByText('The server reads up to 5,003 rows.')).toBeVisible(PATIENT);
    await search.fill('row 4999');
    const asked = controls.requests;
    controls.delayMs = DELAY_MS;
    await page.keyboard.press('Enter');
    await expect.poll(() => controls.requests, PATIENT).toBeGreaterThan(asked);
    await page.getByRole('button', { name: 'Stop', exact: true }).click(PATIENT);
    await expect(page.getByRole('status').filter({ hasText: 'Stopped. Rows found so far are listed.' })).toBeVisible(
      PATIENT,
    );
    controls.delayMs = 0;
    await search.press('Enter');
    await expect(page.getByRole('group', { name: 'Rows found' }).getByRole('button')).toHaveText(
      ['big.trow 4999'],
      PATIENT,
    );
  },
);

test(
  'a comparison is stopped while the server has not answered yet, and works again afterwards',
  { tag: '@long' },
  async ({ page, distantServer: { url, controls } }) => {
    const view = new AppWindow(page);
    await view.connected();
    await saveConnection(page, { address: url });
    await view.openFromLibrary('Shop');
    await view.copyIntoLibrary('Shop');
    await view.command('Compare Schemas');
    const bar = page.getByRole('toolbar', { name: 'Compare schemas' });
    await bar.getByLabel('From').selectOption({ label: 'Shop 2' });
    await bar.getByLabel('To').selectOption({ label: 'Shop' });
    await page.getByRole('tab', { name: 'Rows' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Rows' });
    await expect(panel).toContainText('The server reads up to 5,003 rows.', PATIENT);
    const asked = controls.requests;
    controls.delayMs = DELAY_MS;
    await panel.getByRole('button', { name: 'Compare rows' }).click();
    await expect(panel).toContainText('Reading “Shop”', PATIENT);
    await expect.poll(() => controls.requests, PATIENT).toBeGreaterThan(asked);
    await panel.getByRole('button', { name: 'Stop', exact: true }).click(PATIENT);
    await expect(view.messages).toContainText('Stopped. Nothing was changed.', PATIENT);
    controls.delayMs = 0;
    await panel.getByRole('button', { name: 'Compare rows' }).click();
    await expect(panel).toContainText('All rows of 2 tables are the same.', PATIENT);
  },
);
