// The whole story on a database from the wild: opened, edited, restarted, exported, and compared outside the app.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { contentsOf, integrityOf, query } from '../support/compare-results.ts';

const CHINOOK = resolve(import.meta.dirname, '../../../shared/data/chinook.sqlite');

test('Chinook is opened, edited, restarted and exported; only the edit differs', async ({ idleApp }) => {
  test.skip(!existsSync(CHINOOK), 'the Chinook database is not beside the project');
  const view = new AppWindow(await idleApp.start(CHINOOK));
  const grid = await view.openTable('Album');
  await expect(grid.cell(0, 'Title')).toHaveText('For Those About To Rock We Salute You');
  await grid.edit(0, 'Title', 'Edited, exactly once');
  await expect(grid.cell(0, 'Title')).toHaveText('Edited, exactly once');

  const again = new AppWindow(await idleApp.relaunch());
  await again.opened('chinook');
  await expect(again.grid('Rows of Album').cell(0, 'Title')).toHaveText('Edited, exactly once');
  const target = join(idleApp.folder, 'exported.sqlite');
  await again.backUpTo(idleApp, target);

  expect(integrityOf(target)).toBe('ok');
  const [before, after] = [contentsOf(CHINOOK), contentsOf(target)];
  expect(after.schema).toEqual(before.schema);
  for (const [name, rows] of Object.entries(before.tables)) {
    if (name !== 'Album') expect(after.tables[name], name).toEqual(rows);
  }
  expect(after.tables['Album']!.slice(1)).toEqual(before.tables['Album']!.slice(1));
  const row = 'SELECT AlbumId, Title, ArtistId FROM Album WHERE AlbumId = 1';
  expect(query(target, row)).toEqual([[1, 'Edited, exactly once', 1]]);
});
