// Commands on archives: what they read of the database in one is the same as of the database itself.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { commandFolders } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { zip } from '../../worker/import/xlsx/made-workbook.test-suite.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, bytes BLOB);
  INSERT INTO item VALUES (1, 'ant', 0.1, x'00ff'), (9223372036854775807, 'ü😀' || char(10), NULL, x''), (-3, '007', 1e300, zeroblob(9000));`;
const NOTES = "CREATE TABLE note (text); INSERT INTO note VALUES ('one')";

let at: CommandFolder;
commandFolders((folder) => (at = folder));

const bytesOf = (name: string): Buffer => readFileSync(join(at.folder, name));
const write = (name: string, bytes: Uint8Array): void => writeFileSync(join(at.folder, name), bytes);

beforeEach(() => {
  at.database('shop.db', SHOP);
  at.database('notes.db', NOTES);
  const [shop, notes] = [bytesOf('shop.db'), bytesOf('notes.db')];
  write(
    'shop.zip',
    zip([
      { name: 'readme.txt', content: 'hello' },
      { name: 'data/shop.db', content: shop },
    ]),
  );
  write(
    'both.zip',
    zip([
      { name: 'a/shop.db', content: shop },
      { name: 'notes.db', content: notes },
    ]),
  );
  write('shop.db.gz', gzipSync(shop));
  write('shop.db.zst', zstdCompressSync(shop));
});

test.each(['shop.zip', 'shop.db.gz', 'shop.db.zst'])(
  'what commands read of %s is what is in the database',
  async (packed) => {
    const before = bytesOf(packed);
    const dump = await at.run(['dump', 'shop.db', '--stable']);
    expect(await at.run(['dump', packed, '--stable'])).toMatchObject({ code: 0, out: dump.out, err: '' });
    expect(await at.run(['diff', 'shop.db', packed])).toMatchObject({ code: 0, err: '' });
    const csv = await at.run(['export', 'shop.db', '--table', 'item']);
    expect(await at.run(['export', packed, '--table', 'item'])).toMatchObject({ code: 0, out: csv.out });
    expect(bytesOf(packed)).toEqual(before);
  },
);

test('of several databases one is chosen by name', async () => {
  const dump = await at.run(['dump', 'notes.db']);
  const asked = await at.run(['dump', 'both.zip']);
  expect(asked).toMatchObject({ code: 2, out: '' });
  expect(asked.err).toContain('“both.zip” holds 2 databases: “a/shop.db”, “notes.db”. Choose one with --entry NAME.');
  expect(await at.run(['dump', 'both.zip', '--entry', 'notes.db'])).toMatchObject({ code: 0, out: dump.out });
  expect(
    await at.run(['export', 'both.zip', '--entry', 'shop.db', '--sql', 'SELECT count(*) FROM item']),
  ).toMatchObject({
    code: 0,
    out: 'count(*)\n3\n',
  });
  const missing = await at.run(['dump', 'both.zip', '--entry', 'other.db']);
  expect(missing).toMatchObject({ code: 4, err: expect.stringContaining('“other.db” in “both.zip”') as unknown });
});

test('a script reads an archive, and cannot change it', async () => {
  expect(await at.run(['run', '-', 'shop.zip'], 'SELECT name FROM item WHERE id = 1')).toMatchObject({
    code: 0,
    out: 'name\nant\n',
  });
  const refused = await at.run(['run', '-', 'shop.zip'], 'DELETE FROM item');
  expect(refused).toMatchObject({ code: 1 });
  // Until the watch on the file has looked at it, SQLite refuses the write in its own words.
  expect(refused.err).toMatch(
    /It was unpacked from an archive, which is only read|This file is read-only\. Nothing was changed/,
  );
});

test('the tables of a database in an archive are imported, and rows of a workbook still are', async () => {
  expect(await at.run(['import', 'shop.zip', '--into', 'new.db'])).toMatchObject({ code: 0 });
  const rows = 'SELECT * FROM item ORDER BY id';
  const read = (name: string) => {
    const db = new DatabaseSync(join(at.folder, name));
    const statement = db.prepare(rows);
    statement.setReadBigInts(true);
    const all = statement.all();
    db.close();
    return all;
  };
  expect(read('new.db')).toEqual(read('shop.db'));
  await at.run(['export', 'shop.db', '--sql', "SELECT 'x' AS a", '-o', 'rows.xlsx']);
  expect(await at.run(['import', 'rows.xlsx', '--into', 'rows.db'])).toMatchObject({ code: 0 });
  expect(at.rows('rows.db', 'SELECT a FROM rows')).toEqual([['x']]);
});

test('what was committed last may be in a WAL that is packed along', async () => {
  const db = new DatabaseSync(join(at.folder, 'live.db'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${NOTES}; INSERT INTO note VALUES ('two')`);
  mkdirSync(join(at.folder, 'copy'));
  for (const suffix of ['', '-wal'])
    copyFileSync(join(at.folder, `live.db${suffix}`), join(at.folder, 'copy', `live.db${suffix}`));
  db.close();
  const files = ['live.db', 'live.db-wal'].map((name) => ({ name, content: bytesOf(`copy/${name}`) }));
  write('live.zip', zip(files));
  expect(await at.run(['export', 'live.zip', '--table', 'note'])).toMatchObject({ code: 0, out: 'text\none\ntwo\n' });
});

test('an archive that is damaged, or holds no database, is said to be', async () => {
  write('cut.zip', bytesOf('shop.zip').subarray(0, -40));
  expect(await at.run(['dump', 'cut.zip'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('The end of the file is missing') as unknown,
  });
  write('text.zip', zip([{ name: 'readme.txt', content: 'hello' }]));
  const none = await at.run(['dump', 'text.zip']);
  expect(none).toMatchObject({
    code: 6,
    err: expect.stringContaining('There is no SQLite database in “text.zip”') as unknown,
  });
});
