// Printing: filtered rows as a PDF file, a result in the window of a document, with text from the database that is no markup.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

const PATIENT = { timeout: 30_000 };

const SONGS = `CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT, seconds REAL);
  INSERT INTO song VALUES (1, '<img src=x onerror="document.title=1">', 3.5), (2, NULL, 200), (3, 'Ant' || char(10) || 'Bee', 12);
  WITH RECURSIVE c (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM c WHERE i < 120) INSERT INTO song SELECT i, 'Song ' || i, i FROM c;`;

test('rows are saved as a PDF, and the pages of a result are shown to be printed', async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'songs.db'), { kind: 'sql', sql: SONGS });
  const view = new AppWindow(await idleApp.start(file));
  const { page, dialog } = view;
  await view.opened('songs');
  await view.openTable('song');
  await view.command('Print…');
  const what = dialog.getByLabel('What to print');
  await expect(what).toBeFocused();
  await expect(what.getByRole('option')).toHaveText(['All rows of song', 'Schema']);
  await expect(dialog).toContainText('At most 5,000 rows and 40 columns, and 50,000 cells.');
  expect(await findings(page, 'print', 'light')).toEqual([]);
  const target = join(idleApp.folder, 'song.pdf');
  await idleApp.answerSaveDialog(target);
  await dialog.getByRole('button', { name: 'Save as PDF…' }).click();
  await expect(view.messages).toContainText(/The pages were saved to song\.pdf \(.+ KB\)\./, PATIENT);
  const pdf = readFileSync(target, 'latin1');
  expect(pdf.slice(0, 5)).toBe('%PDF-');
  expect(pdf.match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(1);

  await view.runSql('SELECT title FROM song WHERE id < 4');
  await expect(view.grid('Result 1').cell(0, 'title')).toContainText('<img src=x');
  await view.command('Print…');
  await expect(what).toHaveValue('0');
  await dialog.getByRole('button', { name: 'Show pages and print…' }).click();
  const titles = (): Promise<string[]> =>
    idleApp.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .filter((window) => window.webContents.getURL().startsWith('document:'))
        .map((window) => window.getTitle()),
    );
  await expect.poll(titles, PATIENT).toEqual(['result · songs']);

  // A long value beside them does not break the names of narrow columns.
  await idleApp.electron.evaluate(({ app }) => {
    const countLines = `[...document.querySelectorAll('th')].map((name) => {
      const text = document.createRange();
      text.selectNodeContents(name);
      return text.getClientRects().length;
    })`;
    app.on('web-contents-created', (_event, contents) => {
      const print = contents.printToPDF.bind(contents);
      contents.printToPDF = async (options) => {
        Object.assign(globalThis, { linesOfNames: await contents.executeJavaScript(countLines) });
        return print(options);
      };
    });
  });
  await view.runSql('SELECT id, 1 AS customer, hex(zeroblob(200)) AS long FROM song WHERE id < 4');
  await view.command('Print…');
  await dialog.getByRole('button', { name: 'Show pages and print…' }).click();
  const lines = (): Promise<unknown> =>
    idleApp.electron.evaluate(() => (globalThis as { linesOfNames?: unknown }).linesOfNames);
  await expect.poll(lines, PATIENT).toEqual([1, 1, 1]);

  await view.command('Show Diagram');
  await expect(page.getByRole('button', { name: 'Export diagram' })).toBeEnabled();
  await view.command('Print…');
  await expect(what.getByRole('option')).toHaveText(['Diagram', 'Schema']);
  const picture = join(idleApp.folder, 'diagram.pdf');
  await idleApp.answerSaveDialog(picture);
  await dialog.getByRole('button', { name: 'Save as PDF…' }).click();
  await expect(view.messages).toContainText(/The pages were saved to diagram\.pdf/, PATIENT);
  const diagram = readFileSync(picture, 'latin1');
  // The picture stays one of shapes and letters: a bitmap of it would be an image.
  expect(diagram.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(diagram).not.toContain('/Subtype /Image');
});
