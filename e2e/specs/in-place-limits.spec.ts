// Files in place where less is possible: on a disk that cannot be written to or is full, and without the native engine.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Sqlite from 'better-sqlite3';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { makeShop } from '../support/shop-in-place.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const isRoot = process.getuid?.() === 0;

test.describe('on a disk of its own', () => {
  test.skip(!isRoot, 'only root can mount a disk');
  let disk = '';

  const mount = (app: SideliteApp, megabytes = 4): string => {
    disk = join(app.folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk]);
    return disk;
  };
  const remount = (option: 'ro' | 'rw'): unknown => execFileSync('mount', ['-o', `remount,${option}`, disk]);

  test.afterEach(async ({ idleApp }) => {
    if (idleApp.running) await idleApp.quit();
    if (disk) execFileSync('umount', ['-l', disk]);
    disk = '';
  });

  async function openOn(
    app: SideliteApp,
    file: string,
    opensFiles: 'in-place' | null = 'in-place',
  ): Promise<AppWindow> {
    app.opensFiles = opensFiles;
    const view = new AppWindow(await app.start());
    await view.openFile(app, file);
    return view;
  }

  test('a file that can only be read is read, and writing is refused with the reason', async ({ idleApp }) => {
    const file = join(mount(idleApp), 'shop.db');
    copyFileSync(makeShop(idleApp, 'made.db'), file);
    remount('ro');
    const view = await openOn(idleApp, file);
    await view.opened('shop.db');
    const grid = await view.openTable('item');
    await expect(grid.cell(2, 'name')).toHaveText('cat');
    await expect(view.status).toContainText('read-only');
    await view.runSql("UPDATE item SET name = 'emu'");
    await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText('a read-only disk');
    expect(query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['ant']]);
  });

  for (const [opensFiles, outcome] of [
    ['in-place', 'is refused with the way out'],
    [null, 'becomes a copy where nothing is asked'],
  ] as const)
    test(`a file in WAL mode in a folder that can only be read ${outcome}`, { tag: '@long' }, async ({ idleApp }) => {
      const file = join(mount(idleApp), 'shop.db');
      copyFileSync(makeShop(idleApp, 'made.db'), file);
      const maker = new Sqlite(file);
      maker.pragma('journal_mode = wal');
      maker.close();
      remount('ro');
      const view = await openOn(idleApp, file, opensFiles);
      await expect(view.messages).toContainText('It is in WAL mode');
      if (opensFiles === null) await expect(view.database).toHaveText(/library copy of shop\.db/);
      else await expect(view.messages).toContainText('Copy it into the library instead');
    });

  test(
    'a full disk takes nothing back that was committed, and writing works again when there is room',
    { tag: '@long' },
    async ({ idleApp }) => {
      const file = join(mount(idleApp), 'shop.db');
      copyFileSync(makeShop(idleApp, 'made.db'), file);
      const view = await openOn(idleApp, file);
      await view.opened('shop.db');
      await view.runSql("INSERT INTO item (name) VALUES ('kept')");
      writeFileSync(join(disk, 'filler'), new Uint8Array(3 << 20));
      await view.runSql('INSERT INTO item (name) SELECT hex(zeroblob(2000000))');
      await expect(view.page.getByRole('list', { name: 'Messages' }).last()).toContainText('disk is full');
      await expect(view.status).toContainText('read-only');
      rmSync(join(disk, 'filler'));
      await view.runSql("INSERT INTO item (name) VALUES ('afterwards')");
      await expect(view.status).not.toContainText('read-only');
      expect(integrityOf(file)).toBe('ok');
      expect(query(file, 'SELECT name FROM item WHERE id > 3 ORDER BY id')).toEqual([['kept'], ['afterwards']]);
    },
  );
});

test.describe('on a network drive', () => {
  test.skip(!isRoot || !existsSync('/usr/bin/bindfs'), 'needs root, and bindfs to stand for a drive');

  test(
    'its kind is said, and so is a server that is gone; nothing committed is lost, and the app goes on',
    { tag: '@long' },
    async ({ idleApp }) => {
      const [server, drive] = ['server', 'drive'].map((name) => join(idleApp.folder, name)) as [string, string];
      for (const folder of [server, drive]) mkdirSync(folder);
      const connect = (): ChildProcess =>
        spawn('bindfs', ['-f', '-o', 'subtype=sshfs', server, drive], { stdio: 'ignore' });
      const isConnected = (): boolean => readFileSync('/proc/self/mounts', 'utf8').includes(` ${drive} fuse.sshfs `);
      const process = connect();
      try {
        await expect.poll(isConnected).toBe(true);
        copyFileSync(makeShop(idleApp, 'made.db'), join(drive, 'shop.db'));
        idleApp.opensFiles = 'in-place';
        const view = new AppWindow(await idleApp.start(join(drive, 'shop.db')));
        await view.opened('shop.db');
        await expect(view.status).toContainText('network drive (SSHFS)');
        await view.openTable('item');
        await view.runSql("UPDATE item SET name = 'emu' WHERE id = 3");
        process.kill('SIGKILL');
        await expect(view.status).toContainText('read-only');
        await view.runSql("UPDATE item SET name = 'lost' WHERE id = 3");
        await expect(view.page.getByRole('list', { name: 'Messages' }).last()).toContainText(
          /does not respond|The file system reported an error/,
        );
        await view.page.getByRole('tab', { name: 'item' }).click();
        await expect(view.page.getByText(/^The file system reported an error/).first()).toBeVisible();
        await expect(view.status).toContainText('network drive (SSHFS)');
        expect(query(join(server, 'shop.db'), 'SELECT name FROM item WHERE id = 3')).toEqual([['emu']]);
        await idleApp.quit();
      } finally {
        process.kill('SIGKILL');
        if (isConnected()) execFileSync('umount', ['-l', drive]);
      }
    },
  );
});

test(
  'a value that the native engine cannot read leaves the other values of its table readable',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const file = makeShop(idleApp);
    // This SQLite stores values of up to 1 GB.
    const maker = new DatabaseSync(file);
    maker.exec('ALTER TABLE item ADD COLUMN film; UPDATE item SET film = zeroblob(560000000) WHERE id = 2');
    maker.close();
    const view = new AppWindow(await idleApp.start());
    await view.openFile(idleApp, file);
    await view.opened('shop.db');
    const grid = await view.openTable('item');
    await expect(grid.cell(2, 'name')).toHaveText('cat');
    await expect(grid.cell(1, 'film')).toContainText('560 MB');
    await grid.click(1, 'film');
    const details = view.page.getByRole('complementary', { name: 'Details' });
    await expect(details).toContainText('A value is larger than this engine supports (512 MB)');
    await expect(details).not.toContainText('The first');
    // Sort in another order. SQLite writes a row as a whole, so the other values beside it cannot be changed, either.
    await grid.clickHeader('name');
    await grid.clickHeader('name');
    await expect(grid.cell(0, 'name')).toHaveText('cat');
    await grid.edit(0, 'name', 'cow');
    await expect(grid.cell(0, 'name')).toHaveText('cow');
    expect(query(file, 'SELECT name FROM item WHERE id = 3')).toEqual([['cow']]);
    // A result says the same in its place.
    await view.runSql('SELECT * FROM item ORDER BY id DESC');
    const result = view.grid('Rows of result 1');
    await expect(result.cell(0, 'name')).toHaveText('cow');
    await expect(result.cell(1, 'film')).toContainText('560 MB');
    await view.runSql('SELECT DISTINCT film FROM item');
    await expect(view.page.getByText('Leave its column out, or read a part of it with substr().')).toBeVisible();
  },
);

test.describe('without the native engine', () => {
  for (const { name, opensFiles, sabotage, why } of [
    {
      name: 'its binary is for another system',
      opensFiles: 'in-place',
      sabotage: "process.dlopen = () => { throw new Error('invalid ELF header'); };",
      why: 'invalid ELF header',
    },
    {
      name: 'the runtime is too old for it',
      // A copy is opened instead.
      opensFiles: null,
      sabotage: "Object.defineProperty(process.versions, 'napi', { value: '7' });",
      why: 'Node-API 7',
    },
  ] as const) {
    test(`the app works with the library alone and says why: ${name}`, { tag: '@long' }, async ({ idleApp }) => {
      const script = join(idleApp.folder, 'sabotage.cjs');
      writeFileSync(script, sabotage);
      idleApp.opensFiles = opensFiles;
      const file = makeShop(idleApp);
      const view = new AppWindow(await idleApp.start());
      // The native engine's process gets it; main itself has started already.
      await idleApp.electron.evaluate((_electron, options) => {
        process.env['NODE_OPTIONS'] = options;
      }, `--require ${script}`);
      await view.openFile(idleApp, file);
      await expect(view.messages).toContainText(why);
      await expect(view.messages).toContainText('Databases of the library work without it');
      if (opensFiles === null) await expect(view.database).toHaveText(/library copy of shop\.db/);
      await view.command('Create Sample Database');
      await expect(view.database).toContainText(/sample/i, { timeout: 30_000 });
      await view.runSql('SELECT 1 AS one');
      await expect(view.grid('Result 1').cell(0, 'one')).toHaveText('1');
    });
  }
});
