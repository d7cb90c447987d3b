// Two tabs side by side: the same table twice, two tables that follow each other, and what a window keeps.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { GridPage } from '../pages/grid-page.ts';
import { keepState } from '../support/kept-state.ts';

const SCHEMA = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO person SELECT i, 'person ' || i FROM n;
  INSERT INTO pet SELECT id, 501 - id, 'pet ' || id FROM person;`;

test('two tabs are shown side by side, follow each other, and come back with their window', async ({ idleApp }) => {
  const path = makeDatabase(join(idleApp.folder, 'pets.db'), { kind: 'sql', sql: SCHEMA });
  const view = new AppWindow(await idleApp.start(path));
  const { page } = view;
  const { keyboard } = page;
  const details = page.getByRole('complementary', { name: 'Details' });
  await view.openTable('person');
  const people = new GridPage(page, page.getByRole('grid', { name: 'Rows of person' }).first());
  const otherGrid = new GridPage(page, page.getByRole('grid', { name: 'Rows of person' }).last());

  await test.step('the same table twice; what is done in one is seen in the other', async () => {
    await keyboard.press('Control+\\');
    await expect(page.getByRole('grid', { name: 'Rows of person' })).toHaveCount(2);
    await expect(view.tabs).toHaveText(['person', 'person (2)']);
    await expect(page.locator('.app-side-head')).toHaveText(['person', 'person (2)']);
    await expect(otherGrid.root).toBeFocused();
    await otherGrid.edit(2, 'name', 'Cleo');
    await expect(people.cell(2, 'name')).toHaveText('Cleo');
    await keyboard.press('F9');
    await expect(people.root).toBeFocused();
    await people.click(0, 'name');
    await expect(details.getByRole('heading', { name: 'person 1' })).toBeVisible();
    await keyboard.press('F9');
    await expect(details.getByRole('heading', { name: 'person 4' })).toBeVisible();
    await view.command('Color Column by Rule…');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await keyboard.type('Cleo');
    await keyboard.press('Escape');
    await expect(otherGrid.cell(2, 'name')).toHaveAttribute('data-tint', /./);
    await expect(people.cell(2, 'name')).toHaveAttribute('data-tint', /./);
    await keyboard.press('Control+w');
    await expect(page.getByRole('grid', { name: 'Rows of person' })).toHaveCount(1);
  });

  await test.step('a table and its parents: rows that belong together are selected together', async () => {
    const pets = await view.openTable('pet');
    await view.tabs.filter({ hasText: 'person' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show beside the active tab' }).click();
    await page.getByRole('button', { name: 'Select matching rows' }).click();
    await pets.click(1, 'name');
    // It is in the column that it was left in.
    await expect(people.cell(498, 'name')).toHaveAttribute('aria-selected', 'true');
    await expect(pets.root).toBeFocused();
    await people.click(498, 'name');
    await keyboard.press('ArrowDown');
    await expect(pets.cell(0, 'name')).toHaveAttribute('aria-selected', 'true');
    await expect(people.root).toBeFocused();
  });

  await test.step('they scroll together', async () => {
    await page.getByRole('button', { name: 'Select matching rows' }).click();
    await page.getByRole('button', { name: 'Scroll together' }).click();
    // The one that was not worked in goes to where the other one is.
    const pets = view.grid('Rows of pet');
    await pets.click(498, 'name');
    await keyboard.press('Control+Home');
    await expect(people.cell(0, 'name')).toBeAttached();
    await keyboard.press('Control+End');
    await expect(people.cell(499, 'name')).toBeAttached();
  });

  await test.step('with both links, rows that belong together stay beside each other', async () => {
    const pets = view.grid('Rows of pet');
    await page.getByRole('button', { name: 'Select matching rows' }).click();
    await pets.click(499, 'name');
    await keyboard.press('Control+Home');
    // Pet 1 belongs to person 500: the first rows of one table and the last ones of the other.
    await expect(people.cell(499, 'name')).toHaveAttribute('aria-selected', 'true');
    await expect(people.cell(499, 'name')).toBeAttached();
    await keyboard.press('PageDown');
    await keyboard.press('PageDown');
    const selectedRow = async ({ root }: GridPage): Promise<number> => {
      const [cell] = await root.locator('[role=gridcell][aria-selected="true"]').all();
      return Number((await cell?.getAttribute('data-row')) ?? 'NaN');
    };
    await expect.poll(async () => (await selectedRow(pets)) > 10).toBe(true);
    await expect.poll(async () => (await selectedRow(pets)) + (await selectedRow(people))).toBe(499);
    await page.getByRole('button', { name: 'Select matching rows' }).click();
  });

  await test.step('both come back with the window, and Ctrl+\\ shows one', async () => {
    await keepState(page);
    await page.reload();
    await expect(view.grid('Rows of person').root).toBeVisible();
    await expect(view.grid('Rows of pet').root).toBeVisible();
    await expect(page.getByRole('button', { name: 'Scroll together' })).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Control+\\');
    await expect(page.getByRole('grid')).toHaveCount(1);
  });
});
