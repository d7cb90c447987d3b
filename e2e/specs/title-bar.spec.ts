// The title bar that the page draws on Linux and Windows, with the menu in it.
import type { Locator, Page } from '@playwright/test';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { openPets } from '../support/pets.ts';
import { boxOf } from '../support/settled.ts';

const NAMES = ['File', 'Edit', 'View', 'Database', 'Query', 'Help'];

const button = (page: Page, name: string): Locator =>
  page.getByRole('menubar').getByRole('menuitem', { name, exact: true });
const menu = (page: Page, name: string): Locator => page.getByRole('menu', { name, exact: true });
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');

test('the menus have the entries of the native menu, with their keys, marks, and what is off', async ({ idleApp }) => {
  const view = await openPets(idleApp);
  const { page } = view;
  await view.openTable('pet');
  const native = await nativeMenus(idleApp);
  expect(Object.keys(native)).toEqual(NAMES);
  for (const name of NAMES) {
    await button(page, name).click();
    const shown = await menu(page, name)
      .locator('.menu-item')
      .evaluateAll((items) =>
        items.map((item) => ({
          title: item.querySelector('.fill-x')!.textContent,
          isOff: item.getAttribute('aria-disabled') === 'true',
          isChecked: item.getAttribute('aria-checked') === 'true',
        })),
      );
    expect(shown, name).toEqual(native[name]);
    expect(await findings(page, 'menu', 'light')).toEqual([]);
    await button(page, name).click();
    await expect(menu(page, name)).toHaveCount(0);
  }
  await button(page, 'Edit').click();
  await expect(menu(page, 'Edit').getByRole('menuitem', { name: 'Copy with Headers' })).toContainText('Ctrl Shift C');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

test('keys open, walk through, and leave the menus, and the focus comes back', async ({ idleApp }) => {
  const view = await openPets(idleApp);
  const { page } = view;
  const grid = await view.openTable('pet');
  await grid.click(1, 'name');

  await test.step('Alt and F10 go to the bar and back', async () => {
    for (const key of ['Alt', 'F10']) {
      await page.keyboard.press(key);
      await expect(button(page, 'File')).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(button(page, 'Edit')).toBeFocused();
      await page.keyboard.press('q');
      await expect(menu(page, 'Query')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(button(page, 'Query')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(grid.root).toBeFocused();
    }
    await page.keyboard.press('Alt+Shift+ArrowLeft');
    await expect(grid.root).toBeFocused();
    // As fields do with keys of their own, and chosen keys of commands before them.
    await page.evaluate(() =>
      document.addEventListener('keydown', (event) => event.key === 'j' && event.stopPropagation()),
    );
    for (const key of ['Alt', 'j']) await page.keyboard.down(key);
    for (const key of ['Alt', 'j']) await page.keyboard.up(key);
    await expect(grid.root).toBeFocused();
  });

  await test.step('Alt and a letter open a menu, arrows go on to the next, letters to an entry', async () => {
    await page.keyboard.press('Alt+e');
    await expect.poll(() => focused(page)).toMatch(/^Undo/);
    await page.keyboard.type('sel');
    await expect.poll(() => focused(page)).toMatch(/^Select All/);
    await page.keyboard.press('ArrowLeft');
    await expect(menu(page, 'File')).toBeVisible();
    await expect.poll(() => focused(page)).toMatch(/^Open File/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('menuitem', { name: 'pets.db' })).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(grid.root).toBeFocused();
  });

  await test.step('what is chosen acts on what had the focus: here the text of a cell that is being edited', async () => {
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Edit name' });
    await field.fill('dog');
    await page.keyboard.press('Alt+e');
    await page.keyboard.type('sel');
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('dog');
    await page.keyboard.type('cow');
    await button(page, 'Edit').click();
    await menu(page, 'Edit').getByRole('menuitem', { name: 'Undo' }).click();
    await expect(field).toBeFocused();
    await expect(field).not.toHaveValue('cow');
    await page.keyboard.press('Escape');
    await expect(grid.cell(1, 'name')).toHaveText('cat');
  });

  await test.step('the key of a command closes the menu and runs; a press elsewhere closes it', async () => {
    await page.keyboard.press('Alt+v');
    await page.keyboard.press('Control+p');
    const palette = page.getByRole('combobox', { name: /^Go to anything/ });
    await expect(palette).toBeFocused();
    expect((await boxOf(palette)).y).toBeGreaterThan((await boxOf(page.locator('.title-bar'))).height);
    await expect(menu(page, 'View')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(grid.root).toBeFocused();
    await page.keyboard.press('Alt+d');
    await expect(menu(page, 'Database')).toBeVisible();
    await view.page.getByRole('searchbox', { name: /Find table/ }).click();
    await expect(menu(page, 'Database')).toHaveCount(0);
    await expect(page.getByRole('searchbox', { name: /Find table/ })).toBeFocused();
  });
});

test('the focus comes back where a context menu was open, and where nothing had it', async ({ idleApp }) => {
  const view = await openPets(idleApp);
  const { page } = view;
  const grid = await view.openTable('pet');
  await grid.click(0, 'name');
  const edit = await boxOf(button(page, 'Edit'));
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Only rows with this value' })).toBeVisible();
  await page.mouse.click(edit.x + 5, edit.y + 5);
  await expect(menu(page, 'Edit')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Only rows with this value' })).toHaveCount(0);
  await page.mouse.click(edit.x + 5, edit.y + 5);
  await expect(grid.root).toBeFocused();

  const isNowhere = (): Promise<boolean> => page.evaluate(() => document.activeElement === document.body);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Alt');
  await expect(button(page, 'File')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect.poll(isNowhere).toBe(true);
});

test('the pointer goes along the bar; leaving the window closes a menu; none opens over a dialog', async ({
  idleApp,
}) => {
  const view = await openPets(idleApp);
  const { page } = view;
  const grid = await view.openTable('pet');
  await grid.click(0, 'name');
  await button(page, 'File').click();
  await button(page, 'View').hover();
  await expect(menu(page, 'View')).toBeVisible();
  await expect(menu(page, 'File')).toHaveCount(0);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect(menu(page, 'View')).toHaveCount(0);
  await expect(grid.root).toBeFocused();

  await view.command('Print…');
  await expect(view.dialog).toBeVisible();
  for (const key of ['Alt', 'F10', 'Alt+f']) await page.keyboard.press(key);
  await page.locator('.menu-bar-item').first().click({ force: true });
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(view.dialog.locator(':focus')).toHaveCount(1);
  // The buttons of the window lie over the scrim.
  await page.locator('.window-button[title="Minimize"]').click();
  await expect(view.dialog).toBeVisible();
});

test('a narrow window has one button for all menus, and nothing moves when the title changes', async ({ idleApp }) => {
  const view = await openPets(idleApp);
  const { page } = view;
  await expect(page.locator('.window-title')).toHaveText('pets – Sidelite');
  await resize(idleApp, 800, 600);
  await expect(page.getByRole('menubar').getByRole('menuitem')).toHaveCount(1);
  await button(page, 'Menu').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(page)).toMatch(/^Open File/);
  for (let count = 0; count < 3; count++) await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+h');
  await expect(menu(page, 'Help')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await resize(idleApp, 1280, 800);
  await expect(page.getByRole('menubar').getByRole('menuitem')).toHaveCount(NAMES.length);

  const regions = await page.evaluate(() =>
    ['.title-bar', '.menu-bar-item', '.window-button'].map((selector) =>
      getComputedStyle(document.querySelector(selector)!).getPropertyValue('-webkit-app-region'),
    ),
  );
  expect(regions).toEqual(['drag', 'no-drag', 'no-drag']);
});

test('keys of entries that Electron implements work although no menu of the system is seen', async ({ idleApp }) => {
  const { page } = await openPets(idleApp);
  const window = await idleApp.electron.browserWindow(page);
  const zoom = (): Promise<number> => window.evaluate(({ webContents }) => webContents.getZoomLevel());
  const press = (keyCode: string): Promise<void> =>
    window.evaluate(
      ({ webContents }, key) => webContents.sendInputEvent({ type: 'keyDown', keyCode: key, modifiers: ['control'] }),
      keyCode,
    );
  await press('-');
  await expect.poll(zoom).toBeLessThan(0);
  await press('0');
  await expect.poll(zoom).toBe(0);
  await button(page, 'View').click();
  await menu(page, 'View').getByRole('menuitem', { name: 'Zoom Out' }).click();
  await expect.poll(zoom).toBeLessThan(0);
});

test('a window that does not fill the screen has a border of its own, over which presses go to what is there', async ({
  idleApp,
}) => {
  const { page } = await openPets(idleApp);
  const border = (): Promise<string[]> =>
    page.evaluate(() => {
      const { borderTopWidth, borderLeftWidth, pointerEvents } = getComputedStyle(document.documentElement, '::after');
      return [borderTopWidth, borderLeftWidth, pointerEvents];
    });
  await expect.poll(border).toEqual(['1px', '1px', 'none']);
  const window = await idleApp.electron.browserWindow(page);
  await window.evaluate((it) => {
    it.isMaximized = () => true;
    it.emit('maximize');
  });
  await expect(page.locator('.window-button[title="Restore"]')).toBeVisible();
  expect((await border())[0]).toBe('0px');
});

test.describe('a window that cannot start', () => {
  // The script that breaks pages is there for all that follow in the same process.
  test.use({ expectedProblems: /broken on purpose/, isAlone: true });

  test('says so, in light and in dark, and has a button that closes it', async ({ idleApp }) => {
    const { page: first } = await openPets(idleApp);
    await idleApp.electron.context().addInitScript(() => {
      // Used by several modules while they are loaded.
      window.matchMedia = () => {
        throw new Error('broken on purpose');
      };
    });
    await idleApp.menu('file.newWindow');
    const page = await idleApp.window(1);
    const close = page.getByRole('button', { name: 'Close' });
    await expect(close).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('The window could not be started');
    await expect(page.getByRole('menubar')).toHaveCount(0);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await findings(page, 'not-started', theme, 'colors')).toEqual([]);
    }
    const closed = page.waitForEvent('close');
    await close.click();
    await closed;
    await expect(button(first, 'File')).toBeVisible();
  });
});

interface Entry {
  readonly title: string;
  readonly isOff: boolean;
  readonly isChecked: boolean;
}

/** The entries of each menu, as Electron has them. */
function nativeMenus(app: SideliteApp): Promise<Record<string, Entry[]>> {
  return app.electron.evaluate(({ Menu }) =>
    Object.fromEntries(
      Menu.getApplicationMenu()!.items.map(({ label, submenu }) => [
        label.slice(1),
        submenu!.items
          .filter(({ type }) => type !== 'separator')
          .map((item) => ({
            title: item.label.replaceAll('&&', '&'),
            isOff: !item.enabled,
            isChecked: item.checked,
          })),
      ]),
    ),
  );
}

function resize(app: SideliteApp, width: number, height: number): Promise<void> {
  return app.electron.evaluate(
    ({ BrowserWindow }, [w, h]) => {
      BrowserWindow.getAllWindows()
        .find((window) => window.isVisible())
        ?.setContentSize(w!, h!);
    },
    [width, height],
  );
}
