// Filtering a table: the filter row, chips, groups, and what is remembered.
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { keepState } from '../support/kept-state.ts';
import { boxOf } from '../support/settled.ts';

const BOOKS = `CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, price REAL, note TEXT);
  INSERT INTO book (title, year, price, note) VALUES
    ('Emma', 1815, 9.5, NULL), ('Persuasion', 1817, 8, 'posthumous'), ('Middlemarch', 1871, 12, NULL),
    ('Silas Marner', 1861, 7.25, 'short'), ('Dubliners', 1914, 6, 'stories'), ('Ulysses', 1922, 15, NULL);`;

test('a saved row that the filter hides is named, and shown on request', async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'books.db'), { kind: 'sql', sql: BOOKS })),
  );
  const { page } = view;
  const grid = await view.openTable('book');
  await page.keyboard.press('Control+Alt+f');
  const field = page.getByRole('textbox', { name: 'Filter by year' });
  await field.fill('< 1850');
  await field.press('Enter');
  await expect(grid.rows).toHaveCount(2);
  await grid.edit(1, 'title', 'Sanditon');
  await expect(grid.cell(1, 'title')).toHaveText('Sanditon');
  await grid.edit(1, 'year', '1925');
  await expect(grid.rows).toHaveCount(1);
  await expect(view.messages).toContainText('The filter hides the row that was just saved.');
  await view.messages.getByRole('button', { name: 'Show row' }).click();
  await expect(field).toHaveValue('');
  await expect(grid.cell(1, 'year')).toHaveText('1925');
  await expect(grid.root.locator('[role=row][data-row="1"] [aria-selected="true"]')).toHaveCount(1);

  await field.fill('< 1850');
  await field.press('Enter');
  await expect(grid.rows).toHaveCount(1);
  await grid.click(0, 'title');
  await page.keyboard.press('Insert');
  await page.keyboard.type('Orlando');
  await page.keyboard.press('Control+s');
  await view.messages.getByRole('button', { name: 'Show row' }).click();
  await expect(grid.cell(6, 'title')).toHaveText('Orlando');

  // A button that is gone once it was pressed leaves the keyboard to the rows.
  await field.fill('> 3000');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(grid.rows).toHaveCount(7);
  await expect(grid.root).toBeFocused();
});

test('a filter row filters by what is typed, and stays in step with the chips', async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'books.db'), { kind: 'sql', sql: BOOKS })),
  );
  const { page } = view;
  const grid = await view.openTable('book');
  const titles = () => grid.root.locator('[role=gridcell][data-column="title"]').allTextContents();
  const field = (column: string) => page.getByRole('textbox', { name: `Filter by ${column}` });

  await test.step('a comparison, a text and NULL in three fields', async () => {
    await grid.click(0, 'year');
    await page.keyboard.press('Control+Alt+f');
    await expect(field('year')).toBeFocused();
    // A row of fields that is shown is gone to; only pressed in it, the key hides it.
    await grid.click(0, 'price');
    await page.keyboard.press('Control+Alt+f');
    await expect(field('price')).toBeFocused();
    await page.keyboard.press('Control+Alt+f');
    await expect(field('price')).toHaveCount(0);
    await expect(grid.root).toBeFocused();
    await grid.click(0, 'year');
    await page.keyboard.press('Control+Alt+f');
    await page.keyboard.type('> 1816');
    await page.keyboard.press('Enter');
    await expect.poll(titles).toEqual(['Persuasion', 'Middlemarch', 'Silas Marner', 'Dubliners', 'Ulysses']);
    await field('note').fill('!null');
    await field('note').press('Enter');
    await expect.poll(titles).toEqual(['Persuasion', 'Silas Marner', 'Dubliners']);
    await field('title').fill('*s || per*');
    await field('title').press('Enter');
    await expect.poll(titles).toEqual(['Persuasion', 'Dubliners']);
    await expect(page.getByRole('button', { name: 'title ends with s or title starts with per' })).toBeVisible();
  });

  await test.step('fields follow the chips', async () => {
    await page.getByRole('button', { name: 'Remove filter on note' }).click();
    await expect(field('note')).toHaveValue('');
    await page.getByRole('button', { name: 'Remove filter on title' }).click();
    await expect(field('title')).toHaveValue('');
    await expect.poll(async () => (await titles()).length).toBe(5);
  });

  await test.step('a text that is no filter says why and changes nothing; Escape takes it back', async () => {
    await field('year').fill('> ');
    await field('year').press('Enter');
    await expect(field('year')).toHaveAttribute('aria-invalid', 'true');
    await expect(field('year')).toHaveAttribute('title', 'Enter a value after >.');
    await field('year').press('Escape');
    await expect(field('year')).toHaveValue('>1816');
    await field('year').press('Escape');
    await expect(grid.root).toBeFocused();
  });

  await test.step('a pause applies what is typed, and Escape brings the filter back that was there before', async () => {
    await field('title').pressSequentially('dub');
    await expect.poll(titles).toEqual(['Dubliners']);
    await expect(field('title')).toBeFocused();
    await expect(field('title')).toHaveValue('dub');
    await field('title').press('Escape');
    await expect(field('title')).toHaveValue('');
    await expect.poll(async () => (await titles()).length).toBe(5);
  });

  await test.step('a regular expression; what is wrong with one is said', async () => {
    await field('title').fill('regex ^(?:P|U).*s');
    await field('title').press('Enter');
    await expect.poll(titles).toEqual(['Persuasion', 'Ulysses']);
    await field('title').fill('regex (U');
    await field('title').press('Enter');
    await expect(field('title')).toHaveAttribute('title', /A “\)” is missing/);
    await field('title').press('Escape');
    await expect.poll(titles).toEqual(['Persuasion', 'Ulysses']);
  });

  await test.step('a filter is saved by name, applied, and deleted', async () => {
    await page.getByRole('button', { name: 'Save filter' }).click();
    await expect(page.getByRole('textbox', { name: 'Name of the filter' })).toBeFocused();
    await page.keyboard.type('Novels');
    await page.keyboard.press('Enter');
    await expect(grid.root).toBeFocused();
    const saved = page.getByRole('button', { name: 'Saved filters' });
    await expect(saved).toHaveText('Novels');
    await page.getByRole('button', { name: 'Remove filter on title' }).click();
    await expect.poll(async () => (await titles()).length).toBe(5);
    await expect(saved).toHaveText('Saved');
    await view.command('Show Saved Filters');
    await page.getByRole('menuitemradio', { name: 'Novels' }).click();
    await expect.poll(titles).toEqual(['Persuasion', 'Ulysses']);
    await saved.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('menuitem', { name: 'Novels' }).last().click();
    await expect(saved).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove filter on title' }).click();
    await expect.poll(async () => (await titles()).length).toBe(5);
  });

  await test.step('any column, and a group in the form', async () => {
    await field('any column').fill('19');
    await field('any column').press('Enter');
    await expect.poll(titles).toEqual(['Dubliners', 'Ulysses']);
    await field('any column').fill('');
    await field('any column').press('Enter');
    await page.getByRole('button', { name: 'filter', exact: true }).click();
    const form = page.getByRole('form', { name: 'Filter' });
    await form.getByRole('combobox', { name: 'Column' }).selectOption('price');
    await form.getByRole('combobox', { name: 'Operator' }).selectOption('between');
    await form.getByRole('textbox', { name: 'Value' }).fill('7');
    await form.getByRole('textbox', { name: 'Upper bound' }).fill('8');
    await form.getByRole('button', { name: 'Or…' }).click();
    await form.getByRole('combobox', { name: 'Operator' }).nth(1).selectOption('=');
    await form.getByRole('textbox', { name: 'Value' }).nth(1).fill('15');
    await page.keyboard.press('Enter');
    await expect.poll(titles).toEqual(['Persuasion', 'Silas Marner', 'Ulysses']);
    await expect(field('price')).toHaveValue('7.0..8.0 || 15.0');
  });

  await test.step('the fields stay above their columns', async () => {
    for (const column of ['title', 'note']) {
      const apart = async (): Promise<number> =>
        Math.abs((await boxOf(field(column))).x - (await boxOf(grid.column(column))).x);
      await expect.poll(apart).toBeLessThan(8);
    }
  });

  await test.step('all of it comes back with the window', async () => {
    await keepState(page);
    await page.reload();
    await expect(field('price')).toHaveValue('7.0..8.0 || 15.0');
    await expect(field('year')).toHaveValue('>1816');
    await expect.poll(titles).toEqual(['Persuasion', 'Silas Marner', 'Ulysses']);
  });
});

test('where a filter may take long, what is typed waits for Enter, or for the button in its place', async ({
  idleApp,
}) => {
  const sql = `${BOOKS} CREATE VIEW late AS SELECT title, year FROM book WHERE year > 1850;`;
  const view = new AppWindow(await idleApp.start(makeDatabase(join(idleApp.folder, 'books.db'), { kind: 'sql', sql })));
  const { page } = view;
  const grid = await view.openTable('late');
  await page.keyboard.press('Control+Alt+f');
  const field = page.getByRole('textbox', { name: 'Filter by year' });
  await field.fill('> 1900');
  await page.getByRole('button', { name: 'Enter to filter' }).click();
  await expect(grid.rows).toHaveCount(2);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('>1900');
  await expect(page.getByRole('textbox', { name: 'Search values' })).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Filter by any column' }).fill('Ulysses and more than fits');
  await expect(page.getByRole('button', { name: 'Enter to filter' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Filter by any column' }).fill('Ulysses');
  await page.getByRole('button', { name: 'Enter to filter' }).click();
  await expect(grid.rows).toHaveCount(1);
});

test('the values of a column are ticked with their counts and names, and its statistics filter with a click', async ({
  idleApp,
}) => {
  const sql = `CREATE TABLE part (id INTEGER PRIMARY KEY, color TEXT, weight REAL);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
      INSERT INTO part SELECT i, CASE WHEN i % 100 = 0 THEN NULL ELSE 'color ' || (i % 3) END, i / 10.0 FROM n;
      CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO genre VALUES (1, 'Rock'), (2, 'Jazz'), (3, 'Metal');
      PRAGMA foreign_keys = OFF;
      CREATE TABLE track (id INTEGER PRIMARY KEY, genre INTEGER REFERENCES genre (id));
      INSERT INTO track (genre) VALUES (1), (1), (1), (2), (3), (3), (9), (NULL);`;
  const view = new AppWindow(await idleApp.start(makeDatabase(join(idleApp.folder, 'parts.db'), { kind: 'sql', sql })));
  const { page } = view;
  const grid = await view.openTable('part');
  await expect(view.status).toContainText('600 rows');
  const card = page.getByRole('dialog', { name: /color|weight|genre/ });

  await test.step('two values and NULL', async () => {
    await grid.click(0, 'color');
    await page.keyboard.press('Control+Alt+v');
    await expect(card).toContainText('600 rows counted.');
    await expect(card.getByRole('checkbox')).toHaveCount(4);
    await expect(card.getByRole('listitem').first()).toHaveText('color 0198');
    await card.getByRole('textbox', { name: 'Search values' }).fill('R 2');
    await expect(card.getByRole('checkbox')).toHaveCount(1);
    await card.getByRole('checkbox').check();
    await card.getByRole('textbox', { name: 'Search values' }).fill('');
    await card.getByRole('checkbox', { name: 'NULL' }).check();
    await card.getByRole('button', { name: 'Filter by 2' }).click();
    await expect(view.status).toContainText('204 rows');
    await expect(page.getByRole('button', { name: 'color is one of color 2, NULL' })).toBeVisible();
  });

  await test.step('a bar of the histogram replaces the filter of its column', async () => {
    await grid.click(0, 'weight');
    await page.keyboard.press('Control+Alt+v');
    // The widest buttons of the card have room in it.
    const tick = card.getByRole('button', { name: 'Tick these 200' });
    await expect(tick).toBeVisible();
    const rightOf = (part: Locator): Promise<number> =>
      part.evaluate((element) => element.getBoundingClientRect().right);
    expect(await rightOf(card.getByRole('button', { name: 'Clear all' }))).toBeLessThanOrEqual(
      await rightOf(card.getByRole('list')),
    );
    await card.getByRole('button', { name: 'Statistics' }).click();
    await expect(card).toContainText('204 rows counted.');
    await expect(card).toContainText('Stored asreal 204');
    await card.getByRole('group', { name: 'Histogram' }).getByRole('button').last().click();
    await expect(card).toHaveCount(0);
    await expect(grid.root).toBeFocused();
    await expect(page.getByRole('button', { name: 'Remove filter on weight' })).toHaveCount(2);
    await expect(view.status).not.toContainText('204 rows');
  });

  await test.step('the values of a foreign key come with names, and are found by them', async () => {
    await (await view.openTable('track')).click(0, 'genre');
    await page.keyboard.press('Control+Alt+v');
    await expect(card.getByRole('listitem')).toHaveText(['1Rock3', '3Metal2', 'NULL1', '2Jazz1', '91']);
    await card.getByRole('textbox', { name: 'Search values' }).fill('met');
    await expect(card.getByRole('listitem')).toHaveText(['3Metal2']);
    await card.getByRole('button', { name: 'Statistics' }).click();
    await card.getByRole('button', { name: /Jazz/ }).click();
    await expect(view.status).toContainText('1 row');
  });
});

test(
  'the names of a key of two columns are searched, more of them than a list of suggestions has',
  { tag: '@long' },
  async ({ idleApp }) => {
    const sql = `CREATE TABLE town (land TEXT, id INT, name TEXT, PRIMARY KEY (land, id));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80) INSERT INTO town SELECT 'DE', i, 'Burg ' || i FROM n;
      INSERT INTO town VALUES ('FR', 1, 'Lyon');
      CREATE TABLE stay (land TEXT, town INT, FOREIGN KEY (land, town) REFERENCES town);
      INSERT INTO stay SELECT land, id FROM town;`;
    const view = new AppWindow(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'stays.db'), { kind: 'sql', sql })),
    );
    const { page } = view;
    const stays = await view.openTable('stay');
    await stays.click(0, 'town');
    await page.keyboard.press('Control+Alt+v');
    const towns = page.getByRole('dialog', { name: 'town' });
    await expect(towns.getByRole('listitem').first()).toHaveText('1Burg 1 or Lyon2');
    await towns.getByRole('textbox', { name: 'Search values' }).fill('burg');
    await expect(towns.getByRole('listitem')).toHaveCount(80);
    await expect(towns.getByRole('status')).toHaveText('80 rows counted.');
    await towns.getByRole('button', { name: 'Tick all' }).click();
    await towns.getByRole('button', { name: 'Filter by 80' }).click();
    await expect(view.status).toContainText('81 rows');
  },
);
