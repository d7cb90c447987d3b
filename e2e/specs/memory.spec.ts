// One memory for all databases: more are opened than would fit into it, those that no window shows give theirs back, and what needs more
// than there is says so.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { makeShop, SHOP } from '../support/shop-in-place.ts';

test.use({ isAlone: true });

/** 300 MB for SQLite instead of 2 GB (pages of 64 KB): V8 refuses more, as the module's own limit does. */
const LITTLE_MEMORY = '--js-flags=--wasm-max-mem-pages=4800';
const PATIENT = { timeout: 60_000 };

/** More than the page cache of one database. */
const BIG = `CREATE TABLE picture (id INTEGER PRIMARY KEY, name TEXT, data BLOB);
  WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 70000)
  INSERT INTO picture (name, data) SELECT 'picture ' || i, zeroblob(950) FROM n;`;
const COUNT = 6;

test(
  'more databases are opened than fit into memory, and what needs too much says what to do',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(240_000);
    const files = Array.from({ length: COUNT }, (_, number) => join(idleApp.folder, `big${number}.db`));
    makeDatabase(files[0]!, { kind: 'sql', sql: BIG });
    for (const file of files.slice(1)) cpSync(files[0]!, file);
    const view = new AppWindow(await idleApp.start(LITTLE_MEMORY, files[0]!));
    const readAll = async (name: string): Promise<void> => {
      await view.opened(name);
      await view.runSql('SELECT sum(length(hex(name))) AS total, sum(length(data)) FROM picture;');
      await expect(view.grid(/^Rows of result/).cell(0, 'sum(length(data))')).toHaveText('66500000', PATIENT);
    };
    await readAll('big0');
    const grid = await view.openTable('picture');
    await grid.edit(0, 'name', 'edited');
    await expect(grid.cell(0, 'name')).toHaveText('edited');
    for (const [number, file] of files.entries()) {
      if (number === 0) continue;
      await view.openFile(idleApp, file);
      await readAll(`big${number}`);
    }

    // Sorted as a whole, with every value a hundred times as long: far more than all there is.
    await view.writeSql("SELECT replace(hex(zeroblob(4000)), '0', name) AS h FROM picture ORDER BY h;");
    await view.page.keyboard.press('F5');
    const failure = view.page.getByRole('list', { name: 'Messages' }).getByRole('alert');
    await expect(failure).toContainText('There is not enough memory for this.', PATIENT);
    await expect(failure).toContainText(/try again|needs more than is available/);
    await view.openFromLibrary('big0');
    await view.page.getByRole('tab', { name: 'picture' }).first().click();
    await expect(grid.cell(0, 'name')).toHaveText('edited');
    await grid.click(0, 'name');
    await view.page.keyboard.press('Control+z');
    await expect(grid.cell(0, 'name')).toHaveText('picture 1');
    await view.openFromLibrary(`big${COUNT - 1}`);
    await view.runSql(
      "UPDATE picture SET name = 'still writable' WHERE id = 1; SELECT name FROM picture WHERE id = 1;",
    );
    await expect(view.grid(/^Rows of result/).cell(0, 'name')).toHaveText('still writable');
  },
);

test(
  'files that no window shows are closed; one that comes back has its history, its results, and what others wrote',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(180_000);
    idleApp.opensFiles = 'in-place';
    const file = makeShop(idleApp, 'shop.db');
    const other = new Sqlite(file);
    other.pragma('journal_mode = wal');
    other.close();
    const view = new AppWindow(await idleApp.start(file));
    await view.opened('shop.db');
    const grid = await view.openTable('item');
    await grid.edit(0, 'name', 'mine');
    await expect(grid.cell(0, 'name')).toHaveText('mine');
    await view.runSql('SELECT name FROM item ORDER BY id;');
    const result = view.grid(/^Rows of result/);
    await expect(result.cell(0, 'name')).toHaveText('mine');
    await expect(view.page.getByRole('button', { name: 'Live', exact: true })).toBeVisible();
    expect(existsSync(`${file}-wal`)).toBe(true);

    // More than are kept open: the log goes with the last connection to a file.
    for (let number = 0; number < 14; number++) {
      const name = `other${number}.db`;
      await view.openFile(idleApp, makeDatabase(join(idleApp.folder, name), { kind: 'sql', sql: SHOP }));
      await view.opened(name);
    }
    // Usually immediate; after a minute if the window looked at its schema once more, which makes it no longer the longest unused.
    await expect.poll(() => existsSync(`${file}-wal`), { timeout: 90_000 }).toBe(false);

    const later = new Sqlite(file);
    later.exec("INSERT INTO item (name) VALUES ('theirs')");
    later.close();
    await view.openFromLibrary('shop.db');
    await expect(result.cell(0, 'name')).toHaveText('mine');
    await expect(result.cell(3, 'name')).toHaveText('theirs');
    await view.page.getByRole('tab', { name: 'item' }).first().click();
    await expect(grid.cell(3, 'name')).toHaveText('theirs');
    // Steps from before the other program wrote are still in the history, and can be undone by themselves.
    await view.command('Show History');
    const steps = view.page.getByRole('listbox', { name: 'Steps' });
    await expect(steps).toContainText('Changes of another program');
    await expect(steps).toContainText('Edit name in item');
  },
);
