// The command line of the app itself, without a window and a display. What commands do and say in full: electron/command/*.test.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { runCommand, writeInFolder } from '../support/command.ts';
import { query } from '../support/compare-results.ts';
import { commitChange, git as gitIn } from '../support/git.ts';
import { makeShop } from '../support/shop-in-place.ts';

test('commands run in the app without starting it: words, files, pipes and exit codes reach them', async ({
  idleApp,
}) => {
  const file = makeShop(idleApp);
  expect(await runCommand(idleApp, ['--version'])).toMatchObject({ code: 0, out: 'Sidelite 0.1.0\n', err: '' });
  writeInFolder(idleApp, 'more.csv', 'id,name\n7,"emu, tall"\n');
  const words = ['import', 'more.csv', '-', '--into', 'shop.db', '-t', 'item'];
  const imported = await runCommand(idleApp, words, { input: 'id\tname\n8\tfox\n' });
  expect(imported).toMatchObject({ code: 0, out: '', err: expect.stringContaining('1 added') as unknown });
  expect(query(file, 'SELECT name FROM item WHERE id > 3')).toEqual([['emu, tall'], ['fox']]);
  const exported = ['export', 'shop.db', '-t', 'item', '--where', 'id > 6', '--no-header'];
  expect(await runCommand(idleApp, exported)).toMatchObject({ code: 0, out: '7,"emu, tall",\n8,fox,\n', err: '' });
  const script = { input: 'SELECT name FROM item WHERE id = 8;' };
  expect(await runCommand(idleApp, ['run', '-', 'shop.db'], script)).toMatchObject({ code: 0, out: 'name\nfox\n' });
  expect(await runCommand(idleApp, ['export', 'none.db', '-t', 'item'])).toMatchObject({ code: 4, out: '' });
  // The app was not started: its profile has nothing of Chromium.
  expect(existsSync(join(idleApp.profile, 'Preferences'))).toBe(false);
});

test('Git shows and merges rows with the app, once it is set up for that', async ({ idleApp }) => {
  const git = (...words: string[]) => gitIn(idleApp, ...words);
  test.skip(git('--version').code !== 0, 'Git is not installed');
  const file = makeShop(idleApp);
  const change = (sql: string): void => commitChange(idleApp, file, sql);
  git('init', '-q', '-b', 'main');
  expect(await runCommand(idleApp, ['git-setup', '--yes'])).toMatchObject({ code: 0 });
  git('add', 'shop.db', '.gitattributes');
  git('commit', '-q', '-m', 'begin');
  git('checkout', '-q', '-b', 'side');
  change("UPDATE item SET name = 'side' WHERE id = 1");
  git('checkout', '-q', 'main');
  change("UPDATE item SET name = 'main' WHERE id = 2");
  expect(git('show').out).toMatch(/^\+INSERT INTO "item".+'main'/m);
  expect(git('merge', '-q', '--no-edit', 'side')).toEqual({
    code: 0,
    out: expect.stringContaining('1 changed') as unknown,
  });
  expect(query(file, 'SELECT name FROM item WHERE id < 3 ORDER BY id')).toEqual([['side'], ['main']]);
  expect(await runCommand(idleApp, ['git-setup', '--undo', '--yes'])).toMatchObject({ code: 0 });
  expect(git('config', '--get', 'merge.sidelite.driver').code).toBe(1);
});
