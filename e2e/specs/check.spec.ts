// Checks of databases too large to be looked at in one go: damage is found, a sound one passes, and others work on meanwhile.
import { join } from 'node:path';
import { corruptPages } from '../data/damaged.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { holdBack } from '../hold-in-page.ts';
import { AppWindow } from '../pages/app-window.ts';

const ROWS = 1_000_000;
/** As few as are still checked bit by bit, which can be stopped: `worker/library/check.ts`. */
const SOME_ROWS = 400_000;
/** Every page is read on a busy two-core machine. */
const PATIENT = { timeout: 60_000 };

// Files of this size are made and imported first.
test.setTimeout(180_000);

test('damage in a large file is found while it is imported', { tag: '@long' }, async ({ app, page }) => {
  const file = makeDatabase(join(app.folder, 'hurt.db'), { kind: 'big', rows: ROWS });
  corruptPages(file, 3, 5);
  const view = new AppWindow(page);
  await view.openFile(app, file);
  await expect(view.dialog).toContainText('is damaged', PATIENT);
});

test('a large database passes, and says how far its check is', { tag: '@long' }, async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'big.db'), { kind: 'big', rows: ROWS });
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('big');
  // The card may have come and gone between two looks from outside.
  await view.page.evaluate(() => {
    const said = ((window as unknown as { said: string[] }).said = [] as string[]);
    const note = (): unknown =>
      said.push(document.querySelector('section[aria-label="Checking big"]')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await view.command('Check Integrity');
  await expect(view.messages).toContainText('is intact', PATIENT);
  const said = await view.page.evaluate(() => (window as unknown as { said: string[] }).said);
  expect(said).toContainEqual(expect.stringMatching(/Checking · [\d.]+ .B of/));
});

test(
  'while a large database is checked, its rows are read, and what is written waits until the end',
  { tag: '@long' },
  async ({ idleApp }) => {
    // Large enough that a quick machine is not done with it before it is looked at.
    const last = 3 * ROWS - 1;
    const file = makeDatabase(join(idleApp.folder, 'big.db'), { kind: 'big', rows: 3 * ROWS });
    const view = new AppWindow(await idleApp.start(file));
    const grid = await view.openTable('big');
    await view.command('Check Integrity');
    const card = view.page.getByRole('region', { name: 'Checking big' });
    await expect(card).toBeVisible();
    await grid.click(0, 'name');
    await view.page.keyboard.press('Control+End');
    await expect(grid.cell(last, 'name')).toHaveText(`row number ${last + 1}`);
    await grid.edit(last, 'name', 'written');
    await expect(view.messages).toContainText('is intact', PATIENT);
    await expect(grid.cell(last, 'name')).toHaveText('written');
  },
);

test('a check is stopped; begun again, it finds the database intact', { tag: '@long' }, async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'big.db'), { kind: 'big', rows: SOME_ROWS });
  const view = new AppWindow(await idleApp.start(file));
  const grid = await view.openTable('big');
  const letGo = await holdBack(view.page, 'database.check');
  await view.command('Check Integrity');
  const card = view.page.getByRole('region', { name: 'Checking big' });
  await card.getByRole('button', { name: 'Cancel' }).click();
  await letGo();
  await expect(card).toHaveCount(0);
  await expect(view.messages).not.toContainText('is intact');
  await grid.edit(0, 'name', 'written');
  await expect(grid.cell(0, 'name')).toHaveText('written');
  await view.command('Check Integrity');
  await expect(view.messages).toContainText('is intact', PATIENT);
});
