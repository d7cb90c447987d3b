// Databases in archives: chosen, browsed in a temporary file, and edited in a library copy. The archive stays as it is, and nothing else does.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { makeDatabase } from '../data/make-database.ts';
import { zipOf } from '../data/packed.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const bytesOf = (app: SideliteApp, name: string, sql: string): Buffer =>
  readFileSync(makeDatabase(join(app.folder, name), { kind: 'sql', sql }));
const item = (...names: readonly string[]): string =>
  `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item (name) VALUES ${names.map((name) => `('${name}')`).join(', ')}`;

function written(app: SideliteApp, name: string, bytes: Uint8Array): string {
  const path = join(app.folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Files that were unpacked and are still there. */
function unpackedIn(app: SideliteApp): readonly string[] {
  const folder = join(app.profile, 'unpacked');
  return (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => join(folder, name, file)),
  );
}

test('a database in a ZIP file is chosen, browsed, and edited in a library copy', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const [shop, pets] = [
    bytesOf(idleApp, 'shop.db', item('ant', 'bee')),
    bytesOf(idleApp, 'pets.db', item('dog', 'cat')),
  ];
  const archive = written(
    idleApp,
    'backup.zip',
    zipOf({ 'readme.txt': Buffer.from('hello'), 'data/shop.db': shop, 'pets.db': pets }),
  );
  const before = readFileSync(archive);
  const view = new AppWindow(await idleApp.start());

  await view.openFile(idleApp, archive);
  await expect(view.dialog).toContainText('Open “backup.zip”');
  await expect(view.dialog.getByRole('radio')).toHaveCount(2);
  await expect(view.dialog.getByRole('radio', { name: 'data/shop.db' })).toBeFocused();
  await view.dialog.getByRole('radio', { name: 'pets.db' }).check();
  await view.dialog.getByRole('button', { name: 'Open read-only' }).click();
  await view.opened('pets.db from backup.zip');
  const grid = view.grid('Rows of item');
  await expect(grid.cell(0, 'name')).toHaveText('dog');
  await expect(view.status).toContainText('Temporary, read-only: unpacked from');
  const [file = ''] = unpackedIn(idleApp);
  expect(readFileSync(file)).toEqual(pets);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

  await grid.edit(0, 'name', 'owl');
  await expect(view.dialog).toContainText('Its edits go into a library copy.');
  await view.dialog.getByRole('button', { name: 'Edit a library copy' }).click();
  await expect(grid.cell(0, 'name')).toHaveText('owl');
  await expect(view.status).not.toContainText('Temporary');
  await expect.poll(() => unpackedIn(idleApp)).toEqual([]);
  await view.page.keyboard.press('Control+l');
  await expect(view.page.getByRole('row', { name: 'pets.db from backup.zip', exact: true })).toHaveCount(1);

  await view.openFile(idleApp, archive);
  await view.dialog.getByRole('button', { name: 'Library copy' }).click();
  await view.opened('shop.db from backup.zip');
  await expect(view.grid('Rows of item').cell(0, 'name')).toHaveText('ant');
  expect(unpackedIn(idleApp)).toEqual([]);
  expect(readFileSync(archive)).toEqual(before);
});

test('gzip, Zstandard, and Anki packages open at once, and damaged archives say what is wrong', async ({ idleApp }) => {
  idleApp.opensFiles = null;
  const shop = bytesOf(idleApp, 'shop.db', item('ant', 'bee'));
  const old = bytesOf(idleApp, 'old.db', item('update Anki'));
  const packed = written(idleApp, 'shop.db.gz', gzipSync(shop));
  const view = new AppWindow(await idleApp.start(packed));
  await view.opened('shop.db from shop.db.gz');
  await expect(view.grid('Rows of item').cell(1, 'name')).toHaveText('bee');

  const deck = zipOf({
    'collection.anki2': old,
    'collection.anki21b': zstdCompressSync(shop),
    '0': Buffer.from('picture'),
  });
  await view.openFile(idleApp, written(idleApp, 'deck.apkg', deck));
  await view.opened('collection.anki21b from deck.apkg');
  await expect(view.grid('Rows of item').cell(0, 'name')).toHaveText('ant');
  expect(unpackedIn(idleApp)).toHaveLength(2);

  const refused = async (name: string, bytes: Uint8Array, why: string): Promise<void> => {
    await view.openFile(idleApp, written(idleApp, name, bytes));
    await expect(view.dialog).toContainText(`“${name}” was not opened`);
    await expect(view.dialog).toContainText(why);
    await view.dialog.getByRole('button', { name: 'OK' }).click();
    await expect(view.dialog).toHaveCount(0);
  };
  await refused('cut.db.gz', gzipSync(shop).subarray(0, -20), 'damaged or incomplete');
  await refused(
    'text.zip',
    zipOf({ 'a.txt': Buffer.from('hello, this is text') }),
    'There is no SQLite database in “text.zip”',
  );
  expect(unpackedIn(idleApp)).toHaveLength(2);
  // Left as it is when the app ends.
  await idleApp.relaunch();
  expect(unpackedIn(idleApp)).toEqual([]);
});
