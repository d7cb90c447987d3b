// The keyboard: where the focus goes, and whose keys are whose.
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { readClipboard } from '../support/clipboard.ts';
import { openPets } from '../support/pets.ts';
import { boxOf, settled } from '../support/settled.ts';

test(
  'the focus goes along with tabs, and what is typed into a cell is the cell’s, and kept',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const view = await openPets(anyApp);

    await test.step('keys in a cell that is being edited are the text’s, not the table’s', async () => {
      const grid = await view.openTable('pet');
      await grid.click(0, 'name');
      await view.page.keyboard.press('F2');
      await view.page.keyboard.press('End');
      await view.page.keyboard.press('Control+Backspace');
      await view.page.keyboard.press('Control+d');
      await view.page.keyboard.press('Insert');
      await expect(grid.editor.getByRole('textbox')).toHaveValue('two ');
      await view.page.keyboard.press('Control+a');
      await view.page.keyboard.press('Control+c');
      await expect.poll(() => readClipboard(view.page)).toBe('two ');
      await view.page.keyboard.press('Escape');
      await expect(view.status).toContainText('2 rows');
      await expect(grid.cell(0, 'name')).toHaveText('two words');
    });

    await test.step('the focus goes into a table that is opened, to the next tab, back to a reopened one', async () => {
      const pets = view.grid('Rows of pet');
      const vets = view.grid('Rows of vet');
      await view.treeItem('vet').dblclick();
      await expect(vets.root).toBeFocused();
      await view.page.keyboard.press('Control+Tab');
      await expect(pets.root).toBeFocused();
      await view.page.keyboard.press('Control+w');
      await expect(vets.root).toBeFocused();
      await view.page.keyboard.press('Control+Shift+T');
      await expect(pets.root).toBeFocused();
    });

    await test.step('what was typed is kept when its tab closes or another comes in front', async () => {
      await view.page.keyboard.press('Control+Tab');
      const vets = view.grid('Rows of vet');
      const pets = view.grid('Rows of pet');
      await expect(vets.root).toBeFocused();
      await vets.click(0, 'name');
      await view.page.keyboard.type('Bob');
      await view.page.keyboard.press('Control+Tab');
      await pets.click(1, 'name');
      await view.page.keyboard.type('dog');
      await view.page.keyboard.press('Control+w');
      await expect(vets.cell(0, 'name')).toHaveText('Bob');
      await view.page.keyboard.press('Control+Shift+T');
      await expect(pets.cell(1, 'name')).toHaveText('dog');
    });

    await test.step('Delete closes the tab that has the focus, and the focus goes to the next one', async () => {
      const vet = view.tabs.filter({ hasText: 'vet' });
      await vet.click();
      await expect(view.grid('Rows of vet').root).toBeFocused();
      await vet.focus();
      await view.page.keyboard.press('Delete');
      await expect(vet).toHaveCount(0);
      await expect(view.tabs).toHaveText('pet');
      await expect(view.tabs).toBeFocused();
      await view.page.getByRole('button', { name: 'Close pet' }).click();
      await expect(view.tabs).toHaveCount(0);
    });
  },
);

test('one thing looks as if it had the keys: the row of the tree that was clicked, or the selection of the table', async ({
  idleApp,
}) => {
  const view = await openPets(idleApp);
  const grid = await view.openTable('pet');
  // Beside the cursor: the number of its row.
  const tint = (): Promise<string> =>
    view.page.locator('.grid-canvas').evaluate((canvas: HTMLCanvasElement) => {
      const scale = canvas.width / canvas.getBoundingClientRect().width;
      return canvas
        .getContext('2d')!
        .getImageData(4 * scale, 34 * scale, 1, 1)
        .data.join();
    });
  const outline = (): Promise<string> =>
    view.tree.locator('.tree-cursor').evaluate((row) => getComputedStyle(row).outlineStyle);
  await grid.click(0, 'name');
  expect(await outline()).toBe('none');
  const focused = await tint();
  await view.page.keyboard.press('F2');
  await expect(grid.editor).toBeVisible();
  expect(await tint()).toBe(focused);
  await view.page.keyboard.press('Escape');
  await view.treeItem('pet').click();
  await expect(view.tree).toBeFocused();
  expect(await outline()).toBe('solid');
  await expect.poll(tint).not.toBe(focused);
  await grid.click(0, 'name');
  await expect.poll(tint).toBe(focused);
});

test('under a dialog no key and no menu entry reaches the window', async ({ idleApp }) => {
  const view = await openPets(idleApp);
  const grid = await view.openTable('pet');
  const isOffered = (id: string) =>
    idleApp.electron.evaluate(({ Menu }, entry) => Menu.getApplicationMenu()?.getMenuItemById(entry)?.enabled, id);
  const library = view.page.getByRole('region', { name: 'Library' });
  await grid.click(0, 'name');
  await view.page.keyboard.press('Control+e');
  await expect(view.dialog).toBeVisible();
  await expect.poll(() => isOffered('library.show')).toBe(false);
  expect(await isOffered('file.recent')).toBe(false);
  for (const key of ['Control+l', 'Control+t', 'Control+w', 'F6', 'Control+p']) await view.page.keyboard.press(key);
  await idleApp.menu('library.show');
  await expect(view.dialog).toHaveCount(1);
  expect(await view.dialog.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  await view.page.keyboard.press('Escape');
  await expect(view.dialog).toHaveCount(0);
  await expect(library).toHaveCount(0);
  await expect(view.tabs).toHaveCount(1);
  await expect(grid.root).toBeFocused();
  await expect.poll(() => isOffered('library.show')).toBe(true);
  await view.page.keyboard.press('Control+p');
  await expect(view.dialog).toHaveCount(1);
  await view.page.keyboard.press('Control+p');
  await expect(view.dialog).toHaveCount(0);
  await view.page.keyboard.press('Control+l');
  await expect(library).toBeVisible();
});

test(
  'a shortcut with Alt leaves the focus in the table, also when Alt is released first',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = await openPets(idleApp);
    const pets = await view.openTable('pet');
    await view.treeItem('vet').dblclick();
    await expect(view.grid('Rows of vet').root).toBeFocused();
    await sendKeys(idleApp, [
      { type: 'keyDown', keyCode: 'Alt', modifiers: ['alt'] },
      { type: 'keyDown', keyCode: 'Left', modifiers: ['alt'] },
    ]);
    await expect(pets.root).toBeFocused();
    await sendKeys(idleApp, [
      { type: 'keyUp', keyCode: 'Alt' },
      { type: 'keyUp', keyCode: 'Left' },
      { type: 'keyDown', keyCode: 'F2' },
    ]);
    await expect(pets.editor.getByRole('textbox')).toBeVisible();
    expect(await pageHasFocus(idleApp)).toBe(true);
  },
);

/** Sends keys as the system does: Playwright's own keys bypass the menu bar. */
function sendKeys(app: SideliteApp, keys: Electron.KeyboardInputEvent[]): Promise<void> {
  return app.electron.evaluate(({ BrowserWindow }, events) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.isVisible())!;
    for (const event of events) window.webContents.sendInputEvent(event);
  }, keys);
}

/** The page itself always reports the focus: Playwright makes it believe that. */
function pageHasFocus(app: SideliteApp): Promise<boolean> {
  return app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((one) => one.isVisible())!
      .webContents.isFocused(),
  );
}

test('what is typed right behind the key of a dialog is for its field, and what is chosen there runs', async ({
  idleApp,
}) => {
  const view = await openPets(idleApp);
  const { page } = view;
  const grid = await view.openTable('pet');

  await test.step('its field has the focus before the next frame', async () => {
    await grid.click(0, 'name');
    for (const [key, field] of [
      ['p', 'Go to anything, run any command'],
      ['g', 'Row number, 1 to 2'],
    ] as const) {
      await expect(grid.root).toBeFocused();
      const isFocused = await page.evaluate(pressBeforeFrame, key);
      expect(isFocused).toBe(true);
      await expect(view.dialog.getByLabel(field)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(view.dialog).toHaveCount(0);
    }
  });

  await test.step('what is chosen in the palette runs, also if the palette is opened again at once', async () => {
    const palette = page.getByRole('dialog', { name: 'Go to anything' });
    await page.keyboard.press('Control+p');
    await expect(palette.getByRole('option').first()).toBeVisible();
    expect(await findings(page, 'palette', 'light')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(palette).toHaveCount(0);
    for (const [typed, tab] of [
      ['Show History', 'History'],
      ['Show Health', 'Health'],
    ] as const) {
      await page.keyboard.press('Control+p');
      await page.getByPlaceholder(/Go to anything/).fill(typed);
      await expect(palette.getByRole('option').first()).toContainText(typed);
      await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Control+p')]);
      // It may have been closed or open when the second key came.
      await expect(palette).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(palette).toHaveCount(0);
      await expect(view.tabs.filter({ hasText: tab })).toBeVisible();
    }
  });
});

/** Runs in the page: presses Ctrl and the key. Returns whether a field of a dialog has the focus before the next frame. */
async function pressBeforeFrame(key: string): Promise<boolean> {
  const frame = window.requestAnimationFrame;
  const held: FrameRequestCallback[] = [];
  window.requestAnimationFrame = (callback) => held.push(callback);
  const pressed = { key, code: `Key${key.toUpperCase()}`, ctrlKey: true, bubbles: true, cancelable: true };
  document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', pressed));
  await new Promise((resolve) => setTimeout(resolve));
  const isFocused = document.activeElement!.matches('[role=dialog] input');
  window.requestAnimationFrame = frame;
  for (const callback of held) frame(callback);
  return isFocused;
}

test(
  'F6 goes from pane to pane, and comes back to where it was in each; Tab leaves the SQL editor',
  { tag: '@web-long' },
  async ({ anyApp }) => {
    const view = await openPets(anyApp);
    const { page } = view;
    const grid = await view.openTable('pet');
    const details = page.getByRole('complementary', { name: 'Details' });
    await grid.click(1, 'name');
    await expect(details).toContainText('3 characters');
    await page.keyboard.press('F6');
    await expect(details.getByRole('button', { name: 'Hide details' })).toBeFocused();
    const copy = details.getByRole('button', { name: 'Copy value' });
    await copy.focus();
    await page.keyboard.press('F6');
    await expect(view.status.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Shift+F6');
    await expect(copy).toBeFocused();
    for (const _ of ['status', 'top bar', 'objects']) await page.keyboard.press('F6');
    await expect(page.getByRole('searchbox', { name: /Find table/ })).toBeFocused();
    await page.keyboard.press('F6');
    await expect(view.tabs).toBeFocused();
    await page.keyboard.press('F6');
    await expect(grid.root).toBeFocused();
    // Text typed into a cell is stored when the focus leaves it.
    await page.keyboard.type('dog');
    await page.keyboard.press('Shift+F6');
    await expect(view.tabs).toBeFocused();
    await expect(grid.cell(1, 'name')).toHaveText('dog');
    // The editor and its results are a pane each; a dialog keeps the focus.
    await view.runSql('SELECT name FROM pet');
    await view.editor.click();
    await page.keyboard.press('F6');
    await expect(view.grid('Rows of result 1').root).toBeFocused();
    await page.keyboard.press('Shift+F6');
    await expect(view.editor).toBeFocused();
    await page.keyboard.press('F1');
    await expect(view.dialog).toContainText('Go to Next Pane');
    await page.keyboard.press('F6');
    await expect(view.dialog.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(view.dialog).toHaveCount(0);

    // Tab leaves the editor after Escape, and always once it is told to.
    await view.editor.click();
    await page.keyboard.press('Tab');
    await expect(view.editor).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect(view.editor).not.toBeFocused();
    await view.editor.click();
    await page.keyboard.press('Control+m');
    const told = view.status.getByRole('button', { name: 'Tab moves focus' });
    await expect(told).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(view.editor).not.toBeFocused();
    // It holds for the next editor, too.
    await view.writeSql('SELECT 2');
    await page.keyboard.press('Shift+Tab');
    await expect(view.editor).not.toBeFocused();
    await told.click();
    await expect(told).toHaveCount(0);
    await view.editor.click();
    await page.keyboard.press('Tab');
    await expect(view.editor).toBeFocused();
  },
);

test('keys sort by the column of the current cell, move it and resize it', async ({ idleApp }) => {
  const view = await openPets(idleApp);
  const { page } = view;
  const grid = await view.openTable('pet');
  const said = (text: string): Promise<void> =>
    expect(page.getByRole('status').filter({ hasText: text })).toBeAttached();
  await grid.click(0, 'name');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(grid.cell(0, 'name')).toHaveText('cat');
  await expect(grid.column('name')).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(grid.cell(0, 'name')).toHaveText('two words');
  await said('Sorted by name descending');
  await view.command('Clear Sort Order');
  await expect(grid.column('name')).toHaveAttribute('aria-sort', 'none');

  await grid.click(0, 'name');
  await page.keyboard.press('Control+Alt+ArrowLeft');
  await expect(grid.column('name')).toHaveAttribute('aria-colindex', '2');
  await said('name, column 1 of 2');
  // There is nothing further left; the cell stays with its column.
  await page.keyboard.press('Control+Alt+ArrowLeft');
  await page.keyboard.press('Control+Alt+ArrowRight');
  await expect(grid.column('name')).toHaveAttribute('aria-colindex', '3');
  const width = async (): Promise<number> => Math.round((await boxOf(grid.column('name'))).width);
  const before = await settled(width);
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(width).toBe(before + 16);
  await said(`name, ${before + 16} pixels wide`);
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect.poll(width).toBe(before);
  await view.runSql('SELECT id, name FROM pet');
  const result = view.grid('Rows of result 1');
  await result.click(0, 'id');
  await page.keyboard.press('Control+Alt+ArrowRight');
  await expect(result.column('id')).toHaveAttribute('aria-colindex', '3');
});
