// Editing values in the details panel: in the form that suits them, long ones part by part, from and to files, without losing what was typed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const SCHEMA = `
  CREATE TABLE note (id INTEGER PRIMARY KEY, body, made_at INTEGER, n INTEGER CHECK (n < 100)) ;
  INSERT INTO note VALUES (1, 'one' || char(13, 10) || 'two' || char(13, 10) || 'three', 1714566600, 5);
  INSERT INTO note VALUES (2, '{"a":[1,2.50,{"b":"x"}],"c":10000000000000000001}', NULL, 6);
  INSERT INTO note VALUES (3, jsonb('{"k": [true, null]}'), NULL, 7);
  INSERT INTO note VALUES (4, x'00ff10', NULL, 8);
  INSERT INTO note VALUES (5, printf('%.*c', 300000, 'a') || 'END', NULL, 9);
  CREATE TABLE strict_one (id INTEGER PRIMARY KEY, n INT) STRICT;
  INSERT INTO strict_one VALUES (1, 1);
  CREATE VIEW v AS SELECT body FROM note;
  CREATE TABLE file (id INTEGER PRIMARY KEY, bytes BLOB);
  INSERT INTO file VALUES (1, CAST('RIFF' AS BLOB) || x'2c000000' || CAST('WAVEfmt ' AS BLOB) || x'1000000001000100401f0000401f000001000800'
    || CAST('data' AS BLOB) || x'08000000' || x'8090a0b0c0b0a090');
  INSERT INTO file VALUES (2, CAST('RIFF0000WAVE and then no sound at all' AS BLOB));
  INSERT INTO file VALUES (3, CAST('%PDF-1.4 1 0 obj<</Type /Page>>' AS BLOB));
  UPDATE file SET bytes = CAST(bytes AS BLOB);`;

class Details {
  readonly view: AppWindow;
  readonly root: Locator;
  readonly field: Locator;
  readonly saves: Locator;

  constructor(view: AppWindow) {
    this.view = view;
    this.root = view.page.getByRole('complementary', { name: 'Details' });
    this.field = this.root.getByRole('textbox');
    this.saves = this.root.getByRole('status');
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name });
  }

  choose(label: string, value: string): Promise<unknown> {
    return this.root.getByRole('combobox', { name: label }).selectOption(value);
  }

  async edit(grid: GridPage, row: number, column: string): Promise<void> {
    await grid.click(row, column);
    await this.view.page.keyboard.press('F4');
    await expect(this.field).toBeFocused();
  }
}

async function openNotes(app: SideliteApp) {
  const path = makeDatabase(join(app.folder, 'notes.db'), { kind: 'sql', sql: SCHEMA });
  const view = new AppWindow(await app.start(path));
  return { view, grid: await view.openTable('note'), details: new Details(view) };
}

test('values are edited for what they are', async ({ idleApp }) => {
  const { view, grid, details } = await openNotes(idleApp);
  const { page } = view;

  await test.step('a text keeps its line endings, and says what it will be', async () => {
    await details.edit(grid, 0, 'body');
    await expect(details.root.getByRole('combobox', { name: 'Line endings' })).toHaveValue('crlf');
    await details.field.fill('one\nTWO\nthree');
    await expect(details.saves).toContainText('Saves as text, 15 characters');
    await page.keyboard.press('Control+Enter');
    await expect(grid.cell(0, 'body')).toContainText('TWO');
    await expect(details.root).toContainText('text, 15 characters');
    // The keyboard is back in the grid, and Undo is the usual one.
    await expect(grid.root).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(grid.cell(0, 'body')).toContainText('two');
  });

  await test.step('JSON is checked, shown as a tree, and keeps its numbers and its shape', async () => {
    await details.edit(grid, 1, 'body');
    await expect(details.field).toHaveValue(/\n {2}"c": 10000000000000000001\n/);
    await details.field.fill('{"a": [1,}');
    await expect(details.saves).toContainText('A value is expected here. (line 1, column 10)');
    await expect(details.button('Save')).toHaveAttribute('aria-disabled', 'true');
    await details.field.fill('{"a": [1, 2.50], "d": {"e": "f"}}');
    await details.button('Tree').click();
    await details.root.getByRole('button', { name: 'd 1 member' }).click();
    await details.root.getByRole('button', { name: 'e: "f"' }).click();
    await expect(details.field).toBeFocused();
    const picked = (): Promise<string> =>
      details.field.evaluate(({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) =>
        value.slice(selectionStart, selectionEnd),
      );
    await expect.poll(picked).toBe('"f"');
    await page.keyboard.press('Control+Enter');
    await expect(grid.cell(1, 'body')).toHaveText('{"a":[1,2.50],"d":{"e":"f"}}');
  });

  await test.step('JSONB is recognized, and stays JSONB', async () => {
    await grid.click(2, 'body');
    await expect(details.root).toContainText('Stored as JSONB');
    await page.keyboard.press('F4');
    await details.field.fill('{"k": [false]}');
    await expect(details.saves).toContainText('Saves as blob (JSONB)');
    await page.keyboard.press('Control+Enter');
    await expect(details.root.getByLabel('Value', { exact: true })).toContainText('false');
    await expect(details.root).toContainText('Stored as JSONB');
  });

  await test.step('bytes are edited as bytes', async () => {
    await details.edit(grid, 3, 'body');
    await expect(details.field).toHaveValue('00 ff 10');
    await details.field.fill('00 ff 1');
    await expect(details.saves).toContainText('The last byte has only one digit.');
    await details.field.fill('0x00FF 10 41');
    await page.keyboard.press('Control+Enter');
    await expect(details.root.getByLabel('Bytes')).toContainText('0000 00ff1041');
  });

  await test.step('a date says its zone and stays what it was', async () => {
    await grid.click(0, 'made_at');
    await expect(details.root).toContainText('2024-05-01 12:30:00 UTC');
    await page.keyboard.press('F4');
    await expect(details.field).toHaveValue('2024-05-01 12:30:00');
    await details.field.fill('2024-05-01 12:30:05');
    await expect(details.saves).toContainText('Saves as integer');
    await page.keyboard.press('Control+Enter');
    await expect(grid.cell(0, 'made_at')).toHaveText('1714566605');
  });

  await test.step('a constraint is named in the panel, and the text stays', async () => {
    await details.edit(grid, 0, 'n');
    await details.field.fill('100');
    await page.keyboard.press('Control+Enter');
    await expect(details.root.getByRole('alert')).toContainText('n < 100');
    await expect(details.field).toHaveValue('100');
    await details.button('Discard').click();
    await expect(grid.cell(0, 'n')).toHaveText('5');
    await grid.click(0, 'n');
    await details.button('Set to NULL').click();
    await expect(grid.cell(0, 'n')).toHaveText('NULL');
  });

  await test.step('an earlier value is beside the present one, and comes back', async () => {
    await grid.click(1, 'body');
    await details.button('Earlier values').click();
    const earlier = details.root.getByRole('region', { name: 'Earlier values' });
    await expect(earlier.getByRole('cell').first()).toContainText('10000000000000000001');
    await expect(earlier.getByRole('cell').nth(1)).toHaveText('{"a":[1,2.50],"d":{"e":"f"}}');
    await earlier.getByRole('button', { name: 'Restore this value' }).click();
    await expect(grid.cell(1, 'body')).toContainText('10000000000000000001');
    await earlier.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a sound is played, a document named, and broken bytes are shown as bytes', async () => {
    const files = await view.openTable('file');
    const sound = details.root.getByLabel('Sound in the cell');
    await files.click(0, 'bytes');
    await expect(details.root).toContainText('WAV sound, 52 bytes');
    await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(0.001, 4);
    await files.click(1, 'bytes');
    await expect(details.root).toContainText('WAV sound that cannot be played: its bytes');
    await files.click(2, 'bytes');
    await expect(details.root.getByText('PDF 1.4 document, 1 page', { exact: true })).toBeVisible();
    const saved = join(idleApp.folder, 'document.pdf');
    await idleApp.answerSaveDialog(saved);
    await details.button('Save PDF…').click();
    await expect(view.messages).toContainText('Saved to document.pdf');
    expect(readFileSync(saved, 'latin1')).toBe('%PDF-1.4 1 0 obj<</Type /Page>>');
    await view.openTable('note');
  });

  await test.step('a long value is edited part by part', async () => {
    await details.edit(grid, 4, 'body');
    await expect(details.root).toContainText('Bytes 1 to 100,000 of 300,003');
    await details.button('Go to…').click();
    await view.dialog.getByRole('textbox').fill('300,000');
    await view.dialog.getByRole('button', { name: 'Go' }).click();
    await expect(details.field).toHaveValue('aEND');
    await details.field.fill('aTHE END');
    await expect(details.button('Previous part')).toBeDisabled();
    await page.keyboard.press('Control+Enter');
    await expect(details.root).toContainText('of 300,007');
    await details.button('Close').click();
    await expect(details.root).toContainText('300,007');
  });
});

test('what is typed is kept when the selection moves or the row changes, and files come and go', async ({
  idleApp: app,
}) => {
  const { view, grid, details } = await openNotes(app);
  const { page } = view;

  await test.step('another cell is selected: the text waits', async () => {
    await details.edit(grid, 0, 'body');
    await details.field.fill('typed and not saved');
    await grid.click(1, 'n');
    const unsaved = details.root.getByRole('region', { name: 'Unsaved values' });
    await expect(unsaved).toContainText('note 1 · body');
    await expect(page.locator('.tab-unsaved')).toHaveCount(1);
    await unsaved.getByRole('button', { name: 'Show' }).click();
    await expect(details.field).toHaveValue('typed and not saved');
    await grid.click(0, 'body');
    await expect(details.field).toHaveValue('typed and not saved');
  });

  await test.step('the row changes underneath: the user decides', async () => {
    const other = await view.secondWindow(app, 'notes');
    await other.runSql("UPDATE note SET body = 'theirs' WHERE id = 1");
    await page.bringToFront();
    await expect(details.root.getByRole('alert')).toContainText('changed in the meantime');
    await expect(details.field).toHaveValue('typed and not saved');
    await details.button('Keep mine').click();
    await expect(grid.cell(0, 'body')).toHaveText('typed and not saved');
    await details.edit(grid, 0, 'body');
    await details.field.fill('lost');
    await other.runSql('DELETE FROM note WHERE id = 1');
    const unsaved = details.root.getByRole('region', { name: 'Unsaved values' });
    await expect(unsaved).toContainText('note 1 · body');
    await unsaved.getByRole('button', { name: 'Show' }).click();
    await page.keyboard.press('Control+Enter');
    await expect(details.root.getByRole('alert')).toContainText('no longer exists');
    await expect(details.field).toHaveValue('lost');
    await details.button('Copy text').click();
    await expect.poll(() => page.evaluate(() => window.sidelite.readClipboard())).toBe('lost');
    await details.button('Discard').click();
    await expect(page.locator('.tab-unsaved')).toHaveCount(0);
  });

  await test.step('files come and go whole', async () => {
    // Until the grid has read its rows again, another row is there.
    await expect(grid.cell(0, 'id')).toHaveText('2');
    await grid.click(3, 'body');
    // What is saved is the value that the details show.
    await expect(details.root).toContainText('300,003');
    const target = join(app.folder, 'long.txt');
    await app.answerSaveDialog(target);
    await details.button('Save to file…').click();
    await expect(view.messages).toContainText('Saved to long.txt');
    expect(readFileSync(target, 'utf8')).toBe(`${'a'.repeat(300_000)}END`);
    const source = join(app.folder, 'bytes.bin');
    writeFileSync(source, Buffer.from([0xff, 0xfe, 0xfd]));
    await app.answerOpenDialog(source);
    await details.button('Load from file…').click();
    await expect(view.dialog).toContainText('is not UTF-8 text');
    await view.dialog.getByRole('button', { name: 'Load as blob' }).click();
    await expect(details.root.getByLabel('Bytes')).toContainText('fffefd');
    await view.messages.getByRole('button', { name: 'Undo' }).click();
    await expect(details.root).toContainText('300,003');
  });

  await test.step('what cannot be edited says why', async () => {
    const rows = await view.openTable('v');
    await rows.click(0, 'body');
    await expect(details.root).toContainText('Rows of a view cannot be edited.');
    await expect(details.button('Set to NULL')).toHaveCount(0);
    const strict = await view.openTable('strict_one');
    await details.edit(strict, 0, 'n');
    await details.choose('Edit as', 'text');
    await details.field.fill('x');
    await expect(details.saves).toContainText('This column of a STRICT table accepts only INT.');
    await page.keyboard.press('Control+Enter');
    await expect(details.root.getByRole('alert')).toBeVisible();
    await expect(details.field).toHaveValue('x');
  });
});
