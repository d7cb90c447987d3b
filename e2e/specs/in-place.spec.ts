// Files opened where they lie: edited in the file itself, together with other programs, by an engine that may die.
import { readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { query } from '../support/compare-results.ts';
import { enginePid, killEngine } from '../support/engine-process.ts';
import { makeShop, openShop, SHOP } from '../support/shop-in-place.ts';

test(
  'opening asks which way until the answer is to be remembered, and Enter takes the first offer',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'ask';
    const file = makeShop(idleApp);
    const view = new AppWindow(await idleApp.start());
    await view.openFile(idleApp, file);
    await expect(view.dialog.getByRole('button', { name: 'Library copy' })).toBeFocused();
    await view.page.keyboard.press('Enter');
    await view.opened('shop');
    await expect(view.status).not.toContainText('In place');
    await view.openFile(idleApp, file);
    await expect(view.dialog).toContainText('not past what other programs wrote');
    await view.dialog.getByRole('checkbox').check();
    await view.dialog.getByRole('button', { name: 'In place' }).click();
    await view.opened('shop.db');
    await expect(view.status).toContainText('In place');
    await view.openFile(idleApp, makeShop(idleApp, 'second.db'));
    await view.opened('second.db');
    await expect(view.status).toContainText('second.db');
    await view.page.keyboard.press('Control+l');
    await expect(view.page.getByRole('row', { name: 'second.db', exact: true })).toContainText('in place');
  },
);

test('the file itself is browsed, edited, queried and exported', async ({ idleApp }) => {
  const { file, other, view, grid } = await openShop(idleApp);
  await grid.edit(0, 'name', 'emu');
  await expect(grid.cell(0, 'name')).toHaveText('emu');
  await expect.poll(() => query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['emu']]);
  const target = join(idleApp.folder, 'export.db');
  await view.backUpTo(idleApp, target);
  expect(query(target, 'SELECT name FROM item ORDER BY id')).toEqual([['emu'], ['bee'], ['cat']]);
  await view.runSql(`
    WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000) INSERT INTO item (name) SELECT 'n' || x FROM c;
    SELECT count(*) AS n FROM item;`);
  await expect(view.grid('Result 1').cell(0, 'n')).toHaveText('1003');
  other.close();
});

test('durability of a file in place is chosen as for others, and remembered', { tag: '@long' }, async ({ idleApp }) => {
  const { other, view } = await openShop(idleApp);
  other.close();
  await view.status.getByRole('button', { name: 'Durability: full' }).click();
  await view.page
    .getByRole('menuitemradio', { name: /^Balanced/ })
    .or(view.page.getByRole('menuitem', { name: /^Balanced/ }))
    .click();
  await expect(view.status).toContainText('durability balanced');
  await killEngine(idleApp);
  await expect(view.messages).toContainText('native engine was restarted');
  await view.runSql('PRAGMA synchronous');
  await expect(view.grid('Result 1').cell(0, 'synchronous')).toHaveText('1');
  const again = new AppWindow(await idleApp.relaunch());
  await again.opened('shop.db');
  await expect(again.status).toContainText('durability balanced');
  await again.runSql('PRAGMA synchronous');
  await expect(again.grid('Result 1').cell(0, 'synchronous')).toHaveText('1');
});

test('what is in the WAL only is in view, and its checkpoint', { tag: '@long' }, async ({ idleApp }) => {
  const { other, view, grid } = await openShop(idleApp);
  // Keeps the WAL from being emptied.
  other.exec('BEGIN; SELECT * FROM item');
  other.prepare('SELECT count(*) FROM item').get();
  await grid.edit(0, 'name', 'emu');
  const wal = view.status.getByRole('button', { name: /^WAL: / });
  await expect(wal).toHaveAccessibleName(/^WAL: [\d.]+ [KM]?B/);
  other.exec('COMMIT');
  other.close();
  await grid.edit(1, 'name', 'fox');
  await expect(wal).toHaveAccessibleName('WAL: empty', { timeout: 15_000 });
  await wal.click();
  await expect(view.dialog).toContainText('everything is in the file');
});

test('a file that was moved away or replaced while it is open is said, and nothing is written', async ({ idleApp }) => {
  const { file, other, view, grid } = await openShop(idleApp, 'delete');
  other.close();
  renameSync(file, `${file}.moved`);
  await expect(view.status).toContainText('read-only');
  await expect(grid.cell(2, 'name')).toHaveText('cat');
  renameSync(`${file}.moved`, file);
  await expect(view.status).not.toContainText('read-only');
  await grid.edit(0, 'name', 'emu');
  await expect.poll(() => query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['emu']]);
  const newer = makeDatabase(join(idleApp.folder, 'newer.db'), { kind: 'sql', sql: `${SHOP} DELETE FROM item;` });
  renameSync(newer, file);
  await expect(view.status).toContainText('read-only');
  await view.runSql("INSERT INTO item (name) VALUES ('lost?');");
  await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText(
    'The file that is open here was replaced',
  );
  expect(query(file, 'SELECT count(*) FROM item')).toEqual([[0]]);
});

test('what is no database is refused in words, and is not put on the list', async ({ idleApp }) => {
  idleApp.opensFiles = 'in-place';
  const view = new AppWindow(await idleApp.start(makeDatabase(join(idleApp.folder, 'notes.db'), { kind: 'text' })));
  await expect(view.messages).toContainText('not an SQLite database');
  await view.page.keyboard.press('Control+l');
  await expect(view.page.getByText('The library is empty')).toBeVisible();
});

test('what is missing at the next start is asked about', { tag: '@long' }, async ({ idleApp }) => {
  const { file, other, view } = await openShop(idleApp, 'delete');
  other.close();
  await expect(view.status).toContainText('In place');
  await idleApp.quit();
  rmSync(file);
  const again = new AppWindow(await idleApp.start());
  await again.connected();
  await expect(again.messages).toContainText('no longer at');
  await again.page.keyboard.press('Control+l');
  await again.page.getByRole('row', { name: 'shop.db', exact: true }).dblclick();
  await expect(again.dialog).toContainText('was not found');
  await again.dialog.getByRole('button', { name: 'Remove from list' }).click();
  await expect(again.page.getByRole('row', { name: 'shop.db', exact: true })).toHaveCount(0);
});

test('a database of 50 GB opens without being read', { tag: '@long' }, async ({ idleApp }) => {
  idleApp.opensFiles = 'in-place';
  const file = makeShop(idleApp, 'huge.db');
  // The pages past the end of what SQLite knows are holes: it is a sparse file.
  truncateSync(file, 50 * 1024 ** 3);
  const view = new AppWindow(await idleApp.start());
  await view.connected();
  await view.openFile(idleApp, file);
  await view.opened('huge.db');
  await expect(view.grid().cell(0, 'name')).toHaveText('ant');
  // Only Linux tells what a process has read: here everything since its start, its own program included.
  if (process.platform !== 'linux') return;
  for (const pid of [idleApp.electron.process().pid, await enginePid(idleApp)]) {
    const [, bytes] = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))!;
    expect(Number(bytes)).toBeLessThan(1e9);
  }
});
