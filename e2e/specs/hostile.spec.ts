// A database that was made to harm who looks at it: every cell can be selected, copied and passed, and no name lies about what is beside it.
import { join } from 'node:path';
import { HOSTILE_NAMES, HOSTILE_VALUES, makeHeavy, makeHostile, makeHostileNames } from '../data/hostile.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { hiddenIn } from '../support/visible-in-page.ts';

test(
  'every hostile cell can be selected and edited, and the window answers and shows nothing hidden',
  { tag: '@long' },
  async ({ app, page }) => {
    test.setTimeout(180_000);
    const view = new AppWindow(page);
    await view.openFile(app, makeHostile(join(app.folder, 'hostile.db')));
    await view.opened('hostile');
    await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('cells 1');
    const grid = view.grid('Rows of cells');
    const details = page.getByRole('complementary', { name: 'Details' });
    await grid.click(0, 'value');
    for (const [index, [what, , said]] of HOSTILE_VALUES.entries()) {
      await test.step(what, async () => {
        if (index > 0) await page.keyboard.press('ArrowDown');
        await expect(details.getByRole('heading', { level: 2 })).toHaveText(`cells ${index + 1}`);
        await expect(details).toContainText(said);
        await expect(details).not.toContainText('Reading the rest');
        expect(await hiddenIn(page)).toEqual([]);
        // The field shows the text as it is; what stands around it hides nothing.
        await page.keyboard.press('F4');
        const field = details.getByRole('textbox');
        await expect(field).toBeFocused();
        if (what === 'overrides') await expect(details).toContainText('The text has hidden characters');
        expect(await hiddenIn(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await expect(grid.root).toBeFocused();
        await expect(field).toHaveCount(0);
      });
    }
    await expect(page.getByRole('alert')).toHaveCount(0);
    await grid.click(0, 'what');
    await expect(details).toContainText('60 KB of nested brackets');

    await test.step('a long text is read part by part', async () => {
      await grid.click(5, 'value');
      const parts = details.getByRole('group', { name: 'Part of the text' });
      await expect(parts).toContainText('Characters 1 to 100,000 of 4,194,304');
      await expect(parts.getByRole('button', { name: 'Previous part' })).toBeDisabled();
      await parts.getByRole('button', { name: 'Next part' }).click();
      await expect(parts).toContainText('Characters 100,001 to 200,000 of 4,194,304');
      await expect
        .poll(async () => (await details.getByLabel('Value', { exact: true }).innerText()).length)
        .toBe(100_000);
      await page.keyboard.press('Control+End');
      await grid.click(6, 'value');
      await expect(parts).toContainText('Characters 1 to 5,000 of 4,000,000');
    });
  },
);

test('hostile text is copied as it is stored, whatever is shown of it', { tag: '@long' }, async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeHostile(join(app.folder, 'hostile.db')));
  await view.opened('hostile');
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('cells 1');
  const grid = view.grid('Rows of cells');
  const clipboard = (): Promise<string | null> => page.evaluate(() => window.sidelite.readClipboard());
  for (const [row, [, value]] of HOSTILE_VALUES.entries()) {
    // NUL ends a text on the clipboard of X11.
    if (typeof value !== 'string' || value.length > 200_000 || value.includes('\0')) continue;
    await grid.click(row, 'value');
    await page.keyboard.press('Control+c');
    await expect.poll(clipboard).toBe(value);
  }
  await grid.click(8, 'value');
  await page.keyboard.press('Control+Shift+c');
  await expect.poll(clipboard).toBe(`value\n${HOSTILE_VALUES[8]![1] as string}`);
});

test('names of tables and columns cannot hide, reorder what is beside them, or fill the window', async ({
  app,
  page,
}) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeHostileNames(join(app.folder, 'names\u202egpj.db')));
  await expect(view.database).toContainText('names[U+202E]gpj');
  const shown = 'orders[U+202E])deifirev( nimda';
  await view.tree.getByRole('treeitem', { name: shown }).dblclick();
  await expect(view.tabs.filter({ hasText: shown })).toHaveCount(1);
  const grid = view.grid(`Rows of ${shown}`);
  await expect(grid.root.getByRole('columnheader', { name: shown })).toBeAttached();
  await grid.root.focus();
  const details = page.getByRole('complementary', { name: 'Details' });
  for (const [index, name] of HOSTILE_NAMES.entries()) {
    await page.keyboard.press('ArrowRight');
    await expect(details.locator('dd').first()).toContainText(name.slice(0, 4));
    expect(await hiddenIn(page), `in column ${index}`).toEqual([]);
  }
  // Tabs, palette, library, questions, history, SQL: wherever a name gets to.
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder(/Go to anything|command/).fill('orders');
  await expect(page.getByRole('option').first()).toContainText('[U+202E]');
  expect(await hiddenIn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await grid.edit(0, HOSTILE_NAMES[2], 'edited\u202e');
  // The editor shows text as it was typed, hidden characters too, until the row is stored.
  await expect(grid.editor).toHaveCount(0);
  await page.keyboard.press('Control+Shift+h');
  await expect(new HistoryPage(page).steps.first()).toContainText('[U+202E]');
  expect(await hiddenIn(page)).toEqual([]);
  await page.keyboard.press('Control+t');
  await expect(view.editor).toBeFocused();
  await page.evaluate((sql) => window.sidelite.writeClipboard(sql), `SELECT * FROM "${HOSTILE_NAMES[0]}"`);
  await page.keyboard.press('Control+v');
  await expect(view.editor).toContainText(`FROM "${shown}"`);
  await page.keyboard.press('F5');
  await expect(view.grid('Rows of result 1').root.getByRole('columnheader', { name: shown })).toBeAttached();
  expect(await hiddenIn(page)).toEqual([]);
  await page.keyboard.press('Control+l');
  await expect(page.getByRole('row', { name: /names/ })).toContainText('[U+202E]');
  expect(await hiddenIn(page)).toEqual([]);
  expect(
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.getTitle())),
  ).toContain('names[U+202E]gpj – Sidelite');
});

test('views that would block SQLite say so, and the rest of the database is used, in place and in the library', async ({
  idleApp,
}) => {
  idleApp.opensFiles = 'ask';
  const file = makeHeavy(join(idleApp.folder, 'heavy.db'));
  const view = new AppWindow(await idleApp.start());
  for (const [way, name] of [
    ['In place', 'heavy.db'],
    ['Library copy', 'heavy'],
  ] as const) {
    await test.step(way, async () => {
      await view.openFile(idleApp, file);
      await view.dialog.getByRole('button', { name: way }).click();
      await view.opened(name);
      await expect(view.grid('Rows of t').cell(1, 'a')).toHaveText('two');
      await expect(view.treeItem('v12').getByLabel(/cannot be used here/)).toBeVisible();
      await view.treeItem('v12').dblclick();
      await expect(
        view.page.getByText(/“v12” cannot be used here: it reads from more than 2,000/).first(),
      ).toBeVisible();
      await view.treeItem('v3').dblclick();
      await expect(view.grid('Rows of v3').cell(0, 'a')).toHaveText('one');
    });
  }
});
