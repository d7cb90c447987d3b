// The menu of a right click on text, which is the system's own.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { readClipboard, writeClipboard } from '../support/clipboard.ts';

const PETS = `CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pet (name) VALUES ('cat'), ('dog');`;
const EDITING = ['Cut', 'Copy', 'Paste', '', 'Select All'];

test('SQL has its commands and the clipboard in the menu of a right click', async ({ idleApp }) => {
  const view = await start(idleApp);
  await view.writeSql('select name from pet');
  await view.editor.click({ button: 'right' });
  await expect
    .poll(() => lastMenu(idleApp))
    .toEqual([
      'Run Statement or Selection',
      'Dry Run of Statement or Selection',
      'Explain Query Plan',
      '',
      'Go to Definition',
      'Rename Alias',
      'Format SQL',
      'Toggle Comment',
      '',
      ...EDITING,
    ]);
  await choose(idleApp, view.editor, 'Format SQL');
  await expect(view.page.locator('.cm-line')).toHaveText(['select', '  name', 'from', '  pet']);
  await choose(idleApp, view.editor, 'Select All');
  await choose(idleApp, view.editor, 'Copy');
  await expect.poll(() => readClipboard(view.page)).toBe('select\n  name\nfrom\n  pet');
  await writeClipboard(view.page, 'SELECT 1');
  await choose(idleApp, view.editor, 'Paste');
  await expect(view.page.locator('.cm-line')).toHaveText(['SELECT 1']);
});

test(
  'fields can be cut and pasted by menu, and what is only shown can be copied',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = await start(idleApp);
    await view.openTable('pet');
    const search = view.page.getByPlaceholder('Find table, column, index');
    await search.fill('pe');
    await search.click({ button: 'right' });
    await expect.poll(() => lastMenu(idleApp)).toEqual(EDITING);
    await choose(idleApp, search, 'Select All');
    await choose(idleApp, search, 'Cut');
    await expect(search).toHaveValue('');
    await choose(idleApp, search, 'Paste');
    await expect(search).toHaveValue('pe');

    await view.grid('Rows of pet').click(0, 'name');
    const value = view.page.getByRole('complementary', { name: 'Details' }).locator('pre', { hasText: 'cat' });
    await value.dblclick();
    await value.click({ button: 'right' });
    await expect.poll(() => lastMenu(idleApp)).toEqual(['Copy']);
    await choose(idleApp, value, 'Copy');
    await expect.poll(() => readClipboard(view.page)).toBe('cat');
  },
);

test('Cut, Copy, and Paste of the menu Edit act on cells in a grid, and on text in a field', async ({ idleApp }) => {
  const view = await start(idleApp);
  const grid = await view.openTable('pet');
  await grid.click(0, 'name');
  await chooseInEdit(idleApp, 'copy');
  await expect.poll(() => readClipboard(view.page)).toBe('cat');
  await grid.click(1, 'name');
  await chooseInEdit(idleApp, 'paste');
  await expect(grid.cell(1, 'name')).toHaveText('cat');
  await chooseInEdit(idleApp, 'cut');
  await expect(grid.cell(1, 'name')).toHaveAttribute('data-storage-class', 'null');
  await chooseInEdit(idleApp, 'paste');
  await expect(grid.cell(1, 'name')).toHaveText('cat');
  const search = view.page.getByPlaceholder('Find table, column, index');
  await search.fill('pet');
  await search.press('Control+a');
  await chooseInEdit(idleApp, 'copy');
  await expect.poll(() => readClipboard(view.page)).toBe('pet');
  await search.press('End');
  await chooseInEdit(idleApp, 'paste');
  await expect(search).toHaveValue('petpet');
  // The palette acts on what had the focus before it.
  await search.press('Control+a');
  await view.command('Copy');
  await expect.poll(() => readClipboard(view.page)).toBe('petpet');
  await search.press('End');
  await view.command('Paste');
  await expect(search).toHaveValue('petpetpetpet');
  await expect(grid.cell(1, 'name')).toHaveText('cat');
});

/** Chooses an entry of the application's menu that the system implements. */
const chooseInEdit = (app: SideliteApp, role: 'cut' | 'copy' | 'paste'): Promise<void> =>
  app.electron.evaluate(({ BrowserWindow, Menu }, wanted) => {
    const edit = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Edit')?.submenu;
    const item = edit?.items.find((one) => one.role === wanted);
    const window = BrowserWindow.getAllWindows().find((one) => one.isVisible());
    item?.click(undefined, window, window?.webContents);
  }, role);

async function start(app: SideliteApp): Promise<AppWindow> {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'pets.db'), { kind: 'sql', sql: PETS })));
  await view.opened('pets');
  // A menu of the system cannot be seen from here, and stays open until someone closes it.
  await app.electron.evaluate(({ Menu }) => {
    Menu.prototype.popup = function () {
      (globalThis as ShownMenu).shownMenu = this;
    };
  });
  return view;
}

interface ShownMenu {
  shownMenu?: Electron.Menu;
}

/** The labels of the menu that opened last; a line between groups has none. */
function lastMenu(app: SideliteApp): Promise<string[]> {
  return app.electron.evaluate(() => (globalThis as ShownMenu).shownMenu?.items.map(({ label }) => label) ?? []);
}

/** Chooses a command in the menu of a right click on a text. */
async function choose(app: SideliteApp, text: Locator, label: string): Promise<void> {
  await text.click({ button: 'right', position: { x: 12, y: 8 } });
  const isOffered = (): Promise<boolean> =>
    app.electron.evaluate(
      (_electron, wanted) =>
        (globalThis as ShownMenu).shownMenu?.items.some(({ label, enabled }) => label === wanted && enabled) ?? false,
      label,
    );
  await expect.poll(isOffered).toBe(true);
  await app.electron.evaluate(({ BrowserWindow }, wanted) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.isVisible())!;
    const item = (globalThis as ShownMenu).shownMenu!.items.find((one) => one.label === wanted)!;
    item.click({}, window, window.webContents);
  }, label);
}
