// What the command line says of itself, scripts, what its exit codes mean, and how commands end that something stands in the way of.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchPrefix } from '#shared/scratch-names.ts';
import { commandFolders } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { corruptPages, truncateTo, writeNoise } from '../../e2e/data/damaged.ts';
import { thisSystem } from '../scratch-folders.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3);`;

let at: CommandFolder;
commandFolders((folder) => (at = folder));

test('--help and --version say what there is, and a wrong word is named', async () => {
  const version = await at.run(['--version']);
  expect(version).toMatchObject({ code: 0, out: 'Sidelite 1.2.3\n', err: '' });
  const help = await at.run(['help']);
  expect(help.code).toBe(0);
  for (const command of ['import', 'export', 'run']) {
    expect(help.out).toContain(`sidelite ${command}`);
    const own = await at.run([command, '--help']);
    expect(own).toMatchObject({ code: 0, err: '' });
    expect(own.out).toContain('--json');
  }
  const wrong = await at.run(['export', 'a.db', '--tabel', 'x']);
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('There is no option --tabel. Did you mean --table?');
  // The app was not started: its profile has nothing of Chromium.
  expect(existsSync(join(at.profile, 'Preferences'))).toBe(false);
});

test.skipIf(process.platform === 'win32')('a file without end is refused before it takes memory', async () => {
  at.database('shop.db', SHOP);
  at.write('more.csv', 'name\ndog\n');
  const script = await at.run(['run', '/dev/zero', 'shop.db']);
  expect(script).toMatchObject({ code: 1, err: expect.stringContaining('larger than 128 MB') as unknown });
  const recipe = await at.run(['import', 'more.csv', '--into', 'shop.db', '-t', 'item', '--recipe', '/dev/zero']);
  expect(recipe).toMatchObject({ code: 1, err: expect.stringContaining('so it is no recipe') as unknown });
  expect(at.rows('shop.db', 'SELECT count(*) FROM item')).toEqual([[3]]);
});

test('a script runs as in an SQL tab, and in one transaction where asked for', async () => {
  const file = at.database('shop.db', SHOP);
  const names = (): unknown => at.rows(file, 'SELECT name FROM item ORDER BY id');
  const done = await at.run(
    ['run', '-', 'shop.db'],
    "UPDATE item SET name = 'emu' WHERE id = 1; SELECT name FROM item WHERE id = 1; SELECT 2 AS n;",
  );
  expect(done).toMatchObject({ code: 0, out: 'name\nemu\n\nn\n2\n' });
  const broken = "UPDATE item SET name = 'x' WHERE id = 2;\nSELEC 1;";
  const together = await at.run(['run', '-', 'shop.db', '--transaction'], broken);
  expect(together.code).toBe(1);
  expect(together.err).toMatch(/^sidelite: Line 2, column 1: .+ Nothing was changed\.\n$/);
  expect(names()).toEqual([['emu'], ['bee'], ['cat']]);
  const apart = await at.run(['run', '-', 'shop.db'], broken);
  expect(apart.code).toBe(1);
  expect(apart.err).toMatch(/ 1 statement before it ran\.\n$/);
  expect(names()).toEqual([['emu'], ['x'], ['cat']]);
  const begun = 'BEGIN; DELETE FROM item; SELEC 1;';
  const { err } = await at.run(['run', '-', 'shop.db'], begun);
  expect(err).toMatch(/ 2 statements before it ran\. The open transaction was rolled back\.\n$/);
  expect(names()).toEqual([['emu'], ['x'], ['cat']]);
  const open = await at.run(['run', '-', 'shop.db'], 'BEGIN; DELETE FROM item;');
  expect(open).toMatchObject({ code: 1, err: expect.stringContaining('rolled back') as unknown });
  expect(names()).toEqual([['emu'], ['x'], ['cat']]);
});

test('what is missing, no database, or damaged has its own exit code and a sentence', async () => {
  const { folder } = at;
  at.database('shop.db', SHOP);
  const codes = async (...words: string[]): Promise<[number | null, string]> => {
    const { code, err, out } = await at.run(words);
    expect(out).toBe('');
    expect(err).toMatch(/^sidelite: .+\.\n$/);
    return [code, err];
  };
  expect(await codes('import', 'none.csv', '--into', 'new.db')).toEqual([4, expect.stringContaining('no file')]);
  expect(existsSync(join(folder, 'new.db'))).toBe(false);
  expect(await codes('export', 'none.db', '-t', 'item')).toEqual([4, expect.stringContaining('no file')]);
  expect(await codes('export', 'shop.db', '-t', 'nix')).toEqual([4, expect.stringContaining('“nix”')]);
  expect(await codes('import', 'none.csv')).toEqual([2, expect.stringContaining('--into')]);
  expect(await codes('export', 'shop.db')).toEqual([2, expect.stringContaining('--table')]);
  writeNoise(join(folder, 'noise.db'));
  expect((await codes('export', 'noise.db', '-t', 'item'))[0]).toBe(6);
  const large =
    'CREATE TABLE item(a); INSERT INTO item SELECT hex(randomblob(400)) FROM (SELECT 1 FROM pragma_function_list LIMIT 300)';
  for (const name of ['short.db', 'torn.db']) at.database(name, large);
  truncateTo(join(folder, 'short.db'), 0.5);
  expect((await codes('export', 'short.db', '-t', 'item', '-o', 'out.csv'))[0]).toBe(6);
  corruptPages(join(folder, 'torn.db'), 20, 1);
  expect((await codes('export', 'torn.db', '-t', 'item', '-o', 'out.csv'))[0]).toBe(6);
  expect(readdirSync(folder).filter((name) => name.includes('out.csv'))).toEqual([]);
  at.write('rows.csv', 'a\n1\n');
  expect((await codes('import', 'rows.csv', '--into', 'noise.db'))[0]).toBe(6);
});

test('a thread of a process that waits for it does the same as a process', async () => {
  at.database('shop.db', SHOP);
  const words = ['import', '-', '--into', 'shop.db', '-t', 'item'];
  expect(await at.runInThread(words, 'id,name\n9,gnu\n')).toMatchObject({ code: 0, out: '' });
  const rows = ['export', 'shop.db', '-t', 'item', '--where', 'id > 2', '--no-header'];
  expect(await at.runInThread(rows)).toMatchObject({ code: 0, out: '3,cat,3.0\n9,gnu,\n', err: '' });
  expect((await at.runInThread(['export', 'none.db', '-t', 'item'])).code).toBe(4);
});

test('an engine that cannot start is said, and what killed processes have left is removed', async () => {
  at.database('shop.db', SHOP);
  const left = join(tmpdir(), `${scratchPrefix({ ...thisSystem(), pid: 2 ** 22 + 1 })}left`);
  mkdirSync(left);
  at.packagesIn = at.folder;
  const words = ['export', 'shop.db', '-t', 'item'];
  for (const ended of [await at.run(words), await at.runInThread(words)]) {
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(/^sidelite: .*better-sqlite3/);
  }
  expect(existsSync(left)).toBe(false);
});

test('a database that another program has locked is waited for, and given up after --wait', async () => {
  const file = at.database('shop.db', SHOP);
  at.write('rows.csv', 'id,name\n7,emu\n');
  const unlock = at.lock(file);
  const words = ['import', 'rows.csv', '--into', 'shop.db', '-t', 'item'];
  const given = await at.run([...words, '--wait', '0.3']);
  expect(given).toMatchObject({ code: 5, err: expect.stringContaining('still locked by') as unknown });
  const waiting = at.start([...words, '--wait', '30']);
  // It has the file open by then, as its own lock on the history says.
  await expect.poll(() => existsSync(join(at.profile, 'history-of-files'))).toBe(true);
  unlock();
  expect(await waiting.ended).toMatchObject({ code: 0 });
  expect(at.rows(file, 'SELECT count(*) FROM item')).toEqual([[4]]);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends an import, and the database is as before', async (signal) => {
  // Each row takes a moment, so that the import cannot end before it is stopped.
  const file = at.database(
    'shop.db',
    `${SHOP} CREATE TRIGGER slow AFTER INSERT ON item BEGIN
       SELECT count(*) FROM (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n);
     END;`,
  );
  at.write('many.csv', `id,name\n${Array.from({ length: 200_000 }, (_, row) => `${row + 9},text ${row}\n`).join('')}`);
  const before = readFileSync(file);
  const running = at.start(['import', 'many.csv', '--into', 'shop.db', '-t', 'item', '--progress']);
  await running.says(/\d rows: /);
  running.child.kill(signal);
  const ended = await running.ended;
  // Shells call either 128 and the number of the signal.
  const number = signal === 'SIGINT' ? 130 : 143;
  expect([ended.code, ended.signal]).toEqual(ended.signal === null ? [number, null] : [null, signal]);
  expect(at.rows(file, 'SELECT name FROM item')).toEqual([['ant'], ['bee'], ['cat']]);
  expect(readdirSync(at.folder).filter((name) => name.startsWith('shop.db'))).toEqual(['shop.db']);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a reader that has seen enough ends an export without a word', async () => {
  at.database('shop.db', SHOP);
  const numbers = 'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) SELECT i FROM n';
  const running = at.start(['export', 'shop.db', '--sql', numbers]);
  running.child.stdout!.once('data', () => running.child.stdout!.destroy());
  expect(await running.ended).toMatchObject({ code: 141, err: '' });
});
