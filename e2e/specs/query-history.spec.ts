// The query history on the real app: what was run is there after a kill, can be found, run again, compared, and deleted.
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { roomLeft } from '../support/fits.ts';
import { readClipboard } from '../support/clipboard.ts';
import { keepState } from '../support/kept-state.ts';
import { joinWire } from '../support/wire-in-page.ts';

const ANIMALS = `
  CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, legs INTEGER);
  INSERT INTO animal (name, legs) VALUES ('ant', 6), ('bee', 6), ('cat', 4), ('duck', 2), ('eel', 0);`;
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i % 1000 = 0';

const runs = (page: Page): Locator => page.getByRole('listbox', { name: 'Runs' }).getByRole('option');
const details = (page: Page): Locator => page.getByRole('region', { name: 'Selected run' });
const cells = (page: Page): Locator => page.getByRole('grid', { name: /^Rows of result/ }).getByRole('gridcell');

for (const [place, opens] of [
  ['in the library', 'copy'],
  ['in place', 'in-place'],
] as const) {
  test(
    `runs of a database ${place} are there after a kill and can be run again`,
    { tag: '@long' },
    async ({ idleApp }) => {
      idleApp.opensFiles = opens;
      const file = makeDatabase(join(idleApp.folder, 'animals.db'), { kind: 'sql', sql: ANIMALS });
      let view = new AppWindow(await idleApp.start(file));
      await view.opened('animals');
      await view.writeSql('SELECT name FROM animal WHERE legs = :legs;');
      await view.page.getByRole('textbox', { name: 'Value of :legs' }).fill('6');
      await view.page.keyboard.press('Enter');
      await expect(cells(view.page)).toHaveText(['ant', 'bee']);
      await view.runSql('SELECT nme FROM animal;');
      await view.runSql("UPDATE animal SET legs = 8 WHERE name = 'eel';");
      await expect(view.page.getByText('1 row changed').first()).toBeVisible();
      // Does not end before the kill.
      await view.writeSql(ENDLESS);
      await view.page.keyboard.press('F5');
      await view.page.keyboard.press('Control+Alt+y');
      await expect(runs(view.page)).toHaveCount(4);
      await expect(runs(view.page).first()).toContainText('Running');
      await expect(runs(view.page).nth(1)).toContainText('1 row changed');
      // That the tab with the runs is open is stored some time later.
      await keepState(view.page);
      await idleApp.kill();

      view = new AppWindow(await idleApp.start());
      const { page } = view;
      await view.opened('animals');
      await expect(runs(page)).toHaveCount(4);
      await expect(runs(page).nth(0)).toContainText('Interrupted');
      await expect(runs(page).nth(1)).toContainText('1 row changed');
      await expect(runs(page).nth(2)).toContainText('There is no column named “nme”.');
      await expect(runs(page).nth(3)).toContainText('2 rows');
      const appWindow = await idleApp.electron.browserWindow(page);
      await appWindow.evaluate((it) => it.setContentSize(800, 600));
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(800);
      await expect.poll(() => roomLeft(page.getByRole('combobox', { name: 'Database' }))).toBeGreaterThanOrEqual(0);

      // Use the keyboard from here on: choose the oldest, look at it, run it again with its value.
      await view.command('Show Query History');
      await expect(page.getByRole('listbox', { name: 'Runs' })).toBeFocused();
      await page.keyboard.press('End');
      await expect(details(page)).toContainText('SELECT name FROM animal WHERE legs = :legs;');
      await expect(details(page).getByLabel('Parameters')).toContainText(':legs6');
      await page.keyboard.press('Control+c');
      await expect.poll(() => readClipboard(page)).toBe('SELECT name FROM animal WHERE legs = :legs;');
      await page.keyboard.press('Control+Enter');
      await expect(cells(page)).toHaveText(['ant', 'bee']);
      await expect(page.getByRole('textbox', { name: 'Value of :legs' })).toHaveValue('6');
      await view.command('Show Query History');
      await expect(runs(page)).toHaveCount(5);
      await expect(runs(page).first()).toContainText('2 rows');
    },
  );
}

test('finds, compares, and deletes runs', { tag: '@web-long' }, async ({ anyApp }) => {
  const file = makeDatabase(join(anyApp.folder, 'animals.db'), { kind: 'sql', sql: ANIMALS });
  const view = new AppWindow(await anyApp.start(file));
  const { page } = view;
  await expect(page.getByText('animal', { exact: true }).first()).toBeVisible();
  await view.command('Show Query History');
  await expect(page.getByText('Nothing has been run yet')).toBeVisible();
  await view.runSql('SELECT name\nFROM animal\nWHERE legs = 6 AND id < 3;');
  await view.runSql('SELECT name\nFROM animal\nORDER BY name COLLATE NOCASE;');
  await view.runSql('SELECT * FROM pony;');
  await view.command('Show Query History');
  await expect(runs(page)).toHaveCount(3);

  const search = page.getByRole('searchbox', { name: 'Search runs' });
  await search.fill('LEGS from');
  await expect(runs(page)).toHaveCount(1);
  await expect(runs(page)).toContainText('WHERE legs = 6');
  await search.fill('pony');
  await expect(runs(page)).toHaveCount(1);
  await search.fill('unicorn');
  await expect(page.getByText('No matching runs')).toBeVisible();
  await search.fill('');
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Failed');
  await expect(runs(page)).toHaveCount(1);
  await expect(details(page)).toContainText('There is no table named “pony”.');
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('All runs');
  await page.getByRole('combobox', { name: 'Database' }).selectOption({ index: 1 });
  await page.getByRole('combobox', { name: 'Time' }).selectOption('Today');
  await expect(runs(page)).toHaveCount(3);

  await runs(page).nth(1).click();
  await runs(page)
    .nth(2)
    .click({ modifiers: ['Control'] });
  const comparison = page.getByRole('region', { name: 'Comparison of two runs' });
  await expect(comparison.getByRole('row', { name: /^Rows 2 5/ })).toContainText('+3');
  await expect(comparison.getByRole('group', { name: 'SQL of both runs' })).toContainText(
    '−earlier: WHERE legs = 6 AND id < 3;',
  );
  await expect(comparison.getByRole('group', { name: 'SQL of both runs' })).toContainText(
    '+later: ORDER BY name COLLATE NOCASE;',
  );

  await runs(page).nth(0).click();
  await page.keyboard.press('Delete');
  await expect(runs(page)).toHaveCount(2);
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByRole('button', { name: 'More query history actions' }).click();
  await page.getByRole('menuitem', { name: 'Clear query history' }).click();
  await view.dialog.getByRole('button', { name: 'Clear history' }).click();
  await expect(page.getByText('Change the search or the filters above.')).toBeVisible();
});

test(
  'a long history is read as far as it is scrolled, and follows other windows',
  { tag: '@long' },
  async ({ idleApp }) => {
    const file = makeDatabase(join(idleApp.folder, 'animals.db'), { kind: 'sql', sql: ANIMALS });
    const view = new AppWindow(await idleApp.start(file));
    await view.opened('animals');
    const { page } = view;
    await joinWire(page);
    await view.runSql('SELECT 1;');
    await page.evaluate(async () => {
      for (let number = 1; number <= 1500; number++) {
        const sql = `SELECT ${number} AS number`;
        const run = { of: { id: 'gone', name: 'gone' }, sql, chars: sql.length, parameters: {} };
        await window.ask('queryLog.begin', { run });
      }
    });
    await view.command('Show Query History');
    await expect(runs(page).first()).toContainText('SELECT 1500');
    const selected = page.getByRole('option', { name: 'SELECT 1;', selected: true });
    // The end of what is read so far, until that is the end of all.
    const goToEnd = async (): Promise<number> => {
      await page.keyboard.press('End');
      return await selected.count();
    };
    await expect.poll(goToEnd, { timeout: 30_000, intervals: [100] }).toBe(1);
    await expect.poll(() => runs(page).count()).toBeLessThan(100);

    await page.keyboard.press('ArrowUp');
    await expect(details(page).getByRole('button', { name: 'Run again' })).toHaveAttribute('aria-disabled', 'true');
    await details(page).getByRole('button', { name: 'Open in SQL tab' }).click();
    await expect(view.editor).toContainText('SELECT 1 AS number');

    const second = await view.secondWindow(idleApp, 'animals');
    await second.command('Show Query History');
    await expect(runs(second.page).first()).toContainText('SELECT 1500');
    await page.bringToFront();
    await view.runSql('SELECT 4711;');
    await expect(runs(second.page).first()).toContainText('SELECT 4711');
    await expect(runs(second.page).first()).toContainText('1 row');
  },
);
