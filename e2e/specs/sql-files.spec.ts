// .sql files in SQL tabs on the real app: opened, saved, changed by other programs, and unsaved across a kill.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { joinWire } from '../support/wire-in-page.ts';
import '../support/shell-in-page.ts';

const ANIMALS = `CREATE TABLE animal (name); INSERT INTO animal VALUES ('ant'), ('bee');`;

async function start(app: SideliteApp, ...files: string[]): Promise<AppWindow> {
  const database = makeDatabase(join(app.folder, 'animals.db'), { kind: 'sql', sql: ANIMALS });
  return new AppWindow(await app.start(database, ...files));
}

/** The bar that says that another program has changed or removed the file. */
const problemOf = ({ page }: AppWindow): Locator => page.getByRole('alert').filter({ hasText: '.sql' });
const unsaved = ({ page }: AppWindow): Locator => page.locator('.tab-unsaved');

test('a .sql file is edited and saved as it is stored, follows other programs, and asks only about a conflict', async ({
  idleApp,
}) => {
  const path = join(idleApp.folder, 'report.sql');
  const utf16 = (text: string): Buffer => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]);
  writeFileSync(path, utf16('SELECT name\r\nFROM animal;\r\n'));
  // Open it from the command line: the file is offered to the database that is open by then.
  const view = await start(idleApp, path);
  const { page } = view;
  await expect(view.dialog).toContainText('Open “report.sql”');
  await expect(view.dialog).toContainText('Nothing runs until you run it.');
  await view.dialog.getByRole('button', { name: 'Edit' }).click();
  await expect(view.tabs.filter({ hasText: 'report.sql' })).toHaveAttribute('aria-selected', 'true');
  await expect(view.editor).toContainText('SELECT nameFROM animal;');
  await expect(view.editor).toBeFocused();
  await expect(unsaved(view)).toHaveCount(0);

  await page.keyboard.press('Control+Home');
  await page.keyboard.type('-- all\n');
  await expect(unsaved(view)).toHaveCount(1);
  await page.keyboard.press('Control+s');
  await expect(unsaved(view)).toHaveCount(0);
  expect(readFileSync(path)).toEqual(utf16('-- all\r\nSELECT name\r\nFROM animal;\r\n'));

  // Nothing typed here is lost by reloading, so there is no question.
  writeFileSync(path, utf16('-- theirs\r\nSELECT name\r\nFROM animal;\r\n'));
  await expect(view.editor).toContainText('-- theirs');
  await expect(problemOf(view)).toHaveCount(0);
  await expect(unsaved(view)).toHaveCount(0);

  await page.keyboard.type('-- mine\n');
  writeFileSync(path, utf16('-- theirs again\r\nSELECT name\r\nFROM animal;\r\n'));
  await expect(problemOf(view)).toContainText('“report.sql” was changed by another program.');
  await page.keyboard.press('Control+s');
  expect(readFileSync(path, 'utf16le')).toContain('theirs again');
  await problemOf(view).getByRole('button', { name: 'Compare…' }).click();
  const lines = view.dialog.getByRole('group', { name: 'Mine and theirs' });
  await expect(lines.locator('[data-kind="removed"]')).toHaveText(['−mine: -- theirs', '−mine: -- mine']);
  await expect(lines.locator('[data-kind="added"]')).toHaveText(['+theirs: -- theirs again']);
  await view.dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(problemOf(view)).toHaveCount(0);
  await expect(view.editor).toBeFocused();
  await page.keyboard.press('Control+s');
  await expect(unsaved(view)).toHaveCount(0);
  expect(readFileSync(path, 'utf16le')).toContain('-- theirs\r\n-- mine\r\nSELECT');

  await page.keyboard.type('-- later\n');
  // Replace it atomically, as editors do: an empty file while it is written in place would be a step of its own for Undo.
  writeFileSync(`${path}.new`, 'SELECT 7;\n');
  renameSync(`${path}.new`, path);
  await problemOf(view).getByRole('button', { name: 'Take theirs' }).click();
  await expect(view.editor).toHaveText('SELECT 7;');
  await expect(unsaved(view)).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(view.editor).toContainText('-- later');
  await expect(unsaved(view)).toHaveCount(1);
  await page.keyboard.press('Control+s');
  // Undo brought the text back, not the encoding: the file now is what the other program made it.
  await expect(unsaved(view)).toHaveCount(0);
  expect(readFileSync(path, 'utf8')).toContain('-- mine\n-- later\nSELECT name\n');

  rmSync(path);
  await expect(problemOf(view)).toContainText('no longer exists');
  await expect(unsaved(view)).toHaveCount(1);
  await problemOf(view).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(problemOf(view)).toHaveCount(0);
  expect(readFileSync(path, 'utf8')).toContain('-- later');
});

test(
  'unsaved text in a file survives a kill, a tab is saved under a name, and closing asks first',
  { tag: '@long' },
  async ({ idleApp }) => {
    const path = join(idleApp.folder, 'kept.sql');
    writeFileSync(path, 'SELECT 1;\n');
    let view = await start(idleApp);
    await view.opened('animals');
    // An SQL tab that is opened before the first table is shown leaves that out.
    await expect(view.tabs).toHaveText(['animal']);
    await view.writeSql('SELECT 42 AS closed_before;');
    await view.page.keyboard.press('Control+w');
    await expect(view.tabs).toHaveText(['animal']);
    await view.drop(path);
    await view.dialog.getByRole('button', { name: 'Edit' }).click();
    await expect(view.editor).toHaveText('SELECT 1;');
    await expect(view.editor).toBeFocused();
    await view.page.keyboard.type('-- typed ');
    await expect(unsaved(view)).toHaveCount(1);
    // Stored with the window a moment after the last key.
    await joinWire(view.page);
    await expect.poll(() => view.page.evaluate(keptText)).toBe('-- typed SELECT 1;\n');
    await idleApp.kill();

    view = new AppWindow(await idleApp.start());
    const { page } = view;
    await expect(view.editor).toHaveText('-- typed SELECT 1;');
    await expect(unsaved(view)).toHaveCount(1);
    await expect(problemOf(view)).toHaveCount(0);
    // So does what was closed before.
    await page.keyboard.press('Control+Shift+t');
    await expect(view.editor).toHaveText('SELECT 42 AS closed_before;');
    await page.keyboard.press('Control+w');
    await expect(view.editor).toHaveText('-- typed SELECT 1;');
    await page.keyboard.press('Control+w');
    await expect(view.dialog).toContainText('Save “kept.sql” before closing?');
    await view.dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(view.tabs.filter({ hasText: 'kept.sql' })).toHaveCount(0);
    expect(readFileSync(path, 'utf8')).toBe('-- typed SELECT 1;\n');

    await view.writeSql('SELECT count(*) FROM animal;');
    const named = join(idleApp.folder, 'count.sql');
    await idleApp.answerSaveDialog(named);
    await page.keyboard.press('Control+s');
    await expect(view.tabs.filter({ hasText: 'count.sql' })).toHaveAttribute('aria-selected', 'true');
    expect(readFileSync(named, 'utf8')).toBe('SELECT count(*) FROM animal;');
    // Opened once more, it is the tab that is there.
    await idleApp.answerOpenDialog(named);
    const count = await view.tabs.count();
    await view.command('Open SQL File');
    await expect(view.editor).toBeFocused();
    await expect(view.tabs).toHaveCount(count);

    // A file of 10 MB opens, follows, and is saved.
    const big = join(idleApp.folder, 'big.sql');
    const line = `INSERT INTO animal VALUES ('${'x'.repeat(70)}');\r\n`;
    writeFileSync(big, line.repeat(110_000));
    await idleApp.answerOpenDialog(big);
    await view.command('Open SQL File');
    await expect(view.tabs.filter({ hasText: 'big.sql' })).toHaveAttribute('aria-selected', 'true');
    await expect(view.editor).toBeFocused();
    await page.keyboard.type('SELECT 1;\n');
    await expect(unsaved(view)).toHaveCount(1);
    await page.keyboard.press('Control+s');
    await expect(unsaved(view)).toHaveCount(0);
    expect(readFileSync(big, 'utf8')).toBe(`SELECT 1;\r\n${line.repeat(110_000)}`);
  },
);

/** The text of the SQL tab, as the window has stored it. */
const keptText = async (): Promise<unknown> => {
  const key = `window:${(await window.sidelite.windowInfo()).windowId}`;
  const state = (await window.ask('state.get', { key })) as string | null;
  const { tabs } = JSON.parse(state ?? '{"tabs":[]}') as {
    tabs: { id: string; kind: string }[];
  };
  const tab = tabs.find(({ kind }) => kind === 'query');
  return tab && (await window.ask('state.get', { key: `${key}:sql:${tab.id}` }));
};
