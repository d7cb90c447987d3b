// Nothing moves after it was painted unless the user asked for it: measured on every screen of the tour, and in grids by what they paint.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { layoutShifts, watchLayout } from '../layout-shift.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { Tour } from '../pages/tour.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { boxOf, settled } from '../support/settled.ts';

const MANY_ROWS = `
  CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  INSERT INTO kind VALUES (1, 'Sturdy'), (2, 'Delicate');
  CREATE TABLE part (id INTEGER PRIMARY KEY, kind INTEGER REFERENCES kind, name TEXT, note TEXT, price REAL);
  WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 30000)
  INSERT INTO part SELECT value, 1 + value % 2, 'Part number ' || value, 'It has a longer note, of number ' || (value * 977), value * 1.25 FROM n;`;

test('nothing moves by itself in tables, results, forms, and after a restart', async ({ idleApp }) => {
  const path = makeDatabase(join(idleApp.folder, 'parts.db'), { kind: 'sql', sql: MANY_ROWS });
  const page = await idleApp.start(path);
  await watchLayout(page);
  const window = new AppWindow(page);
  await window.opened('parts');
  const table = await window.openTable('part');
  await expect(table.cell(3, 'name')).toHaveText('Part number 4');
  expect.soft(await layoutShifts(page), 'of a table').toEqual([]);
  await table.clickHeader('price');
  await table.clickHeader('price');
  await expect(table.cell(0, 'name')).toHaveText('Part number 30000');
  expect.soft(await layoutShifts(page), 'of a sorted table').toEqual([]);
  await page.keyboard.press('Control+Alt+f');
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('Part number 77');
  await page.keyboard.press('Enter');
  await expect(table.cell(0, 'name')).toHaveText('Part number 7799');
  expect.soft(await layoutShifts(page), 'of a filtered table').toEqual([]);
  await window.runSql('SELECT part.name, note, kind.name AS kind, price FROM part JOIN kind ON kind.id = part.kind');
  await expect(window.grid('Rows of result 1').cell(3, 'name')).toHaveText('Part number 4');
  expect.soft(await layoutShifts(page), 'of a result').toEqual([]);
  await window.tabs.filter({ hasText: 'part' }).click();
  await page.keyboard.press('F7');
  await expect(page.getByRole('region', { name: 'Refers to' })).toContainText('Delicate');
  expect.soft(await layoutShifts(page), 'of a form').toEqual([]);
  const again = await idleApp.relaunch();
  await watchLayout(again);
  await expect(again.getByRole('region', { name: 'Refers to' })).toContainText('Delicate');
  await new AppWindow(again).tabs.filter({ hasText: 'part' }).first().click();
  await expect(new AppWindow(again).grid('Rows of part').cell(0, 'name')).toHaveText('Part number 7799');
  expect.soft(await layoutShifts(again), 'of a window that was restored').toEqual([]);
});

test('rows stay where they are while filters, orders, and messages about them come and go', async ({ idleApp }) => {
  const path = makeDatabase(join(idleApp.folder, 'parts.db'), { kind: 'sql', sql: MANY_ROWS });
  const page = await idleApp.start(path);
  const appWindow = await idleApp.electron.browserWindow(page);
  await appWindow.evaluate((it) => it.setContentSize(900, 640));
  const window = new AppWindow(page);
  await window.opened('parts');
  const table = await window.openTable('part');
  await page.keyboard.press('Control+Alt+f');
  const top = async (): Promise<number> => (await boxOf(page.locator('.table-data-grid'))).y;
  const before = await settled(top);
  for (const [column, text] of [
    ['name', 'Part number'],
    ['note', 'It has a longer note, of number'],
    ['id', '> 7'],
    ['price', '> 1'],
  ] as const) {
    await page.getByRole('textbox', { name: `Filter by ${column}` }).fill(text);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: `Remove filter on ${column}` })).toBeAttached();
    expect.soft(await top(), `with a filter by ${column}`).toBe(before);
  }
  for (const order of ['ascending', 'descending', 'none']) {
    await table.clickHeader('price');
    await expect(page.getByRole('button', { name: 'Clear sort order' })).toHaveCount(order === 'none' ? 0 : 1);
    expect.soft(await top(), `with the order ${order}`).toBe(before);
  }
  // A chip that is out of sight can be reached.
  await page.getByRole('button', { name: 'Remove filter on price' }).click();
  await page.getByRole('button', { name: 'filter', exact: true }).click();
  await page.getByRole('form', { name: 'Filter' }).getByRole('button', { name: 'And…' }).click();
  await expect(page.getByRole('form', { name: 'Filter' }).getByRole('textbox')).toHaveCount(2);
  expect.soft(await top(), 'under a form of several conditions').toBe(before);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'WHERE…' }).click();
  const withField = await settled(top);
  await page.keyboard.type('price > nonsense');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'nonsense' })).toBeVisible();
  expect.soft(await top(), 'under an error of the condition').toBe(withField);
});

test('a result stays where it is when its statement gets a parameter', async ({ idleApp }) => {
  const path = makeDatabase(join(idleApp.folder, 'parts.db'), { kind: 'sql', sql: MANY_ROWS });
  const window = new AppWindow(await idleApp.start(path));
  await window.opened('parts');
  await window.runSql('SELECT * FROM part');
  const top = async (): Promise<number> => (await boxOf(window.grid('Rows of result 1').root)).y;
  const before = await settled(top);
  await window.editor.click();
  await window.page.keyboard.press('Control+End');
  await window.page.keyboard.type(' WHERE id = :part');
  const value = window.page.getByRole('group', { name: 'Parameters' }).getByRole('textbox');
  await expect(value).toBeVisible();
  await expect(window.editor).toBeVisible();
  expect(await settled(top)).toBe(before);
});

test('the columns of an import stay where they are, however much is wrong', async ({ idleApp }) => {
  const sql = `CREATE TABLE part (id INTEGER PRIMARY KEY, price REAL,
    CONSTRAINT "a price is more than nothing, and what is given away is not sold, so it is not in this list of the parts" CHECK (price > 0));
    CREATE TRIGGER enough BEFORE INSERT ON part WHEN new.id = 1500 BEGIN SELECT RAISE(ROLLBACK, 'There are enough parts.'); END;`;
  const path = makeDatabase(join(idleApp.folder, 'parts.db'), { kind: 'sql', sql });
  const page = await idleApp.start(path);
  const appWindow = await idleApp.electron.browserWindow(page);
  await appWindow.evaluate((it) => it.setContentSize(900, 640));
  const window = new AppWindow(page);
  await window.opened('parts');
  const importing = new ImportPage(window);
  const file = join(idleApp.folder, 'more.csv');
  // The preview does not get as far as the row with which the import fails.
  const rows = Array.from({ length: 1500 }, (_, at) => `${at + 1},${at === 1 ? -3 : 2},x\n`);
  writeFileSync(file, `id,price,note\n${rows.join('')}`);
  await importing.open(idleApp, window, file);
  const top = async (): Promise<number> => (await boxOf(page.getByRole('group', { name: 'Columns', exact: true }))).y;
  const before = await settled(top);
  await importing.field('Table').selectOption('part');
  await expect(page.getByText('1 row cannot be imported. Line 3: ')).toBeVisible();
  expect.soft(await settled(top), 'with a row that cannot be imported').toBe(before);
  await importing.importButton().click();
  await expect(page.getByRole('alert').filter({ hasText: 'enough parts' })).toBeVisible();
  expect(await settled(top), 'after an import that failed').toBe(before);
});

test('the editor of a foreign key is on its cell, with its list below or above', async ({ idleApp }) => {
  const path = makeDatabase(join(idleApp.folder, 'parts.db'), { kind: 'sql', sql: MANY_ROWS });
  const page = await idleApp.start(path);
  const window = new AppWindow(page);
  await window.opened('parts');
  const table = await window.openTable('part');
  const height = (await boxOf(page.locator('.table-data-grid'))).height;
  for (const [row, side] of [
    [2, 'below'],
    [Math.floor((height - 29) / 25) - 3, 'above'],
  ] as const) {
    await table.click(row, 'kind');
    await page.keyboard.press('F2');
    const list = await boxOf(page.getByRole('listbox', { name: 'Rows of kind' }));
    const cell = await boxOf(table.cell(row, 'kind'));
    const text = await boxOf(table.editor.getByRole('textbox'));
    expect(Math.abs(text.y - cell.y), `of row ${row}`).toBeLessThan(3);
    expect(list.y > text.y ? 'below' : 'above').toBe(side);
    await page.keyboard.press('Escape');
  }
});

test.describe('the tour', { tag: '@long' }, () => {
  test.setTimeout(600_000);
  for (const [what, walk] of [
    ['files, library, and what lies over the window', (tour) => tour.ofFilesAndLibrary()],
    ['the schema', (tour) => tour.ofSchema()],
    ['a table', (tour) => tour.ofTable()],
    ['SQL, history, settings, and import', (tour) => tour.ofTabs()],
    ['what measures', (tour) => tour.ofMeasuring()],
  ] satisfies [string, (tour: Tour) => Promise<void>][])
    test(`nothing moves by itself: ${what}`, async ({ idleApp }) => {
      await walk(await begin(idleApp));
    });
});

async function begin(app: SideliteApp): Promise<Tour> {
  app.opensFiles = 'ask';
  const page = await app.start();
  await watchLayout(page);
  return new Tour(app, page, async (screen) => expect.soft(await layoutShifts(page), screen).toEqual([]));
}
