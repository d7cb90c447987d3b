// Rows that others refer to: what prevents a deletion is named, shown, and deleted, too, on request.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const MUSIC = `
  CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT);
  CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, ArtistId INTEGER NOT NULL REFERENCES Artist);
  INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Accept');
  INSERT INTO Album VALUES (1, 1), (2, 1), (3, 2);`;

for (const mode of ['copy', 'in-place'] as const)
  test(
    `a row that others refer to is not deleted, and the message leads to these rows (${mode})`,
    { tag: mode === 'in-place' ? '@long' : [] },
    async ({ idleApp }) => {
      idleApp.opensFiles = mode;
      await deleteParents(idleApp);
    },
  );

async function deleteParents(idleApp: SideliteApp): Promise<void> {
  const file = makeDatabase(join(idleApp.folder, 'music.db'), { kind: 'sql', sql: MUSIC });
  const view = new AppWindow(await idleApp.start(file));
  const { page } = view;
  await view.opened('music');
  const artists = await view.openTable('Artist');
  const failure = page
    .getByRole('alert')
    .filter({ hasText: '“Album” has 2 rows with “ArtistId” 1. Nothing was changed.' });

  await test.step('the rows are shown, and the message goes with its tab', async () => {
    await artists.click(0, 'Name');
    await page.keyboard.press('Control+Backspace');
    await failure.getByRole('button', { name: 'Show them' }).click();
    const albums = view.grid('Rows of Album');
    await expect(albums.cell(1, 'AlbumId')).toHaveText('2');
    await expect(albums.rows).toHaveCount(2);
    await view.tabs.filter({ hasText: 'Artist' }).click();
    await artists.click(0, 'Name');
    await page.keyboard.press('Control+Backspace');
    await expect(failure).toBeVisible();
    // A newer message leaves it whole.
    await page.keyboard.press('Delete');
    await expect(view.messages).toContainText('deletes their rows');
    expect(await failure.locator('.toast-text').evaluate((it) => it.scrollWidth > it.clientWidth)).toBe(false);
    await page.keyboard.press('Control+w');
    await expect(failure).toHaveCount(0);
  });

  await test.step('both are deleted in one step, which Undo reverses', async () => {
    await view.openTable('Artist');
    await artists.click(0, 'Name');
    await page.keyboard.press('Control+Backspace');
    await failure.getByRole('button', { name: 'Delete them, too' }).click();
    const done = page.getByRole('status').filter({ hasText: 'Deleted 1 row of Artist and 2 rows of Album.' });
    await expect(artists.cell(0, 'Name')).toHaveText('Accept');
    await done.getByRole('button', { name: 'Undo' }).click();
    await expect(artists.cell(0, 'Name')).toHaveText('AC/DC');
  });
}
