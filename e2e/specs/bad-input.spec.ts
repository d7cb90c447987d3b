// Files that are not sound: each gets a clear sentence, and what was there before stays.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSpec } from '../data/make-database.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const REFUSED: readonly (readonly [string, DatabaseSpec, RegExp])[] = [
  ['text', { kind: 'text' }, /not an SQLite database/],
  ['a picture', { kind: 'png' }, /not an SQLite database/],
  ['an encrypted file', { kind: 'encrypted' }, /encrypted/],
  ['a newer file format', { kind: 'newer', what: 'read-version' }, /newer/],
  ['a newer schema format', { kind: 'newer', what: 'schema' }, /newer/],
];

for (const [what, spec, sentence] of REFUSED) {
  test(`${what} is refused with a reason`, async ({ app, page }) => {
    const view = new AppWindow(page);
    await view.openFile(app, makeDatabase(join(app.folder, 'bad.db'), spec));
    await expect(view.dialog).toContainText(sentence);
    await view.dialog.getByRole('button', { name: 'OK' }).click();
    await page.keyboard.press('Control+l');
    await expect(page.getByRole('row', { name: 'bad', exact: true })).toHaveCount(0);
  });
}

for (const spec of [{ kind: 'truncated' }, { kind: 'corrupt' }] as const) {
  test(`a ${spec.kind} file can be recovered as far as it is readable`, async ({ app, page }) => {
    const view = new AppWindow(page);
    await view.openFile(app, makeDatabase(join(app.folder, 'hurt.db'), spec));
    await expect(view.dialog).toContainText('is damaged');
    await view.dialog.getByRole('button', { name: 'Recover what can be read' }).click();
    await expect(view.dialog).toContainText('Recovered from');
    await expect(view.dialog).toContainText(/big: [\d,]+ rows/);
    await view.dialog.getByRole('button', { name: 'OK' }).click();
    await expect(view.grid('Rows of big').cell(0, 'name')).toHaveText(/row number/);
  });
}

test('a WAL beside the file is taken in, and that is said', async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'wal.db'), { kind: 'wal-beside' }));
  await view.opened('wal');
  await expect(view.messages).toContainText('WAL');
  const grid = view.grid('Rows of t');
  await expect(grid.cell(0, 'name')).toHaveText('in the file');
  await expect(grid.cell(2, 'name')).toHaveText('in the WAL too');
});

test('a file that vanished is named', async ({ app, page }) => {
  const file = makeDatabase(join(app.folder, 'gone.db'), { kind: 'every-type' });
  const view = new AppWindow(page);
  rmSync(file);
  await view.openFile(app, file);
  await expect(view.dialog.or(view.messages)).toContainText(/gone\.db/);
});

test('an export to a folder that takes no files says so', async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'fine.db'), { kind: 'every-type' }));
  await view.opened('fine');
  const notAFolder = join(app.folder, 'file');
  writeFileSync(notAFolder, '');
  chmodSync(notAFolder, 0o444);
  await app.answerSaveDialog(join(notAFolder, 'out.db'));
  await view.command('Export as SQLite File');
  await expect(view.dialog.or(view.messages).last()).toContainText(/out\.db|folder/);
});

test('text that is no UTF-8, or has a NUL inside, is shown and kept', async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'texts.db'), { kind: 'bad-text' }));
  await view.opened('texts');
  const grid = view.grid('Rows of texts');
  await expect(grid.cell(0, 'value')).toHaveText('foo\ufffdbar');
  await expect(grid.cell(2, 'value')).toHaveAttribute('data-storage-class', 'text');
});
