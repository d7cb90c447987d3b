// Commands on encrypted files: what they do, what their messages say, and what nobody finds in plain text, neither during a command nor after it.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampled } from '#shared/seed-count.test-suite.ts';
import { commandFolders, summaryOf } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { filesWith, makeShop, PASSWORD, PLAIN, queryShop, SHOP } from '../../build/encrypted-shop.test-suite.ts';

const LARGE_SHOP = `${SHOP} CREATE TABLE large AS SELECT zeroblob(100000);`;
const KEY = ['--key-file', 'key.txt'];

let at: CommandFolder;
let temporary: string;
commandFolders((folder) => (at = folder));

beforeEach(() => {
  temporary = join(at.folder, '..', 'temporary');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  vi.stubEnv('TEMP', temporary);
  at.write('key.txt', `${PASSWORD}\r\nanother line\n`);
});
afterEach(() => void vi.unstubAllEnvs());

const makeEncrypted = (name: string, pragmas?: string[]): void =>
  makeShop(join(at.folder, name), PASSWORD, LARGE_SHOP, pragmas);

const rows = (name: string, sql: string): unknown[] => queryShop(join(at.folder, name), sql);

const leaks = (text = PLAIN): string[] => [...filesWith(at.profile, text), ...filesWith(temporary, text)];

test('a script, an export in each format, and an import work as on a plain file', async () => {
  makeEncrypted('shop.db');
  const script = await at.run(
    ['run', '-', 'shop.db', ...KEY],
    'UPDATE item SET price = 9 WHERE id = 2; SELECT name FROM item;',
  );
  expect(script).toMatchObject({ code: 0, out: `name\n${PLAIN} ant\nbee\ncat\n`, err: '' });
  for (const format of ['csv', 'sqlite', ...sampled(['json', 'xlsx', 'sql'])]) {
    const done = await at.run(['export', 'shop.db', '-t', 'item', '-o', `out.${format}`, '-f', format, ...KEY]);
    expect(done).toMatchObject({ code: 0, out: '' });
    expect(done.err.includes('is not encrypted')).toBe(format === 'sqlite');
  }
  expect(readFileSync(join(at.folder, 'out.csv'), 'utf8')).toContain(`1,${PLAIN} ant,1.5`);
  expect(at.rows('out.sqlite', 'SELECT count(*), min(price) FROM item')).toEqual([[3, 1.5]]);
  const added = await at.run(
    ['import', '-', '--into', 'shop.db', '-t', 'item', '--append', '--json', ...KEY],
    `name,price\n${PLAIN} dog,4\n`,
  );
  expect(added).toMatchObject({ code: 0 });
  expect(summaryOf(added)).toMatchObject({ files: [{ added: 1, problems: 0 }] });
  expect(rows('shop.db', 'SELECT id, price FROM item')).toEqual([
    [1, 1.5],
    [2, 9],
    [3, 3],
    [4, 4],
  ]);
  expect(readFileSync(join(at.folder, 'shop.db')).includes(PLAIN)).toBe(false);
  expect(leaks()).toEqual([]);
  // The steps are there: encrypted, too.
  expect(readdirSync(join(at.profile, 'history-of-files')).some((name) => name.startsWith('history-'))).toBe(true);
});

test('an import makes an encrypted database, of rows or of a dump, and none where it fails', async () => {
  at.write('people.csv', `id,name\n1,${PLAIN}\n`);
  at.write('dump.sql', `CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('${PLAIN}'); CREATE INDEX b ON a (x);`);
  expect(await at.run(['import', 'people.csv', '--into', 'new.db', ...KEY])).toMatchObject({ code: 0 });
  expect(await at.run(['import', 'dump.sql', '--into', 'dumped.db', ...KEY])).toMatchObject({ code: 0 });
  expect(rows('new.db', 'SELECT * FROM people')).toEqual([[1, PLAIN]]);
  expect(rows('dumped.db', 'SELECT * FROM a')).toEqual([[PLAIN]]);
  at.database('other.db', SHOP);
  const refused = await at.run(['import', 'other.db', '--into', 'none.db', ...KEY]);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('cannot be imported into an encrypted database');
  expect(
    readdirSync(at.folder)
      .filter((name) => /^(?:new|dumped|none)\.db/.test(name))
      .sort(),
  ).toEqual(['dumped.db', 'new.db']);
  expect(leaks()).toEqual([]);
});

test('without a key, with another one, and with one for a plain file, nothing happens and a sentence says why', async () => {
  makeEncrypted('shop.db');
  at.database('plain.db', SHOP);
  at.write('wrong.txt', 'hunter2');
  at.write('text.db', 'only text, of no format at all');
  const before = readFileSync(join(at.folder, 'shop.db'));
  const files = readdirSync(at.folder);
  const said = async (...words: string[]): Promise<[number | null, string]> => {
    const { code, out, err } = await at.run(words);
    expect(out).toBe('');
    expect(err).toMatch(/^sidelite: .+\.\n$/);
    expect(err).not.toContain('hunter2');
    return [code, err];
  };
  const table = ['-t', 'item'];
  expect(await said('export', 'shop.db', ...table)).toEqual([
    6,
    expect.stringMatching(/may be encrypted.+--key-env.+Nothing was changed/),
  ]);
  expect(await said('export', 'text.db', ...table)).toEqual([6, expect.stringContaining('is a text file')]);
  expect(await said('export', 'shop.db', ...table, '--key-file', 'wrong.txt')).toEqual([
    6,
    expect.stringContaining('The key does not open “shop.db”'),
  ]);
  expect(await said('export', 'shop.db', ...table, '--cipher', 'rc4', ...KEY)).toEqual([
    6,
    expect.stringContaining('rc4'),
  ]);
  expect(await said('export', 'plain.db', ...table, ...KEY)).toEqual([1, expect.stringContaining('not encrypted')]);
  expect(readdirSync(at.folder)).toEqual(files);
  expect(readFileSync(join(at.folder, 'shop.db')).equals(before)).toBe(true);
  expect(filesWith(at.profile, 'hunter2')).toEqual([]);
});

test('encrypted files are merged into one that is encrypted with the same key', async () => {
  makeEncrypted('base.db');
  for (const name of ['ours.db', 'theirs.db']) copyFileSync(join(at.folder, 'base.db'), join(at.folder, name));
  await at.run(['run', '-', 'ours.db', ...KEY], 'UPDATE item SET price = 9 WHERE id = 2;');
  await at.run(['run', '-', 'theirs.db', ...KEY], `INSERT INTO item (id, name) VALUES (50, '${PLAIN}');`);
  const merge = ['merge', 'base.db', 'ours.db', 'theirs.db', '-o', 'ours.db'];
  expect(await at.run([...merge, ...KEY])).toMatchObject({ code: 0, out: 'Table item\n  1 added\n', err: '' });
  expect(rows('ours.db', 'SELECT id, price FROM item WHERE id IN (2, 50)')).toEqual([[2, 9], [50, null]]); // prettier-ignore
  expect((await at.run(merge)).code).toBe(6);
  expect([...leaks(), ...filesWith(at.folder, PLAIN)]).toEqual([]);
});

test('the key comes from the environment, and appears nowhere', async () => {
  makeEncrypted('shop.db', ["cipher = 'chacha20'"]);
  vi.stubEnv('SHOP_KEY', PASSWORD);
  const done = await at.run(
    ['run', '-', 'shop.db', '--key-env', 'SHOP_KEY', '--json', '--progress'],
    'DELETE FROM item; SELEC',
  );
  expect(done.code).toBe(1);
  expect(done.out + done.err).not.toContain(PASSWORD);
  expect(leaks(PASSWORD)).toEqual([]);
});

test('a command that is killed leaves no plain text behind, and the next one finds the database as it was', async () => {
  makeEncrypted('shop.db');
  // Large results go to a spool, sorted rows and the history to files, if to anything.
  const numbers = (last: number): string =>
    `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last}) SELECT i FROM n)`;
  const script = `SELECT i, '${PLAIN}' || hex(randomblob(500)) AS x FROM ${numbers(10_000)} ORDER BY x;
    BEGIN; INSERT INTO item (name) SELECT '${PLAIN}' || hex(zeroblob(1000)) FROM ${numbers(1_000_000)};`;
  const file = join(at.folder, 'shop.db');
  const running = at.start(['run', '-', 'shop.db', ...KEY, '--json', '--progress'], { input: script });
  // The transaction is larger than the cache by now.
  await vi.waitUntil(() => statSync(file).size > 1e6 || running.child.exitCode !== null, {
    timeout: 120_000,
    interval: 5,
  });
  running.child.kill('SIGKILL');
  await running.ended;
  expect(existsSync(`${file}-journal`)).toBe(true);
  expect(leaks()).toEqual([]);
  expect(filesWith(at.folder, PLAIN)).toEqual([]);
  const after = await at.run(['run', '-', 'shop.db', ...KEY], 'SELECT count(*) AS n FROM item');
  expect(after).toMatchObject({ code: 0, out: 'n\n3\n' });
  expect(leaks()).toEqual([]);
});
