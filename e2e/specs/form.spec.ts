// Choosing what a foreign key refers to, and one row as a form with the rows around it.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const SCHEMA = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE);
  INSERT INTO person VALUES (1, 'Ada', 'ada@example.org'), (2, 'Bob', 'bob@example.org'), (12, 'Cleo', NULL);
  WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO person SELECT i, 'P' || i, 'p' || i FROM n;
  CREATE TABLE shelf (room TEXT, number INTEGER, label TEXT, PRIMARY KEY (room, number));
  INSERT INTO shelf VALUES ('A', 1, 'poems'), ('A', 2, 'novels'), ('B', 1, 'atlases');
  CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, owner INTEGER REFERENCES person (id), room TEXT, number INTEGER,
    notes TEXT, FOREIGN KEY (room, number) REFERENCES shelf (room, number));
  INSERT INTO book VALUES (1, 'Emma', 1, 'A', 2, 'line 1' || char(10) || 'line 2'), (2, 'Faust', 2, NULL, NULL, NULL), (3, 'Ulysses', 1, 'A', 1, '{"a":1}');
  CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book (id) ON DELETE CASCADE, day TEXT);
  CREATE INDEX loan_book ON loan (book);
  INSERT INTO loan VALUES (1, 1, '2024-01-02'), (2, 1, '2024-02-03'), (3, 3, '2024-03-04');`;

async function open(app: SideliteApp) {
  return new AppWindow(await app.start(makeDatabase(join(app.folder, 'books.db'), { kind: 'sql', sql: SCHEMA })));
}

test('a foreign key is chosen among the rows it can refer to', { tag: '@long' }, async ({ idleApp: app }) => {
  const view = await open(app);
  const { page } = view;
  const { keyboard } = page;
  const book = await view.openTable('book');
  const people = page.getByRole('listbox', { name: 'Rows of person' });
  const shelves = page.getByRole('listbox', { name: 'Rows of shelf' });

  await test.step('the row it refers to comes first, then NULL and a search', async () => {
    await book.click(1, 'owner');
    await keyboard.press('F2');
    await expect(people.getByRole('option').first()).toContainText('NULL');
    await expect(people.getByRole('option').nth(1)).toHaveText('2Bobbob@example.org');
    await keyboard.type('1');
    await expect(people.getByRole('option').nth(0)).toHaveText('1Adaada@example.org');
    await expect(people.getByRole('option').nth(1)).toHaveText('12Cleo');
    await keyboard.press('Control+a');
    await keyboard.type('cleo');
    await expect(people.getByRole('option')).toHaveText(['12Cleo']);
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(book.cell(1, 'owner')).toHaveText('12');
    await expect(people).toHaveCount(0);
  });

  await test.step('a typed value is stored as before, and NULL can be chosen', async () => {
    await book.edit(1, 'owner', '2');
    await expect(book.cell(1, 'owner')).toHaveText('2');
    await book.click(1, 'owner');
    await keyboard.press('F2');
    await expect(people.getByRole('option').first()).toContainText('NULL');
    await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    await expect(book.cell(1, 'owner')).toHaveText('NULL');
    await expect(book.cell(1, 'room')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('a composite key sets all its columns in one step', async () => {
    await keyboard.press('F2');
    await keyboard.type('atl');
    await expect(shelves.getByRole('option')).toHaveText(['B, 1atlases']);
    await shelves.getByRole('option').click();
    await expect(book.cell(1, 'room')).toHaveText('B');
    await expect(book.cell(1, 'number')).toHaveText('1');
    await expect(book.root).toBeFocused();
    await keyboard.press('Control+z');
    await expect(book.cell(1, 'room')).toHaveText('NULL');
    await expect(book.cell(1, 'number')).toHaveText('NULL');
  });
});

test('one row is read, edited, and followed as a form', async ({ idleApp: app }) => {
  const view = await open(app);
  const { page } = view;
  const { keyboard } = page;
  const book = await view.openTable('book');
  const field = (name: string) => page.getByRole('form').getByLabel(new RegExp(`^${name} `));
  const bar = page.getByRole('toolbar', { name: 'Form' });
  const related = page.getByRole('complementary', { name: 'Related rows' });

  await test.step('F7 shows the row, also before the focus has reached the tab just chosen; Alt+Page Down goes on', async () => {
    await book.click(0, 'title');
    await view.openTable('person');
    await page.evaluate(pressF7AfterPointer);
    await view.tabs.filter({ hasText: 'book' }).click();
    await expect(field('title')).toHaveValue('Emma');
    await expect(field('id')).toBeFocused();
    await expect(field('notes')).toHaveValue('line 1\nline 2');
    await expect(bar).toContainText('row 1 of 3');
    await expect(related.getByRole('button', { name: 'person 1' })).toContainText('Ada · ada@example.org');
    await expect(related.getByRole('button', { name: 'shelf A, 2' })).toContainText('novels');
    await expect(related.getByRole('region', { name: 'Referred to by' })).toContainText('2');
    await expect(related.getByRole('listitem')).toHaveCount(2);
    await keyboard.press('Alt+PageDown');
    await expect(field('title')).toHaveValue('Faust');
    await expect(field('notes')).toHaveAttribute('placeholder', 'NULL');
    await expect(bar).toContainText('row 2 of 3');
  });

  await test.step('fields are stored, rejected, and follow changes from elsewhere', async () => {
    await field('title').fill('Faust II');
    await keyboard.press('Enter');
    await expect(field('owner')).toBeFocused();
    await keyboard.type('Cleo');
    await expect(page.getByRole('option', { name: '12 Cleo' })).toBeVisible();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(field('owner')).toHaveValue('12');
    await expect(related.getByRole('button', { name: 'person 12' })).toContainText('Cleo');
    await field('owner').fill('999');
    await keyboard.press('Alt+PageDown');
    await expect(page.getByRole('alert')).toContainText('“person” has no row with “id” 999. Nothing was changed.');
    await expect(field('owner')).toHaveValue('999');
    await keyboard.press('Escape');
    await expect(field('owner')).toHaveValue('12');
    await keyboard.press('Alt+Backspace');
    await expect(field('owner')).toHaveValue('');
    await view.tabs.filter({ hasText: 'book form' }).click();
    await keyboard.press('Control+z');
    await expect(field('owner')).toHaveValue('12');
  });

  await test.step('a row is added by form', async () => {
    await keyboard.press('Alt+Insert');
    await expect(bar).toContainText('New row of book');
    await keyboard.press('Control+Enter');
    await expect(page.getByRole('alert')).toContainText('title');
    await field('title').fill('Walden');
    await field('owner').fill('2');
    await field('owner').press('Control+Enter');
    await expect(bar).toContainText('row 4 of 4');
    await expect(field('id')).toHaveValue('4');
    await expect(related.getByRole('button', { name: 'person 2' })).toContainText('Bob');
  });

  await test.step('parents open as a form, children filtered', async () => {
    await keyboard.press('Alt+PageUp');
    await expect(field('title')).toHaveValue('Ulysses');
    await related.getByRole('button', { name: 'loan → book' }).click();
    await expect(view.grid('Rows of loan').cell(0, 'day')).toHaveText('2024-03-04');
    await keyboard.press('Alt+ArrowLeft');
    await related.getByRole('button', { name: 'person 1' }).click();
    await expect(field('name')).toHaveValue('Ada');
    await expect(related.getByRole('listitem')).toHaveCount(2);
  });
});

/** Runs in the page: presses F7 as soon as a tab has been chosen, which is before the next frame. */
function pressF7AfterPointer(): void {
  const key = new KeyboardEvent('keydown', { key: 'F7', code: 'F7', bubbles: true, cancelable: true });
  addEventListener('mousedown', () => setTimeout(() => document.activeElement!.dispatchEvent(key)), { once: true });
}
