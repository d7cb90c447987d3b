// Extensions on the command line: loaded only if they are named there, before anything runs, and by no SQL.
import { createRequire } from 'node:module';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getLoadablePath } from 'sqlite-vec';
import { expect, test } from 'vitest';
import { commandFolders } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';

interface Database {
  loadExtension(path: string): unknown;
  pragma(text: string): unknown;
  key(bytes: Buffer): unknown;
  exec(sql: string): unknown;
  close(): void;
}
const load = createRequire(import.meta.url);
const open = (name: string, path: string): Database => new (load(name) as new (path: string) => Database)(path);
const PLACES = `CREATE VIRTUAL TABLE place USING vec0 (at float[2]); INSERT INTO place (rowid, at) VALUES (7, '[1, 2]');
  CREATE VIEW near AS SELECT vec_to_json(at) AS at FROM place`;
const NEAREST = "SELECT rowid FROM place WHERE at MATCH '[1, 2]' ORDER BY distance LIMIT 1";
const VEC = ['--extension', 'vec0.so'];

let at: CommandFolder;
commandFolders((folder) => (at = folder));

function makePlaces(name = 'places.db', password: string | null = null): void {
  copyFileSync(getLoadablePath(), join(at.folder, 'vec0.so'));
  const db = open(password === null ? 'better-sqlite3' : 'better-sqlite3-multiple-ciphers', join(at.folder, name));
  if (password !== null) db.key(Buffer.from(password));
  db.loadExtension(getLoadablePath());
  db.exec(PLACES);
  db.close();
}

test('what is named is loaded before the SQL runs, and nothing else', async () => {
  makePlaces();
  expect(await at.run(['query', 'places.db', NEAREST, ...VEC])).toMatchObject({ code: 0, out: 'rowid\n7\n', err: '' });
  expect(await at.run(['query', 'places.db', NEAREST])).toMatchObject({
    code: 1,
    err: expect.stringContaining('vec0') as unknown,
  });
  const added = "INSERT INTO place (rowid, at) VALUES (8, '[3, 4]')";
  expect(await at.run(['run', '-', 'places.db', ...VEC], added)).toMatchObject({ code: 0, err: '' });
  expect(await at.run(['export', 'places.db', '--sql', 'SELECT rowid FROM place', ...VEC])).toMatchObject({
    out: 'rowid\n7\n8\n',
  });
  const loads = `SELECT load_extension('${join(at.folder, 'vec0.so')}')`;
  expect(await at.run(['query', 'places.db', loads, ...VEC])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/not authorized/i) as unknown,
  });
  expect(readdirSync(join(at.profile, 'copies-of-extensions'))).toEqual([]);
});

test('views use all functions of an extension only if that is asked for', async () => {
  makePlaces();
  const words = ['query', 'places.db', 'SELECT * FROM near', ...VEC];
  expect(await at.run(words)).toMatchObject({ code: 1, err: expect.stringContaining('Unsafe use') as unknown });
  expect(await at.run([...words, '--trust-schema'])).toMatchObject({ code: 0, out: 'at\n"[1.000000,2.000000]"\n' });
});

test('two files with tables of an extension are compared', async () => {
  makePlaces();
  makePlaces('other.db');
  expect(await at.run(['diff', 'places.db', 'other.db', ...VEC, '--trust-schema'])).toMatchObject({ code: 0, err: '' });
});

test('a file with a password gets it, too', async () => {
  makePlaces('secret.db', 'secret');
  at.write('key.txt', 'secret\n');
  const words = ['query', 'secret.db', NEAREST, '--key-file', 'key.txt', '--cipher', 'chacha20', ...VEC];
  expect(await at.run(words)).toMatchObject({ code: 0, out: 'rowid\n7\n', err: '' });
});

test('a command whose extension cannot be loaded does nothing', async () => {
  at.database('shop.db', 'CREATE TABLE item (name)');
  at.write('text.so', 'text');
  for (const [file, why] of [
    ['text.so', 'could not be loaded'],
    ['none.so', 'There is no file'],
  ] as const)
    expect(await at.run(['run', '-', 'shop.db', '--extension', file], 'DROP TABLE item')).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`“${file}” was not loaded.*${why}.*Nothing was changed`)) as unknown,
    });
  expect(at.rows('shop.db', 'SELECT name FROM sqlite_schema')).toEqual([['item']]);
  expect(await at.run(['query', 'shop.db', 'SELECT 1', '--trust-schema'])).toMatchObject({ code: 2 });
});
