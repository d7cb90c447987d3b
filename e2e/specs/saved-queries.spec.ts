// Saved queries and snippets on the real app: kept under a name, found, changed, inserted, deleted, brought back, and there after a kill.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { keepState } from '../support/kept-state.ts';

const ANIMALS = `
  CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, legs INTEGER);
  INSERT INTO animal (name, legs) VALUES ('ant', 6), ('bee', 6), ('cat', 4);`;

/** Opens a database, and saves a query for it. */
async function saveInsects(app: SideliteApp): Promise<AppWindow> {
  const file = makeDatabase(join(app.folder, 'animals.db'), { kind: 'sql', sql: ANIMALS });
  const view = new AppWindow(await app.start(file));
  await view.opened('animals');
  await view.writeSql('SELECT name FROM animal WHERE legs = 6');
  await view.page.keyboard.press('Control+Alt+s');
  await view.dialog.getByRole('textbox', { name: 'Name' }).fill('Insects');
  await view.page.keyboard.press('Enter');
  await expect(view.messages).toContainText('“Insects” was saved for this database.');
  await expect(view.tabs.last()).toHaveText('Insects');
  return view;
}

test('a saved query is there after a kill', { tag: '@long' }, async ({ idleApp }) => {
  // That this database is open is stored some time later.
  await keepState((await saveInsects(idleApp)).page);
  await idleApp.kill();
  const { page } = new AppWindow(await idleApp.start());
  await page.keyboard.press('Control+Alt+q');
  await expect(page.getByRole('listbox', { name: 'Saved queries' }).getByRole('option')).toContainText([
    'Insectsanimals',
  ]);
});

test('a saved query is found by the palette, moved, and inserted as a snippet', async ({ idleApp }) => {
  const view = await saveInsects(idleApp);
  const { page } = view;
  const cells = page.getByRole('grid', { name: /^Rows of result/ }).getByRole('gridcell');
  await page.keyboard.press('Control+Alt+q');
  const list = page.getByRole('listbox', { name: 'Saved queries' });
  await expect(list).toBeFocused();
  await expect(list.getByRole('option')).toContainText(['Insectsanimals']);
  await page.keyboard.press('Control+Enter');
  await expect(cells).toHaveText(['ant', 'bee']);

  await page.keyboard.press('Control+Alt+q');
  const form = page.getByRole('region', { name: 'Selected query' });
  // Typed text is kept when another tab is shown by a key.
  await form.getByRole('textbox', { name: 'SQL' }).fill('legs = 6');
  await page.keyboard.press('Control+Tab');
  await expect(form).toHaveCount(0);
  await page.keyboard.press('Control+Shift+Tab');
  await expect(form.getByRole('textbox', { name: 'SQL' })).toHaveValue('legs = 6');
  await form.getByRole('combobox', { name: 'Folder' }).fill(' zoo / six legs ');
  await form.getByRole('textbox', { name: 'Tags' }).fill('#daily, small');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('textbox', { name: 'Tags' })).toHaveValue('daily small');
  await expect(form.getByRole('textbox', { name: 'Tags' })).toBeFocused();
  await form.getByRole('combobox', { name: 'Use as' }).selectOption({ index: 1 });
  await expect(list.getByRole('group', { name: 'zoo/six legs' })).toContainText('Snippet · animals · #daily · #small');
  await form.getByRole('combobox', { name: 'For' }).selectOption('All databases');
  await expect(list.getByRole('option')).toContainText('All databases');
  await page.getByRole('searchbox', { name: 'Search saved queries' }).fill('#daily zoo');
  await expect(list.getByRole('option')).toHaveCount(1);

  const name = form.getByRole('textbox', { name: 'Name' });
  await name.fill(' ');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('status')).toContainText(['A saved query needs a name, so “Insects” was kept.']);
  await expect(name).toHaveValue('Insects');
  await form.getByRole('combobox', { name: 'Shortcut' }).selectOption('Ctrl Alt 3');
  await expect(list.getByRole('option')).toContainText('Ctrl Alt 3');
  await view.writeSql('SELECT 1 WHERE ');
  await page.keyboard.press('Control+Alt+3');
  await expect(view.editor).toHaveText('SELECT 1 WHERE legs = 6');

  await view.writeSql('SELECT count(*) FROM animal WHERE ');
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Go to anything').fill('Insects');
  await page.getByRole('option', { name: /Insects.*snippet in zoo/ }).click();
  await expect(view.editor).toHaveText('SELECT count(*) FROM animal WHERE legs = 6');
  await page.keyboard.press('F5');
  await expect(cells).toHaveText(['2']);

  await page.keyboard.press('Control+Alt+q');
  await expect(list).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(page.getByText('No saved queries yet')).toBeVisible();
  await view.messages.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByRole('option')).toHaveCount(1);
});
