// Filtering a table: the filter row, chips, groups, and what is remembered.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const BOOKS = `CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, price REAL, note TEXT);
  INSERT INTO book (title, year, price, note) VALUES
    ('Emma', 1815, 9.5, NULL), ('Persuasion', 1817, 8, 'posthumous'), ('Middlemarch', 1871, 12, NULL),
    ('Silas Marner', 1861, 7.25, 'short'), ('Dubliners', 1914, 6, 'stories'), ('Ulysses', 1922, 15, NULL);`;

test(
  'a filter row filters by what is typed, and stays in step with the chips',
  { tag: ['@web'] },
  async ({ anyApp }) => {
    const view = new AppWindow(
      await anyApp.start(makeDatabase(join(anyApp.folder, 'books.db'), { kind: 'sql', sql: BOOKS })),
    );
    const { page } = view;
    const grid = await view.openTable('book');
    const titles = () => grid.root.locator('[role=gridcell][data-column="title"]').allTextContents();
    const field = (column: string) => page.getByRole('textbox', { name: `Filter by ${column}` });

    await test.step('a comparison, a text and NULL in three fields', async () => {
      await grid.click(0, 'year');
      await page.keyboard.press('Control+Alt+f');
      await expect(field('year')).toBeFocused();
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
      await expect(field('year')).toHaveAttribute('title', 'Type a value after >.');
      await field('year').press('Escape');
      await expect(field('year')).toHaveValue('>1816');
      await field('year').press('Escape');
      await expect(grid.root).toBeFocused();
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
      await form.getByRole('textbox', { name: 'Upper end' }).fill('8');
      await form.getByRole('button', { name: 'Or…' }).click();
      await form.getByRole('combobox', { name: 'Operator' }).nth(1).selectOption('=');
      await form.getByRole('textbox', { name: 'Value' }).nth(1).fill('15');
      await page.keyboard.press('Enter');
      await expect.poll(titles).toEqual(['Persuasion', 'Silas Marner', 'Ulysses']);
      await expect(field('price')).toHaveValue('7.0..8.0 || 15.0');
    });

    await test.step('the fields stay above their columns', async () => {
      for (const column of ['title', 'note']) {
        const [above, below] = await Promise.all([field(column).boundingBox(), grid.column(column).boundingBox()]);
        expect(Math.abs(above!.x - below!.x)).toBeLessThan(8);
      }
    });

    await test.step('all of it comes back with the window', async () => {
      await page.reload();
      await expect(field('price')).toHaveValue('7.0..8.0 || 15.0');
      await expect(field('year')).toHaveValue('>1816');
      await expect.poll(titles).toEqual(['Persuasion', 'Silas Marner', 'Ulysses']);
    });
  },
);
