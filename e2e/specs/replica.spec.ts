// Litestream replicas: opened as of a moment, compared with what the database is today, and gone when they are closed.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings, findingsInSmall } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { litestream, shopReplica } from '../support/replica.ts';

const PATIENT = { timeout: 30_000 };

test.setTimeout(180_000);

const STEPS = {
  '2026-11-20T13:59:00': `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
    INSERT INTO item VALUES (1, 'ant', 9007199254740993), (2, 'bee', 2)`,
  '2026-11-20T14:00:00': "UPDATE item SET price = 20 WHERE id = 2; INSERT INTO item VALUES (3, 'cat', 3)",
  '2026-11-20T14:00:05': 'DELETE FROM item WHERE id = 1',
  '2026-11-21T09:00:00': "UPDATE item SET name = 'cow' WHERE id = 3",
};

/** Checks both themes and a small window, with pictures of each. */
async function looks(app: SideliteApp, page: Page, screen: string): Promise<readonly string[]> {
  const window = await app.electron.browserWindow(page);
  const found: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator(`html[data-theme=${theme}]`)).toBeAttached();
    found.push(...(await findings(page, screen, theme)));
  }
  for (const [width, height] of [
    [800, 500],
    [1280, 800],
  ] as const) {
    // prettier-ignore
    await window.evaluate((it, size) => it.setContentSize(...size), [width, height] as const);
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    if (width < 1000) found.push(...(await findingsInSmall(page, screen)));
  }
  return found;
}

/** The app with today's database, and the dialog with the moments of its replica. */
async function begin(app: SideliteApp) {
  const program = await litestream();
  const { path, replica } = await shopReplica(app.folder, program, STEPS);
  app.opensFiles = 'in-place';
  const view = new AppWindow(await app.start());
  const { dialog } = view;
  await view.openFile(app, path);
  await view.opened('shop.db');
  await view.command('Open Replica as of');
  await app.answerOpenDialog(program);
  await dialog.getByRole('button', { name: 'Choose program…' }).click();
  await expect(dialog).toContainText('Litestream 0.5.17', PATIENT);
  const open = dialog.getByRole('button', { name: 'Open read-only' });
  await expect(open).toBeDisabled();
  await app.answerOpenDialog(join(replica, '..'));
  await dialog.getByRole('button', { name: 'Choose folder…' }).click();
  await expect(dialog.getByRole('status')).toHaveText('This folder contains replicas. Choose one of them: “shop.db”.');
  await app.answerOpenDialog(replica);
  await dialog.getByRole('button', { name: 'Choose folder…' }).click();
  await expect(open).toBeEnabled(PATIENT);
  const moments = dialog.getByRole('listbox', { name: 'Restore points' });
  await expect(moments.getByRole('option')).toHaveText([
    /^2026-11-21 09:00:00\s+transaction 4$/,
    /^2026-11-20 14:00:05\s+transaction 3$/,
    /^2026-11-20 14:00:00\s+transaction 2$/,
    /^2026-11-20 13:59:00\s+transaction 1$/,
  ]);
  const temporary = (): readonly string[] => {
    const folder = join(app.profile, 'replicas');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  return { view, open, moments, time: dialog.getByLabel('As of'), temporary };
}

test('a replica is opened as of a time, compared with today, and removed when it is closed', async ({ idleApp }) => {
  const { view, open, moments, time, temporary } = await begin(idleApp);
  const { page, dialog } = view;
  // A typed time is checked, and means the last moment before it.
  await expect(time).toHaveValue('2026-11-21 09:00:00');
  await time.fill('2026-11-20 13:58');
  await expect(dialog).toContainText('The oldest restore point is 2026-11-20 13:59:00.');
  await expect(open).toBeDisabled();
  await time.fill('2026-11-20 14:00:04');
  await expect(moments.getByRole('option', { selected: true })).toHaveText(/transaction 2$/);
  await time.press('Enter');
  await view.opened('shop.db as of 2026-11-20 14:00');
  await expect(view.database).toHaveText(/read-only$/);
  const grid = await view.openTable('item');
  await expect(grid.cell(0, 'price')).toHaveText('9007199254740993');
  await expect(grid.cell(1, 'price')).toHaveText('20');
  await grid.click(0, 'name');
  await page.keyboard.press('F2');
  await expect(view.status).toContainText('read-only');
  await expect(grid.editor).toHaveCount(0);
  expect(temporary()).toHaveLength(1);
  // Compare it with today's database.
  await view.command('Compare Schemas');
  const bar = page.getByRole('toolbar', { name: 'Compare schemas' });
  await bar.getByLabel('From').selectOption({ label: 'shop.db as of 2026-11-20 14:00' });
  await bar.getByLabel('To').selectOption({ label: 'shop.db' });
  await page.getByRole('tab', { name: 'Rows' }).click();
  await page.getByRole('button', { name: 'Compare rows' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Rows' });
  await expect(panel).toContainText('ant', PATIENT);
  // It is in no list of files, and goes with its database.
  await page.keyboard.press('Control+l');
  const row = page.getByRole('row', { name: 'shop.db as of 2026-11-20 14:00', exact: true });
  await expect(row).toContainText('restored from');
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close and remove' }).click();
  await expect(row).toHaveCount(0);
  await expect.poll(temporary).toEqual([]);
});

test(
  'a moment is chosen by keyboard, and nothing restored is left after a crash',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, open, moments, time, temporary } = await begin(idleApp);
    const { page, dialog } = view;
    expect(await looks(idleApp, page, 'dialog')).toEqual([]);
    await moments.focus();
    await page.keyboard.press('End');
    await expect(time).toHaveValue('2026-11-20 13:59:00');
    await expect(open).toBeEnabled();
    await time.press('Enter');
    await view.opened('shop.db as of 2026-11-20 13:59');
    expect(temporary()).toHaveLength(1);
    // Choose storage: what is entered is checked before anything is asked of a server.
    await view.command('Open Replica as of');
    await dialog.getByRole('radio', { name: 'S3-compatible storage' }).click();
    await dialog.getByLabel('Address').fill('https://example.com/shop.db');
    await dialog.getByLabel('Secret key').fill('not-to-be-seen');
    await dialog.getByLabel('Secret key').press('Enter');
    await expect(dialog.getByRole('status')).toHaveText('Enter an address such as s3://backups/shop.db.');
    expect(await looks(idleApp, page, 'storage')).toEqual([]);
    await idleApp.kill();
    const next = new AppWindow(await idleApp.start());
    await next.opened('shop.db');
    await expect.poll(temporary).toEqual([]);
    await next.page.keyboard.press('Control+l');
    await expect(next.page.getByRole('row', { name: 'shop.db', exact: true })).toBeVisible();
    await expect(next.page.getByRole('row', { name: /as of/ })).toHaveCount(0);
  },
);
