// The command line without a window: what it says of itself, scripts, what its exit codes mean, and the thread it may run in.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { corruptPages, truncateTo, writeNoise } from '../data/damaged.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { runCommand, writeInFolder } from '../support/command.ts';
import { query } from '../support/compare-results.ts';
import { makeShop } from '../support/shop-in-place.ts';

test('--help and --version say what there is, and a wrong word is named', async ({ idleApp }) => {
  const version = await runCommand(idleApp, ['--version']);
  expect(version).toMatchObject({ code: 0, out: 'Sidelite 0.1.0\n', err: '' });
  const help = await runCommand(idleApp, ['help']);
  expect(help.code).toBe(0);
  for (const command of ['import', 'export', 'run']) {
    expect(help.out).toContain(`sidelite ${command}`);
    const own = await runCommand(idleApp, [command, '--help']);
    expect(own).toMatchObject({ code: 0, err: '' });
    expect(own.out).toContain('--json');
  }
  const wrong = await runCommand(idleApp, ['export', 'a.db', '--tabel', 'x']);
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('There is no option --tabel. Did you mean --table?');
  // The app was not started: its profile has nothing of Chromium.
  expect(existsSync(join(idleApp.profile, 'Preferences'))).toBe(false);
});

test('a script runs as in an SQL tab, and in one transaction where asked for', async ({ idleApp }) => {
  const file = makeShop(idleApp);
  const names = (): unknown => query(file, 'SELECT name FROM item ORDER BY id');
  const done = await runCommand(idleApp, ['run', '-', 'shop.db'], {
    input: "UPDATE item SET name = 'emu' WHERE id = 1; SELECT name FROM item WHERE id = 1; SELECT 2 AS n;",
  });
  expect(done).toMatchObject({ code: 0, out: 'name\nemu\n\nn\n2\n' });
  const broken = { input: "UPDATE item SET name = 'x' WHERE id = 2;\nSELEC 1;" };
  const together = await runCommand(idleApp, ['run', '-', 'shop.db', '--transaction'], broken);
  expect(together.code).toBe(1);
  expect(together.err).toMatch(/^sidelite: Line 2, column 1: .+ Nothing was changed\.\n$/);
  expect(names()).toEqual([['emu'], ['bee'], ['cat']]);
  const apart = await runCommand(idleApp, ['run', '-', 'shop.db'], broken);
  expect(apart.code).toBe(1);
  expect(apart.err).toMatch(/ 1 statement before it ran\.\n$/);
  expect(names()).toEqual([['emu'], ['x'], ['cat']]);
  const begun = { input: 'BEGIN; DELETE FROM item; SELEC 1;' };
  const { err } = await runCommand(idleApp, ['run', '-', 'shop.db'], begun);
  expect(err).toMatch(/ 2 statements before it ran\. The open transaction was rolled back\.\n$/);
  expect(names()).toEqual([['emu'], ['x'], ['cat']]);
  const open = await runCommand(idleApp, ['run', '-', 'shop.db'], { input: 'BEGIN; DELETE FROM item;' });
  expect(open).toMatchObject({ code: 1, err: expect.stringContaining('rolled back') as unknown });
  expect(names()).toEqual([['emu'], ['x'], ['cat']]);
});

test('what is missing, no database, or damaged has its own exit code and a sentence', async ({ idleApp }) => {
  const { folder } = idleApp;
  makeShop(idleApp);
  const codes = async (...words: string[]): Promise<[number | null, string]> => {
    const { code, err, out } = await runCommand(idleApp, words);
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
  for (const name of ['short.db', 'torn.db']) makeDatabase(join(folder, name), { kind: 'sql', sql: large });
  truncateTo(join(folder, 'short.db'), 0.5);
  expect((await codes('export', 'short.db', '-t', 'item', '-o', 'out.csv'))[0]).toBe(6);
  corruptPages(join(folder, 'torn.db'), 20, 1);
  expect((await codes('export', 'torn.db', '-t', 'item', '-o', 'out.csv'))[0]).toBe(6);
  expect(readdirSync(folder).filter((name) => name.includes('out.csv'))).toEqual([]);
  writeInFolder(idleApp, 'rows.csv', 'a\n1\n');
  expect((await codes('import', 'rows.csv', '--into', 'noise.db'))[0]).toBe(6);
});

test('a thread of a process that waits for it does the same as a process', async ({ idleApp }) => {
  makeShop(idleApp);
  // The app runs it this way where its own Node loads the engine: see electron/command/launch.ts.
  const script = writeInFolder(
    idleApp,
    'wait.cjs',
    `const { Worker } = require('node:worker_threads');
     const [repository, folder, profile, ...words] = process.argv.slice(2);
     const scriptsIn = repository + '/dist/native';
     const result = new SharedArrayBuffer(8);
     const state = new Int32Array(result);
     const workerData = { words, cwd: folder, scriptsIn, packagesIn: repository, profile, version: '1', result };
     new Worker(scriptsIn + '/command.mjs', { workerData });
     Atomics.wait(state, 0, 0);
     Atomics.wait(state, 0, 1);
     process.exit(state[1]);`,
  );
  const repository = join(import.meta.dirname, '..', '..');
  const run = async (...words: string[]): Promise<readonly [number | null, string]> => {
    const child = spawn(process.execPath, [script, repository, idleApp.folder, idleApp.profile, ...words]);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stdin.end('id,name\n9,gnu\n');
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return [code, out];
  };
  expect(await run('import', '-', '--into', 'shop.db', '-t', 'item')).toEqual([0, '']);
  expect(await run('export', 'shop.db', '-t', 'item', '--where', 'id > 2', '--no-header')).toEqual([
    0,
    '3,cat,3.0\n9,gnu,\n',
  ]);
  expect((await run('export', 'none.db', '-t', 'item'))[0]).toBe(4);
});
