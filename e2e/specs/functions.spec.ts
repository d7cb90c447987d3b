// Functions of a database in JavaScript: a view whose function is missing offers to define it, in the native engine and in the library.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const PATIENT = { timeout: 30_000 };
const BOOKS = `CREATE TABLE book (title TEXT);
  INSERT INTO book VALUES ('The Castle');
  CREATE VIEW sorted AS SELECT title_sort(title) AS sort FROM book;`;

test.describe('functions', () => {
  test.use({ isAlone: true });

  for (const mode of ['in-place', 'copy'] as const)
    test(`a view gets the function that it misses (${mode})`, async ({ idleApp }) => {
      idleApp.opensFiles = mode;
      const file = makeDatabase(join(idleApp.folder, 'books.db'), { kind: 'sql', sql: BOOKS });
      let view = new AppWindow(await idleApp.start(file));
      await view.opened(mode === 'copy' ? 'books' : 'books.db');
      await view.treeItem('sorted').click();
      await view.page.getByRole('button', { name: 'Define function…' }).click();
      const dialog = view.page.getByRole('dialog', { name: 'Define a function' });
      await expect(dialog.getByLabel('Name')).toHaveValue('title_sort');
      await dialog.getByLabel('Try with').fill("'The Trial'");
      await dialog.getByRole('button', { name: 'Try' }).click();
      await expect(dialog.getByRole('status')).toHaveText('The result is “Trial, The”.', PATIENT);
      expect(await findings(view.page, 'function dialog', 'light')).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog).toBeHidden(PATIENT);
      await view.treeItem('sorted').click();
      await expect(view.grid('Rows of sorted').cell(0, 'sort')).toHaveText('Castle, The', PATIENT);
      view = new AppWindow(await idleApp.relaunch());
      await view.treeItem('sorted').click(PATIENT);
      await expect(view.grid('Rows of sorted').cell(0, 'sort')).toHaveText('Castle, The', PATIENT);
    });
});
