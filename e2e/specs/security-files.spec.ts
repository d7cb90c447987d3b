// Who may read what the app writes: files that are saved over, and everything in the profile.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import { openShop } from '../support/shop-in-place.ts';

test.use({ isAlone: true });

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('a private file that is saved over, and its backup, stay private', async ({ idleApp }) => {
  const source = makeDatabase(join(idleApp.folder, 'notes.db'), {
    kind: 'sql',
    sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note VALUES (1, 'one')",
  });
  chmodSync(source, 0o600);
  const view = new AppWindow(await idleApp.start(source));
  const grid = await view.openTable('note');
  await grid.edit(0, 'body', 'secret');
  await expect(grid.cell(0, 'body')).toHaveText('secret');
  await view.page.keyboard.press('Control+s');
  await expect(view.messages).toContainText('notes.db.bak');
  expect(query(source, 'SELECT body FROM note')).toEqual([['secret']]);
  expect([modeOf(source), modeOf(`${source}.bak`)]).toEqual(['600', '600']);
});

test('nothing in the profile that tells of files or rows is readable by others', async ({ idleApp }) => {
  const { file, other, view, grid } = await openShop(idleApp);
  chmodSync(file, 0o644);
  await grid.edit(0, 'name', 'emu');
  await expect.poll(() => query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['emu']]);
  await expect(view.status).toContainText('In place');
  // Files that SQLite keeps beside a file of the user's have the permissions of that file, not ours.
  expect(modeOf(`${file}-wal`)).toBe('644');
  const history = join(idleApp.profile, 'history-of-files');
  await expect.poll(() => readdirSync(history).length).toBeGreaterThan(0);
  const ours = (): readonly string[] =>
    readdirSync(idleApp.profile)
      // The settings were made by this test, not by the app.
      .filter((name) => /\.(json|log)$|^running$/.test(name) && name !== 'settings.json')
      .map((name) => join(idleApp.profile, name));
  await expect.poll(() => ours().length).toBeGreaterThan(2);
  const kept = readdirSync(history, { recursive: true, encoding: 'utf8' }).map((name) => join(history, name));
  for (const path of [...ours(), ...kept])
    expect([path, modeOf(path)]).toEqual([path, statSync(path).isDirectory() ? '700' : '600']);
  expect(modeOf(history)).toBe('700');
  other.close();
});
