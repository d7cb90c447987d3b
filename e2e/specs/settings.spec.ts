// Settings on the real app: at once in all windows, in one file that people can edit and copy, and in force after a restart.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { roomLeft } from '../support/fits.ts';
import { boxOf, settled } from '../support/settled.ts';

const VISITS = `
  CREATE TABLE visit (id INTEGER PRIMARY KEY, people INTEGER, at TIMESTAMP, note TEXT, photo BLOB);
  INSERT INTO visit VALUES (1234567, 7654321, 1772978531, NULL, x'0102FF'), (1234568, 12, '2026-03-08', 'NULL', NULL);`;

const line = ({ page }: AppWindow, title: string): Locator => page.getByRole('group', { name: title, exact: true });

const settingsFile = (app: SideliteApp): string => join(app.profile, 'settings.json');
const kept = (app: SideliteApp): unknown => JSON.parse(readFileSync(settingsFile(app), 'utf8'));

test(
  'cells look as chosen in both windows, copies stay exact, and an edit by hand and a restart count',
  { tag: '@long' },
  async ({ idleApp }) => {
    const file = makeDatabase(join(idleApp.folder, 'visits.db'), { kind: 'sql', sql: VISITS });
    let view = new AppWindow(await idleApp.start(file));
    await view.opened('visits');
    const second = await view.secondWindow(idleApp, 'visits');
    const grid = await second.openTable('visit');
    await expect(grid.cell(0, 'people')).toHaveText('7654321');
    const height = async (): Promise<number> => (await boxOf(grid.cell(1, 'people'))).height;
    const before = await settled(height);

    await view.page.bringToFront();
    await view.page.keyboard.press('Control+,');
    const search = view.page.getByRole('searchbox', { name: 'Search settings' });
    await expect(search).toBeFocused();
    const appWindow = await idleApp.electron.browserWindow(view.page);
    await appWindow.evaluate((it) => it.setContentSize(800, 600));
    await expect.poll(() => view.page.evaluate(() => innerWidth)).toBe(800);
    await expect.poll(() => roomLeft(search)).toBeGreaterThanOrEqual(0);
    await view.page.keyboard.type('cells');
    await expect(line(view, 'Theme')).toHaveCount(0);
    await line(view, 'Group digits').getByRole('checkbox').check();
    await line(view, 'Dates stored as numbers').getByRole('combobox').selectOption('As dates in UTC');
    await line(view, 'Blobs').getByRole('combobox').selectOption('First bytes and size');
    const nullText = line(view, 'Text for NULL').getByRole('textbox');
    await nullText.fill('∅');
    await nullText.press('Enter');
    await expect(line(view, 'Text for NULL').getByRole('img', { name: 'changed' })).toBeVisible();
    await view.page.getByRole('searchbox', { name: 'Search settings' }).fill('density');
    await line(view, 'Density').getByRole('combobox').selectOption('Comfortable');

    await expect(grid.cell(0, 'people')).toHaveText('7,654,321');
    await expect(grid.cell(0, 'id')).toHaveText('1234567');
    await expect(grid.cell(0, 'at')).toHaveText('2026-03-08 14:02:11 UTC');
    await expect(grid.cell(1, 'at')).toHaveText('2026-03-08');
    await expect(grid.cell(0, 'note')).toHaveText('∅');
    await expect(grid.cell(1, 'note')).toHaveText('NULL');
    await expect(grid.cell(0, 'photo')).toHaveText('01 02 FF · 3 bytes');
    await expect.poll(height).toBeGreaterThan(before);
    await second.page.bringToFront();
    await grid.click(0, 'people');
    await second.page.keyboard.press('Shift+ArrowRight');
    await second.page.keyboard.press('Control+c');
    await expect
      .poll(() => idleApp.electron.evaluate(({ clipboard }) => clipboard.readText()))
      .toBe('7654321\t1772978531');

    await expect.poll(() => kept(idleApp)).toMatchObject({ 'grid.density': 'comfortable', 'grid.null': '∅' });
    // Edit the file by hand: valid values apply at once, invalid ones are named, and nothing in the file is lost.
    writeFileSync(
      settingsFile(idleApp),
      JSON.stringify({ ...(kept(idleApp) as object), theme: 'dark', 'grid.null': 7, mine: 1 }),
    );
    await expect(second.page.locator(':root')).toHaveAttribute('data-theme', 'dark');
    await expect(view.page.getByRole('status', { name: 'Problems in settings.json' })).toContainText(
      '“grid.null” is 7, but it must be text of at most 20 characters. The default, "NULL", is used.',
    );
    await view.page.bringToFront();
    await view.page.getByRole('searchbox', { name: 'Search settings' }).fill('');
    await line(view, 'Text for NULL')
      .getByRole('button', { name: /^Reset/ })
      .click();
    await expect(view.page.getByRole('status', { name: 'Problems in settings.json' })).toHaveCount(0);
    const all = { openFiles: 'copy', theme: 'dark', 'grid.density': 'comfortable', 'grid.blobs': 'hex', mine: 1 };
    await expect.poll(() => kept(idleApp)).toEqual({ ...all, 'grid.groupDigits': true, 'grid.dates': 'utc' });

    // One file for another machine, and all of it undone. It is saved as other files are: not in place of what SQLite keeps beside a database.
    writeFileSync(join(idleApp.folder, 'a.db'), 'SQLite format 3\0');
    await idleApp.answerSaveDialog(join(idleApp.folder, 'a.db-wal'));
    await view.page.getByRole('button', { name: 'Export…', exact: true }).click();
    await expect(view.messages).toContainText('Nothing was changed. Choose another name.');
    expect(existsSync(join(idleApp.folder, 'a.db-wal'))).toBe(false);
    const copy = join(idleApp.folder, 'mine.json');
    await idleApp.answerSaveDialog(copy);
    await view.page.getByRole('button', { name: 'Export…', exact: true }).click();
    await expect(view.messages).toContainText('The settings were exported.');
    await view.page.getByRole('button', { name: 'Reset all' }).click();
    await expect(grid.cell(0, 'people')).toHaveText('7654321');
    await expect.poll(() => kept(idleApp)).toEqual({ mine: 1 });
    await idleApp.answerOpenDialog(copy);
    await view.page.getByRole('button', { name: 'Import…', exact: true }).click();
    await expect(grid.cell(0, 'people')).toHaveText('7,654,321');
    await idleApp.quit();

    await idleApp.start();
    await idleApp.window(1);
    // It is left to chance which of the two windows is there first.
    const hasSettings = async (page: Page): Promise<boolean> =>
      (await line(new AppWindow(page), 'Density').count()) > 0;
    const withSettings = async (): Promise<Page[]> => {
      const pages = idleApp.windows();
      const has = await Promise.all(pages.map(hasSettings));
      return pages.filter((_page, at) => has[at]);
    };
    await expect.poll(async () => (await withSettings()).length, { timeout: 30_000 }).toBe(1);
    view = new AppWindow((await withSettings())[0]!);
    await expect(view.page.locator(':root')).toHaveAttribute('data-theme', 'dark');
    await expect(line(view, 'Density').getByRole('combobox')).toHaveValue('comfortable');
  },
);

test('keys that were changed run their commands, are shown everywhere, and conflicts are named', async ({
  idleApp,
}) => {
  const file = makeDatabase(join(idleApp.folder, 'visits.db'), { kind: 'sql', sql: VISITS });
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  await view.opened('visits');
  await page.keyboard.press('Control+,');
  const search = page.getByRole('searchbox', { name: 'Search settings' });
  await search.fill('keyboard run');
  const run = line(view, 'Run All');
  const record = async (command: Locator, ...keys: string[]): Promise<void> => {
    await command.getByRole('button', { name: /^Add a key/ }).click();
    for (const key of keys) await page.keyboard.press(key);
  };
  // CodeMirror has a use of its own for this key: the one that was chosen comes first.
  await record(run, 'a', 'Control+a', 'Control+Shift+k');
  await expect(run.locator('kbd')).toHaveText(['Ctrl Shift Enter', 'F5', 'Ctrl Shift K']);
  await run.getByRole('button', { name: 'Remove F5 from Run All' }).click();
  await search.fill('keyboard statement or selection');
  await record(line(view, 'Run Statement or Selection'), 'Control+Shift+K');
  await expect(line(view, 'Run Statement or Selection')).toContainText('Ctrl Shift K is also the key of “Run All”.');
  await expect(page.getByRole('region', { name: 'Keyboard shortcuts' })).toContainText('2 commands share a key');
  await line(view, 'Run Statement or Selection')
    .getByRole('button', { name: /^Reset/ })
    .click();
  await search.fill('keyboard new sql tab');
  const newTab = line(view, 'New SQL Tab');
  await record(newTab, 'Control+Alt+n');
  await newTab.getByRole('button', { name: /^Remove Ctrl T/ }).click();

  const shown = (id: string): Promise<string | null> =>
    idleApp.electron.evaluate(
      ({ Menu }, item) => (Menu.getApplicationMenu()?.getMenuItemById(item)?.accelerator as string | undefined) ?? null,
      id,
    );
  await expect.poll(() => shown('query.new')).toBe('CmdOrCtrl+Alt+N');
  await page.keyboard.press('Control+t');
  await expect(view.editor).toHaveCount(0);
  await page.keyboard.press('Control+Alt+n');
  await expect(view.editor).toBeFocused();
  await page.keyboard.type('SELECT 41 + 1 AS answer');
  await page.keyboard.press('F5');
  await page.keyboard.press('Control+Shift+K');
  await expect(page.getByRole('grid', { name: /^Rows of result/ }).getByRole('gridcell')).toHaveText(['42']);
  await expect(view.editor).toHaveText('SELECT 41 + 1 AS answer');
  await page.keyboard.press('Control+,');
  await search.fill('font size');
  const size = line(view, 'Font size in SQL').locator('input');
  await size.fill('19');
  await size.press('Enter');
  await view.tabs.filter({ hasText: 'Query' }).click();
  await expect(view.editor).toHaveCSS('font-size', '19px');
  await page.keyboard.press('F1');
  await expect(view.dialog).toContainText('New SQL TabCtrl Alt N');
  await expect(view.dialog).toContainText('Run AllCtrl Shift EnterCtrl Shift K');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+p');
  await page.keyboard.type('>new sql');
  await expect(page.getByRole('option', { name: /New SQL Tab/ })).toContainText('Ctrl Alt N');
});

test('limits reach both engines, and recent files are in the menu', { tag: '@long' }, async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'visits.db'), { kind: 'sql', sql: VISITS });
  const other = makeDatabase(join(idleApp.folder, 'other.db'), { kind: 'sql', sql: VISITS });
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  await view.opened('visits');
  for (const number of [1, 2, 3]) await view.runSql(`SELECT ${number}`);
  await view.command('History Limits');
  const set = async (title: string, value: string): Promise<void> => {
    await line(view, title).getByRole('textbox').fill(value);
    await page.keyboard.press('Enter');
  };
  await set('Runs in the query history', '10');
  await set('Keep changes row by row up to', '2');
  await set('History of a database', '3');
  await set('Runs in the query history', '5');
  await expect(line(view, 'Runs in the query history').getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await view.command('Show History');
  await expect(page.getByRole('toolbar', { name: 'History' })).toContainText('3.0 MB');

  // The native engine starts with the first file in place, and is told too.
  await page.keyboard.press('Control+,');
  await line(view, 'Opening a file').getByRole('combobox').selectOption('Open it in place');
  await view.openFile(idleApp, other);
  await view.opened('other');
  await view.command('Show History');
  await expect(page.getByRole('toolbar', { name: 'History' })).toContainText('3.0 MB');

  const recent = (): Promise<readonly string[]> =>
    idleApp.electron.evaluate(({ Menu }) => {
      const menus = Menu.getApplicationMenu()?.items.flatMap((menu) => menu.submenu?.items ?? []) ?? [];
      return menus.find(({ label }) => label === 'Open Recent')?.submenu?.items.map(({ label }) => label) ?? [];
    });
  await expect.poll(recent).toEqual([other, file, '', 'Clear Recent Files']);
  await idleApp.electron.evaluate(({ Menu }, label) => {
    const menus = Menu.getApplicationMenu()?.items.flatMap((menu) => menu.submenu?.items ?? []) ?? [];
    const files = menus.find((item) => item.label === 'Open Recent')?.submenu?.items ?? [];
    files.find((item) => item.label === label)?.click();
  }, file);
  await view.opened('visits');
  await expect.poll(recent).toEqual([file, other, '', 'Clear Recent Files']);
  await page.keyboard.press('Control+,');
  await line(view, 'Remember recent files').getByRole('checkbox').uncheck();
  await expect.poll(recent).toEqual([]);
});

test(
  'a question is not asked again once that was chosen in it, and the settings list it',
  { tag: '@long' },
  async ({ idleApp }) => {
    const file = makeDatabase(join(idleApp.folder, 'visits.db'), { kind: 'sql', sql: VISITS });
    const view = new AppWindow(await idleApp.start(file));
    const { page } = view;
    await view.opened('visits');
    const closeDryRun = async (): Promise<void> => {
      await view.writeSql('UPDATE visit SET people = 1');
      await page.keyboard.press('Control+Alt+Enter');
      await expect(page.getByRole('region', { name: 'Dry run' })).toBeVisible();
      await page.keyboard.press('Control+w');
    };
    await closeDryRun();
    await view.dialog.getByRole('checkbox', { name: /^Don’t ask again/ }).check();
    await view.dialog.getByRole('button', { name: 'Discard and close' }).click();
    await closeDryRun();
    await expect(page.getByRole('region', { name: 'Dry run' })).toHaveCount(0);
    await expect(view.dialog).toHaveCount(0);
    await page.keyboard.press('Control+,');
    await expect(line(view, 'Close with unsaved work').getByRole('checkbox')).not.toBeChecked();
  },
);

test('SQL and cells have the font size that is chosen', { tag: '@long' }, async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'visits.db'), { kind: 'sql', sql: VISITS })),
  );
  await view.opened('visits');
  const second = await view.secondWindow(idleApp, 'visits');
  const grid = await second.openTable('visit');
  const height = async (): Promise<number> => (await boxOf(grid.cell(1, 'people'))).height;
  const before = await settled(height);
  await view.page.bringToFront();
  await view.page.keyboard.press('Control+,');
  for (const [title, size] of [
    ['Font size in cells', '20'],
    ['Font size in SQL', '19'],
  ] as const) {
    const field = line(view, title).locator('input');
    await field.fill(size);
    await field.press('Enter');
  }
  await expect.poll(height).toBeGreaterThan(before);
  await second.page.bringToFront();
  await second.page.keyboard.press('Control+t');
  await expect(second.page.getByRole('textbox', { name: 'SQL' })).toHaveCSS('font-size', '19px');
});
