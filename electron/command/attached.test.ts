// Scripts over several files: what they read and change, and which command lines are refused.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders, type CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { attachedOf } from './run.ts';
import { parse, UsageError } from './parse.ts';

const SHOP = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant'), (2, 'bee')";
const PRICES = 'CREATE TABLE price (item, amount); INSERT INTO price VALUES (1, 2.5), (2, 3.5)';
const JOIN = 'SELECT name, amount FROM item JOIN old.price ON item = id ORDER BY id';

let at: CommandFolder;
commandFolders((folder) => (at = folder));

test('a script joins attached files, and changes only the database itself', async () => {
  const shop = at.database('shop.db', SHOP);
  const prices = at.database('prices.db', PRICES);
  const before = readFileSync(prices);
  const words = ['run', '-', 'shop.db', '--attach', 'old=prices.db'];
  expect(await at.run(words, JOIN)).toMatchObject({ code: 0, out: 'name,amount\nant,2.5\nbee,3.5\n', err: '' });
  const copied = 'BEGIN; CREATE TABLE cost AS SELECT * FROM old.price; DELETE FROM item WHERE id = 2; COMMIT';
  expect(await at.run(words, copied)).toMatchObject({ code: 0, err: '' });
  expect(at.rows(shop, 'SELECT (SELECT count(*) FROM cost), (SELECT count(*) FROM item)')).toEqual([[2, 1]]);
  const refused = await at.run([...words, '--transaction'], 'DELETE FROM item; DELETE FROM old.price');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('“old” is attached read-only') as unknown });
  expect(at.rows(shop, 'SELECT count(*) FROM item')).toEqual([[1]]);
  expect(readFileSync(prices)).toEqual(before);
});

test('a script may change a file that is attached for that, and SQL attaches no other', async () => {
  at.database('shop.db', SHOP);
  const prices = at.database('prices.db', PRICES);
  const attached = ['--attach-writable', 'old=prices.db'];
  const changed = await at.run(['run', '-', 'shop.db', ...attached, '--transaction'], 'DELETE FROM old.price');
  expect(changed).toMatchObject({ code: 0, err: '' });
  expect(at.rows(prices, 'SELECT count(*) FROM price')).toEqual([[0]]);
  const own = await at.run(['run', '-', 'shop.db', ...attached], "ATTACH 'prices.db' AS more");
  expect(own).toMatchObject({ code: 1, err: expect.stringContaining('cannot be attached here') as unknown });
});

test.each([
  [['--attach', 'prices.db'], 'takes a name and a file'],
  [['--attach', '=prices.db'], 'takes a name and a file'],
  [['--attach', 'old='], 'takes a name and a file'],
  [['--attach', 'old=-'], 'Standard input'],
  [['--attach', 'main=prices.db'], '“main” is the name of a schema'],
  [['--attach', 'TEMP=prices.db'], '“TEMP” is the name of a schema'],
  [['--attach', 'a b=prices.db'], 'a word of letters'],
  [['--attach', 'old=prices.db', '--attach-writable', 'Old=more.db'], '“Old” is the name of another'],
  [['--attach', 'old=prices.db', '--attach', 'new=./prices.db'], 'attached under another name'],
  [['--attach', 'old=shop.db'], 'the database itself'],
  [Array.from({ length: 9 }, (_, i) => ['--attach', `n${i}=${i}.db`]).flat(), 'at most 8'],
])('%j is refused', (words, why) => {
  const parsed = parse(['run', '-', 'shop.db', ...words]);
  if (parsed.kind !== 'command') throw new Error(JSON.stringify(parsed));
  const attached = () =>
    attachedOf(
      { options: parsed.options, pathOf: (name) => resolve('/nowhere', name) },
      resolve('/nowhere', 'shop.db'),
    );
  expect(attached).toThrow(UsageError);
  expect(attached).toThrow(why);
});

test('a wrong command line changes nothing', async () => {
  at.database('shop.db', SHOP);
  const ended = await at.run(['run', '-', 'shop.db', '--attach', 'main=prices.db'], 'DELETE FROM item');
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining('“main”') as unknown });
  expect(at.rows('shop.db', 'SELECT count(*) FROM item')).toEqual([[2]]);
});

test('a file that cannot be attached is named, and the script does not run', async () => {
  at.database('shop.db', SHOP);
  at.database('wide.db', "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a)");
  at.write('noise.db', 'no database '.repeat(1000));
  const endOf = async (file: string): Promise<[number | null, string]> => {
    const { code, err } = await at.run(['run', '-', 'shop.db', '--attach', `o=${file}`], 'DELETE FROM item');
    return [code, err];
  };
  expect(await endOf('none.db')).toEqual([
    4,
    expect.stringMatching(/“none\.db” could not be attached\. There is no file/),
  ]);
  expect(await endOf('noise.db')).toEqual([6, expect.stringContaining('“noise.db”')]);
  expect(await endOf('wide.db')).toEqual([1, expect.stringMatching(/“wide\.db” could not be attached\. .*encoding/)]);
  expect(at.rows('shop.db', 'SELECT count(*) FROM item')).toEqual([[2]]);
});

test('an encrypted file is attached to one with the same password', async () => {
  const Cipher = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as new (path: string) => {
    pragma(text: string): unknown;
    key(bytes: Buffer): unknown;
    exec(sql: string): unknown;
    close(): void;
  };
  for (const [name, sql] of Object.entries({ 'shop.db': SHOP, 'prices.db': PRICES })) {
    const db = new Cipher(join(at.folder, name));
    db.pragma("cipher = 'sqlcipher'");
    db.pragma('legacy = 4');
    db.key(Buffer.from('secret'));
    db.exec(sql);
    db.close();
  }
  at.write('key.txt', 'secret\n');
  at.database('plain.db', SHOP);
  const attached = ['--attach', 'old=prices.db'];
  const joined = await at.run(['run', '-', 'shop.db', '--key-file', 'key.txt', ...attached], JOIN);
  expect(joined).toMatchObject({ code: 0, out: 'name,amount\nant,2.5\nbee,3.5\n', err: '' });
  const refused = await at.run(['run', '-', 'plain.db', ...attached], JOIN);
  expect(refused).toMatchObject({
    code: 6,
    err: expect.stringContaining('only to a database with the same password') as unknown,
  });
});
