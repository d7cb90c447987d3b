// Files that are not sound: each gets a clear sentence, and what was there before stays.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSpec } from '../data/make-database.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

/** One refused for its beginning, one only when SQLite reads its schema. The others: `worker/library/file-header.test.ts`. */
const REFUSED: readonly (readonly [string, DatabaseSpec, RegExp])[] = [
  ['encrypted', { kind: 'encrypted' }, /encrypted/],
  ['newer', { kind: 'newer', what: 'schema' }, /newer/],
];

test('files that are not sound get a clear sentence, and what was there stays', async ({ app, page }) => {
  const view = new AppWindow(page);
  const open = async (name: string, spec: DatabaseSpec): Promise<void> =>
    view.openFile(app, makeDatabase(join(app.folder, `${name}.db`), spec));

  for (const [name, spec, sentence] of REFUSED)
    await test.step(`a file that is ${name} is refused with a reason`, async () => {
      await open(name, spec);
      await expect(view.dialog).toContainText(sentence);
      await view.dialog.getByRole('button', { name: /^(?:OK|Cancel)$/ }).click();
      await expect(view.dialog).toHaveCount(0);
    });

  await test.step('a file that vanished is named', async () => {
    const file = makeDatabase(join(app.folder, 'gone.db'), { kind: 'every-type' });
    rmSync(file);
    await view.openFile(app, file);
    await expect(view.dialog.or(view.messages)).toContainText(/gone\.db/);
    await view.dialog.getByRole('button', { name: 'OK' }).click();
  });

  await test.step('a WAL beside the file is taken in, and that is said', async () => {
    await open('wal', { kind: 'wal-beside' });
    await view.opened('wal');
    await expect(view.messages).toContainText('WAL');
    const grid = view.grid('Rows of t');
    await expect(grid.cell(0, 'name')).toHaveText('in the file');
    await expect(grid.cell(2, 'name')).toHaveText('in the WAL too');
    await page.keyboard.press('Control+l');
    await expect(page.getByRole('row', { name: 'wal', exact: true })).toBeVisible();
    for (const [name] of REFUSED) await expect(page.getByRole('row', { name, exact: true })).toHaveCount(0);
  });

  await test.step('text that is no UTF-8, or has a NUL inside, is shown and kept', async () => {
    await open('texts', { kind: 'bad-text' });
    await view.opened('texts');
    const grid = view.grid('Rows of texts');
    await expect(grid.cell(0, 'value')).toHaveText('foo\ufffdbar');
    await expect(grid.cell(2, 'value')).toHaveAttribute('data-storage-class', 'text');
  });

  await test.step('an export to a folder that takes no files says so', async () => {
    const notAFolder = join(app.folder, 'file');
    writeFileSync(notAFolder, '');
    chmodSync(notAFolder, 0o444);
    await app.answerSaveDialog(join(notAFolder, 'out.db'));
    await view.backUp();
    await expect(view.dialog.or(view.messages).last()).toContainText(/out\.db|folder/);
  });
});

for (const [kind, tag] of [
  ['corrupt', []],
  ['truncated', ['@long']],
] as const) {
  test(`a ${kind} file can be recovered as far as it is readable`, { tag: [...tag] }, async ({ app, page }) => {
    const view = new AppWindow(page);
    await view.openFile(app, makeDatabase(join(app.folder, 'hurt.db'), { kind }));
    await expect(view.dialog).toContainText('is damaged');
    await view.dialog.getByRole('button', { name: 'Recover what can be read' }).click();
    await expect(view.dialog).toContainText('Recovered from');
    await expect(view.dialog).toContainText(/big: [\d,]+ rows/);
    await view.dialog.getByRole('button', { name: 'OK' }).click();
    await expect(view.grid('Rows of big').cell(0, 'name')).toHaveText(/row number/);
  });
}
