// Tests of what happens without room: a disk that is full in the middle of an import and of a write, values beyond SQLite's limit.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { integrityOf, query } from '../support/compare-results.ts';

test.use({ isAlone: true });

const TABLE = "CREATE TABLE log (id INTEGER PRIMARY KEY, data); INSERT INTO log (data) VALUES ('first');";
const isRoot = process.getuid?.() === 0;

// Disks and memory have to be filled first.
test.setTimeout(180_000);

/** A disk of its own for the profile, so small that it is soon full. Only root can mount one. */
function mountSmallDisk(folder: string, megabytes: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
}

test.describe('on a small disk', () => {
  test.skip(!isRoot, 'only root can mount a disk of a given size');

  test.beforeEach(({ idleApp }) => mountSmallDisk(idleApp.profile, 120));
  test.afterEach(async ({ idleApp }) => {
    if (idleApp.running) await idleApp.quit();
    execFileSync('umount', ['-l', idleApp.profile]);
  });

  test('an import that does not fit is refused and leaves nothing', { tag: '@long' }, async ({ idleApp }) => {
    const small = makeDatabase(join(idleApp.folder, 'small.db'), { kind: 'sql', sql: TABLE });
    const view = new AppWindow(await idleApp.start(small));
    await view.opened('small');
    const big = makeDatabase(join(idleApp.folder, 'big.db'), { kind: 'big', rows: 3_000_000 });
    await view.openFile(idleApp, big);
    await expect(view.dialog).toContainText(/full/, { timeout: 60_000 });
    await view.dialog.getByRole('button', { name: 'OK' }).click();
    const grid = await view.openTable('log');
    await grid.edit(0, 'data', 'still writable');
    await expect(grid.cell(0, 'data')).toHaveText('still writable');
    await view.page.keyboard.press('Control+l');
    await expect(view.page.getByRole('row', { name: 'big', exact: true })).toHaveCount(0);
  });

  test(
    'a write that does not fit changes nothing, and works again when there is room',
    { tag: '@long' },
    async ({ idleApp }) => {
      const view = new AppWindow(
        await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
      );
      const grid = await view.openTable('log');
      const ballast = join(idleApp.profile, 'ballast');
      await view.runSql('SELECT 1;');
      try {
        writeFileSync(ballast, Buffer.alloc(200_000_000));
      } catch {
        // That is the point: the disk is full now.
      }
      await view.writeSql('INSERT INTO log (data) SELECT randomblob(30000000);');
      await view.page.keyboard.press('F5');
      await expect(view.page.getByRole('list', { name: 'Messages' }).getByRole('alert')).toContainText(/full|disk/i);
      rmSync(ballast);
      await view.tabs.first().click();
      await expect(grid.cell(0, 'data')).toHaveText('first');
      await grid.edit(0, 'data', 'room again');
      await expect(grid.cell(0, 'data')).toHaveText('room again');
      const target = join(idleApp.folder, 'after.db');
      await view.backUpTo(idleApp, target);
      expect(integrityOf(target)).toBe('ok');
      expect(query(target, 'SELECT data FROM log')).toEqual([['room again']]);
    },
  );
});

test(
  'a value beyond the limit of SQLite is refused in words, and nothing is lost',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = new AppWindow(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
    );
    const grid = await view.openTable('log');
    await view.writeSql('UPDATE log SET data = zeroblob(1100000000);');
    await view.page.keyboard.press('F5');
    await expect(view.page.getByRole('list', { name: 'Messages' }).getByRole('alert')).toContainText(
      /too big|larger|limit/i,
    );
    await view.tabs.first().click();
    await expect(grid.cell(0, 'data')).toHaveText('first');
  },
);

test(
  'more than the memory of the engine is refused in words, changes nothing, and everything goes on',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = new AppWindow(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
    );
    const grid = await view.openTable('log');
    // A sort holds its rows: 60 of 50 MB are past 2 GiB.
    const hungry =
      'INSERT INTO log (data) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60) SELECT b FROM (SELECT zeroblob(50000000) || i AS b FROM n ORDER BY random());';
    await view.writeSql(hungry);
    await view.page.keyboard.press('F5');
    const alert = view.page.getByRole('list', { name: 'Messages' }).getByRole('alert');
    await expect(alert).toContainText('not enough memory', { timeout: 60_000 });
    await expect(view.status).toContainText('read-only');
    await view.tabs.first().click();
    await expect(grid.cell(0, 'data')).toHaveText('first');
    await grid.edit(0, 'data', 'still here');
    await expect(grid.cell(0, 'data')).toHaveText('still here');
    await expect(view.status).not.toContainText('read-only');
    const target = join(idleApp.folder, 'after.db');
    await view.backUpTo(idleApp, target);
    expect(integrityOf(target)).toBe('ok');
    expect(query(target, 'SELECT data FROM log')).toEqual([['still here']]);
  },
);
