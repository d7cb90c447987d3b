// The keyboard: where the focus goes, and whose keys are whose.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { readClipboard } from '../support/clipboard.ts';

const PETS = `CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pet (name) VALUES ('two words'), ('cat');
  CREATE TABLE vet (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO vet (name) VALUES ('Ann');`;

test('keys in a cell that is being edited are the text’s, not the table’s', { tag: '@web' }, async ({ anyApp }) => {
  const view = new AppWindow(
    await anyApp.start(makeDatabase(join(anyApp.folder, 'pets.db'), { kind: 'sql', sql: PETS })),
  );
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

test(
  'the focus goes along: into a table that is opened, to the next tab, back to a reopened one',
  { tag: '@web' },
  async ({ anyApp }) => {
    const view = new AppWindow(
      await anyApp.start(makeDatabase(join(anyApp.folder, 'pets.db'), { kind: 'sql', sql: PETS })),
    );
    const pets = await view.openTable('pet');
    const vets = view.grid('Rows of vet');
    await view.treeItem('vet').dblclick();
    await expect(vets.root).toBeFocused();
    await view.page.keyboard.press('Control+Tab');
    await expect(pets.root).toBeFocused();
    await view.page.keyboard.press('Control+w');
    await expect(vets.root).toBeFocused();
    await view.page.keyboard.press('Control+Shift+T');
    await expect(pets.root).toBeFocused();
  },
);

test('a small window gives the grid its room; the details come when they are asked for', async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'pets.db'), { kind: 'sql', sql: PETS })),
  );
  const details = view.page.getByRole('complementary', { name: 'Details' });
  await view.openTable('pet');
  await resize(idleApp, 1200, 700);
  await expect(details).toBeVisible();
  await resize(idleApp, 800, 500);
  await expect(details).toHaveCount(0);
  await view.page.keyboard.press('Control+i');
  await expect(details).toBeVisible();
  await resize(idleApp, 1200, 700);
  await expect(details).toBeVisible();
});

async function resize(app: SideliteApp, width: number, height: number): Promise<void> {
  await app.electron.evaluate(
    ({ BrowserWindow }, [w, h]) => {
      BrowserWindow.getAllWindows()
        .find((window) => window.isVisible())
        ?.setContentSize(w!, h!);
    },
    [width, height],
  );
}

test(
  'what was typed into a cell is kept when its tab closes or another comes in front',
  { tag: '@web' },
  async ({ anyApp }) => {
    const view = new AppWindow(
      await anyApp.start(makeDatabase(join(anyApp.folder, 'pets.db'), { kind: 'sql', sql: PETS })),
    );
    await view.openTable('pet');
    const vets = await view.openTable('vet');
    await vets.click(0, 'name');
    await view.page.keyboard.type('Bob');
    await view.page.keyboard.press('Control+Tab');
    const pets = view.grid('Rows of pet');
    await pets.click(1, 'name');
    await view.page.keyboard.type('dog');
    await view.page.keyboard.press('Control+w');
    await expect(vets.cell(0, 'name')).toHaveText('Bob');
    await view.page.keyboard.press('Control+Shift+T');
    await expect(pets.cell(1, 'name')).toHaveText('dog');
  },
);
