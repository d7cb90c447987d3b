// The command line without a window: each command as a process of its own, what it answers, and what it leaves behind.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { corruptPages, truncateTo, writeNoise } from '../data/damaged.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { makeShop } from '../support/shop-in-place.ts';

const isRoot = process.getuid?.() === 0;

function write(app: SideliteApp, name: string, text: string | Uint8Array): string {
  const path = join(app.folder, name);
  writeFileSync(path, text);
  return path;
}

const summaryOf = ({ out }: { readonly out: string }): Record<string, unknown> =>
  JSON.parse(out) as Record<string, unknown>;

/** Every storage class, and what formats lose. */
const HARD = `
  CREATE TABLE hard (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d BLOB);
  INSERT INTO hard VALUES
    (1, '007', 9223372036854775807, 0.1, x'00ff'), (2, '', -9223372036854775808, 1e300, x''),
    (3, NULL, NULL, NULL, NULL), (4, 'a"b,c' || char(10) || 'ü😀', 0, -0.5, x'41'), (5, ' x ', 1, 3.0, NULL);
`;

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

test('import makes a database and a table with the types of the whole file', async ({ idleApp }) => {
  write(idleApp, 'people.csv', 'id,zip,name\n1,00701,Anna\n2,12345,"Béla, the 2nd"\n3,,\n');
  const done = await runCommand(idleApp, ['import', 'people.csv', '--into', 'new.db', '--json']);
  expect(done.code).toBe(0);
  expect(summaryOf(done)).toMatchObject({
    ok: true,
    command: 'import',
    table: 'people',
    files: [{ added: 3, problems: 0 }],
  });
  const file = join(idleApp.folder, 'new.db');
  expect(query(file, 'SELECT id, typeof(id), zip, name FROM people')).toEqual([
    [1, 'integer', '00701', 'Anna'],
    [2, 'integer', '12345', 'Béla, the 2nd'],
    [3, 'integer', null, null],
  ]);
  expect(readdirSync(idleApp.folder).filter((name) => name.startsWith('new.db'))).toEqual(['new.db']);
});

test('several files go into one table, from a pipe too; 007 in the second keeps the column text', async ({
  idleApp,
}) => {
  write(idleApp, 'a.csv', 'id,code\n1,5\n');
  write(idleApp, 'b.ndjson', '{"code":"007","id":2}\n');
  const done = await runCommand(
    idleApp,
    ['import', 'a.csv', 'b.ndjson', '-', '--into', 'all.db', '-t', 'codes', '--json'],
    { input: 'id\tcode\n3\t8\n' },
  );
  expect(done.code).toBe(0);
  expect(query(join(idleApp.folder, 'all.db'), 'SELECT id, code FROM codes ORDER BY id')).toEqual([
    [1, '5'],
    [2, '007'],
    [3, '8'],
  ]);
});

test('add, replace and update by key; a recipe brings the choices back', async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'shop.db'), {
    kind: 'sql',
    sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant'), (2, 'bee')",
  });
  write(idleApp, 'more.csv', 'Name;ID\nbat;2\ncat;3\n');
  const into = ['--into', 'shop.db', '-t', 'item'];
  const items = (): unknown => query(file, 'SELECT id, name FROM item ORDER BY id');
  const upsert = await runCommand(idleApp, [
    'import',
    'more.csv',
    ...into,
    '--upsert',
    'id',
    '--save-recipe',
    'r.json',
  ]);
  expect(upsert).toMatchObject({ code: 0, err: expect.stringContaining('1 added, 1 changed') as unknown });
  expect(items()).toEqual([[1, 'ant'], [2, 'bat'], [3, 'cat']]); // prettier-ignore
  write(idleApp, 'next.csv', 'Name;ID;Note\nbug;2;x\n');
  const again = await runCommand(idleApp, ['import', 'next.csv', '--into', 'shop.db', '--recipe', 'r.json']);
  expect(again.code).toBe(0);
  expect(again.err).toContain('New in this file: “Note”.');
  expect(items()).toEqual([[1, 'ant'], [2, 'bug'], [3, 'cat']]); // prettier-ignore
  const replaced = await runCommand(idleApp, ['import', 'more.csv', ...into, '--replace']);
  expect(replaced).toMatchObject({ code: 0, err: expect.stringContaining('2 added, 3 deleted') as unknown });
  expect(items()).toEqual([[2, 'bat'], [3, 'cat']]); // prettier-ignore
  const added = await runCommand(idleApp, ['import', 'next.csv', ...into, '--upsert', 'id', '--add-columns']);
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining('New in “item”: “Note”.') as unknown });
  expect(query(file, 'SELECT id, Note FROM item ORDER BY id')).toEqual([[2, 'x'], [3, null]]); // prettier-ignore
  const created = await runCommand(idleApp, ['import', 'more.csv', ...into, '--create', '--json']);
  expect(created).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is already a table “item”') as unknown,
  });
  expect(summaryOf(created)).toMatchObject({ ok: false, code: 'exists', exitCode: 1 });
});

test('bad records are told with their lines, the good ones are in, and the exit code says so', async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'shop.db'), {
    kind: 'sql',
    sql: 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  });
  write(idleApp, 'bad.csv', 'id,name\n1,ant\n1,twice\n2,bee\n');
  const done = await runCommand(idleApp, ['import', 'bad.csv', '--into', 'shop.db', '-t', 'item', '--json']);
  expect(done.code).toBe(3);
  expect(done.err).toContain('bad.csv, line 3: ');
  expect(summaryOf(done)).toMatchObject({ ok: true, files: [{ added: 2, problems: 1, records: [{ line: 3 }] }] });
  expect(query(file, 'SELECT id, name FROM item')).toEqual([[1, 'ant'], [2, 'bee']]); // prettier-ignore
});

for (const format of ['csv', 'json', 'ndjson'])
  test(`what is exported as ${format} and imported again is the same table`, async ({ idleApp }) => {
    const from = makeDatabase(join(idleApp.folder, 'hard.db'), { kind: 'sql', sql: HARD });
    const options = format === 'csv' ? ['--null-text', '\\N'] : [];
    const columns = 'id, a, b, c';
    const out = `rows.${format}`;
    const exported = await runCommand(idleApp, [
      ...['export', 'hard.db', '--sql', `SELECT ${columns} FROM hard`, '-o', out, '--json'],
      ...options,
    ]);
    expect(exported.code).toBe(0);
    expect(summaryOf(exported)).toMatchObject({ format, rows: 5 });
    // Import into a table of the same definition: it decides what the values are.
    const to = makeDatabase(join(idleApp.folder, 'back.db'), {
      kind: 'sql',
      sql: 'CREATE TABLE hard (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d BLOB)',
    });
    const nulls = format === 'csv' ? ['--null', '\\N'] : [];
    const imported = await runCommand(idleApp, ['import', out, '--into', 'back.db', '-t', 'hard', ...nulls]);
    expect(imported).toMatchObject({ code: 0 });
    const rows = `SELECT id, quote(a), quote(b), quote(c) FROM hard ORDER BY id`;
    expect(query(to, rows)).toEqual(query(from, rows));
  });

test('a dump that is exported and run is the same database', async ({ idleApp }) => {
  const from = makeDatabase(join(idleApp.folder, 'hard.db'), { kind: 'sql', sql: HARD });
  const dumped = await runCommand(idleApp, ['export', 'hard.db', '--database', '-f', 'dump', '-o', 'all.sql']);
  expect(dumped).toMatchObject({ code: 0, out: '' });
  const to = makeDatabase(join(idleApp.folder, 'back.db'), { kind: 'sql', sql: '' });
  expect(await runCommand(idleApp, ['run', 'all.sql', 'back.db'])).toMatchObject({ code: 0 });
  const rows = 'SELECT quote(id), quote(a), quote(b), quote(c), quote(d) FROM hard ORDER BY id';
  expect(query(to, rows)).toEqual(query(from, rows));
});

test('dumps and SQLite files come in table by table, and what is not understood is named', async ({ idleApp }) => {
  const from = makeDatabase(join(idleApp.folder, 'hard.db'), {
    kind: 'sql',
    sql: `${HARD} CREATE INDEX by_a ON hard (a); CREATE TABLE other (x); INSERT INTO other VALUES (1);`,
  });
  const rows = 'SELECT id, quote(a), quote(b), quote(c), quote(d) FROM hard ORDER BY id';
  await runCommand(idleApp, ['export', 'hard.db', '--database', '-f', 'dump', '-o', 'all.sql']);
  for (const name of ['all.sql', 'hard.db']) {
    const into = join(idleApp.folder, `from-${name}.db`);
    const done = await runCommand(idleApp, ['import', name, '--into', into, '--json']);
    expect(done.code).toBe(0);
    expect(query(into, rows)).toEqual(query(from, rows));
    expect(query(into, 'SELECT name FROM sqlite_schema ORDER BY name')).toEqual([['by_a'], ['hard'], ['other']]);
  }
  const one = ['import', 'hard.db', '--into', 'one.db', '--part', 'other'];
  expect((await runCommand(idleApp, one)).code).toBe(0);
  const again = await runCommand(idleApp, [...one, '--json']);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('With --append') as unknown });
  expect((await runCommand(idleApp, [...one, '--append'])).code).toBe(0);
  expect(query(join(idleApp.folder, 'one.db'), 'SELECT x FROM other')).toEqual([[1], [1]]);
  expect((await runCommand(idleApp, [...one, '--upsert', 'x'])).err).toContain('--upsert is for rows');
  write(idleApp, 'odd.sql', 'CREATE TABLE a (x);\nINSERT INTO a VALUES (1);\nLOCK TABLES a WRITE;\n');
  const odd = await runCommand(idleApp, ['import', 'odd.sql', '--into', 'odd.db']);
  expect(odd).toMatchObject({ code: 3, err: expect.stringContaining('odd.sql, line 3: ') as unknown });
  expect(query(join(idleApp.folder, 'odd.db'), 'SELECT x FROM a')).toEqual([[1]]);
});

test('export writes to standard output, filtered, in every text format; OUT is replaced whole', async ({ idleApp }) => {
  makeShop(idleApp);
  const list = await runCommand(idleApp, ['export', 'shop.db', '--format', 'list']);
  expect(list.out).toContain('markdown');
  const some = ['export', 'shop.db', '-t', 'item', '--where', 'price >= 2'];
  expect((await runCommand(idleApp, some)).out).toBe('id,name,price\n2,bee,2.0\n3,cat,3.0\n');
  expect((await runCommand(idleApp, [...some, '-f', 'md', '--json'])).code).toBe(2);
  expect((await runCommand(idleApp, [...some, '-f', 'md'])).out).toContain('| 2 | bee | 2.0 |');
  expect((await runCommand(idleApp, [...some, '--no-header', '--delimiter', ';'])).out).toBe('2;bee;2.0\n3;cat;3.0\n');
  const wrong = await runCommand(idleApp, [...some, '-f', 'json', '--delimiter', ';']);
  expect(wrong).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('json has no option --delimiter') as unknown,
  });
  write(idleApp, 'out.csv', 'before');
  expect((await runCommand(idleApp, ['export', 'shop.db', '-t', 'none', '-o', 'out.csv'])).code).toBe(4);
  expect(readFileSync(join(idleApp.folder, 'out.csv'), 'utf8')).toBe('before');
  expect((await runCommand(idleApp, [...some, '-o', 'out.csv'])).code).toBe(0);
  expect(readFileSync(join(idleApp.folder, 'out.csv'), 'utf8')).toContain('bee');
  expect((await runCommand(idleApp, [...some, '-o', 'shop.db'])).err).toContain('OUT is the database itself');
});

test('several tables go into a folder, and BLOBs into files beside the rows', async ({ idleApp }) => {
  const { folder } = idleApp;
  makeDatabase(join(folder, 'two.db'), {
    kind: 'sql',
    sql: "CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE TABLE b (y BLOB); INSERT INTO b VALUES (x'00ff')",
  });
  mkdirSync(join(folder, 'out'));
  expect((await runCommand(idleApp, ['export', 'two.db', '-t', 'a', '-t', 'b', '-o', 'out'])).code).toBe(0);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['a.csv', 'b.csv']);
  const blobs = ['export', 'two.db', '-t', 'b', '--blobs', 'files'];
  expect(await runCommand(idleApp, blobs)).toMatchObject({ code: 1, out: '' });
  expect((await runCommand(idleApp, [...blobs, '-o', 'b.csv'])).code).toBe(0);
  const [name] = readdirSync(join(folder, 'b_files'));
  expect(readFileSync(join(folder, 'b.csv'), 'utf8')).toContain(`b_files/${name}`);
  expect([...readFileSync(join(folder, 'b_files', name!))]).toEqual([0, 255]);
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
  expect(together).toMatchObject({ code: 1, err: expect.stringContaining('Line 2, column 1') as unknown });
  expect(names()).toEqual([['emu'], ['bee'], ['cat']]);
  expect((await runCommand(idleApp, ['run', '-', 'shop.db'], broken)).code).toBe(1);
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
  write(idleApp, 'rows.csv', 'a\n1\n');
  expect((await codes('import', 'rows.csv', '--into', 'noise.db'))[0]).toBe(6);
});

test('a database that another program has locked is waited for, and given up after --wait', async ({ idleApp }) => {
  const file = makeShop(idleApp);
  write(idleApp, 'rows.csv', 'id,name\n7,emu\n');
  const other = new Sqlite(file);
  other.exec('BEGIN EXCLUSIVE');
  const words = ['import', 'rows.csv', '--into', 'shop.db', '-t', 'item'];
  const given = await runCommand(idleApp, [...words, '--wait', '0.3']);
  expect(given).toMatchObject({ code: 5, err: expect.stringContaining('still locked by') as unknown });
  const waiting = startCommand(idleApp, [...words, '--wait', '30']);
  // It has the file open by then, as its own lock on the history says.
  await expect.poll(() => existsSync(join(idleApp.profile, 'history-of-files'))).toBe(true);
  other.exec('COMMIT');
  other.close();
  expect(await waiting.ended).toMatchObject({ code: 0 });
  expect(query(file, 'SELECT count(*) FROM item')).toEqual([[4]]);
});

/** Long enough to be stopped in the middle. */
function writeMany(app: SideliteApp): string {
  const rows = Array.from({ length: 1_500_000 }, (_, at) => `${at},text ${at}\n`);
  return write(app, 'many.csv', `id,name\n${rows.join('')}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends an import, and the database is as before`, async ({ idleApp }) => {
    const file = makeShop(idleApp);
    writeMany(idleApp);
    const before = readFileSync(file);
    const running = startCommand(idleApp, ['import', 'many.csv', '--into', 'shop.db', '--progress']);
    await running.says(/\d rows: /);
    running.child.kill(signal);
    const ended = await running.ended;
    // Shells call either 128 and the number of the signal.
    expect([ended.code, ended.signal]).toEqual(
      ended.signal === null ? [signal === 'SIGINT' ? 130 : 143, null] : [null, signal],
    );
    await expect
      .poll(() => readdirSync(idleApp.folder).filter((name) => name.startsWith('shop.db')))
      .toEqual(['shop.db']);
    expect(integrityOf(file)).toBe('ok');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

test('a reader that has seen enough ends an export without a word', async ({ idleApp }) => {
  makeShop(idleApp);
  const numbers = 'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) SELECT i FROM n';
  const running = startCommand(idleApp, ['export', 'shop.db', '--sql', numbers]);
  running.child.stdout!.once('data', () => running.child.stdout!.destroy());
  expect(await running.ended).toMatchObject({ code: 141, err: '' });
});

test.describe('on a small disk', () => {
  test.skip(!isRoot, 'only root can mount a disk of a given size');
  let disk = '';
  test.beforeEach(({ idleApp }) => {
    disk = join(idleApp.folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
  });
  test.afterEach(() => void execFileSync('umount', ['-l', disk]));

  test('a full disk has its own exit code, and nothing half done is left', async ({ idleApp }) => {
    writeMany(idleApp);
    const imported = await runCommand(idleApp, ['import', 'many.csv', '--into', 'disk/new.db']);
    expect(imported).toMatchObject({ code: 7, err: expect.stringMatching(/full/) as unknown });
    expect(readdirSync(disk)).toEqual([]);
    expect((await runCommand(idleApp, ['import', 'many.csv', '--into', 'large.db'])).code).toBe(0);
    const exported = await runCommand(idleApp, ['export', 'large.db', '-t', 'many', '-o', 'disk/out.csv']);
    expect(exported).toMatchObject({ code: 7, err: expect.stringMatching(/disk is full/) as unknown });
    expect(readdirSync(disk)).toEqual([]);
  });
});

test('what a command did is undone in the window, and what it does meanwhile appears there', async ({ idleApp }) => {
  const file = makeShop(idleApp);
  write(idleApp, 'rows.csv', 'id,name\n7,emu\n');
  const words = ['import', 'rows.csv', '--into', 'shop.db', '-t', 'item'];
  expect((await runCommand(idleApp, words)).code).toBe(0);
  idleApp.opensFiles = 'in-place';
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  const grid = await view.openTable('item');
  await expect(grid.cell(3, 'name')).toHaveText('emu');
  await grid.cell(0, 'name').click();
  await view.page.keyboard.press('Control+z');
  await expect(view.messages).toContainText(/Undid: .*Import rows.csv/);
  await expect.poll(() => query(file, 'SELECT count(*) FROM item')).toEqual([[3]]);
  // A running app keeps the history itself: it notices what comes from outside.
  write(idleApp, 'more.csv', 'id,name\n8,fox\n');
  expect((await runCommand(idleApp, ['import', 'more.csv', '--into', 'shop.db', '-t', 'item'])).code).toBe(0);
  await expect(grid.cell(3, 'name')).toHaveText('fox');
  expect(integrityOf(file)).toBe('ok');
});

test('a table opens filtered and read-only: nothing can be written, and the window says why', async ({ idleApp }) => {
  const file = makeShop(idleApp);
  const before = readFileSync(file);
  const view = new AppWindow(await idleApp.start(file, '--table', 'ITEM', '--where', 'price >= 2', '--read-only'));
  await view.opened('shop.db');
  const grid = view.grid('Rows of item');
  await expect(grid.cell(0, 'name')).toHaveText('bee');
  await expect(grid.cell(1, 'name')).toHaveText('cat');
  await expect(view.page.getByRole('textbox', { name: 'WHERE condition' })).toHaveValue('price >= 2');
  await expect(view.status).toContainText('read-only');
  await expect(view.page.getByRole('button', { name: 'Database: shop.db in place, read-only' })).toBeVisible();
  await view.page.getByText('read-only', { exact: true }).hover();
  await expect(view.page.getByText('opened read-only, as requested')).toBeVisible();
  await view.page.mouse.move(0, 0);
  await view.page.screenshot({ path: test.info().outputPath('read-only.png') });
  await grid.click(0, 'name', { double: true });
  await expect(view.messages).toContainText('opened read-only');
  await expect(grid.editor).toHaveCount(0);
  await view.runSql("UPDATE item SET name = 'emu'");
  await expect(view.page.getByRole('list', { name: 'Messages' })).toContainText(/as requested\..* Nothing was changed/);
  // It stays so when the page is reloaded.
  await view.page.reload();
  await view.opened('shop.db');
  await expect(view.status).toContainText('read-only');
  // Changes by others appear.
  const other = new Sqlite(file);
  other.exec("UPDATE item SET name = 'fox' WHERE id = 2");
  other.close();
  await view.page.getByRole('tab', { name: /item/ }).click();
  await expect(view.grid('Rows of item').cell(0, 'name')).toHaveText('fox');
  await idleApp.quit();
  expect(query(file, 'SELECT name FROM item WHERE id = 1')).toEqual([['ant']]);
  expect(before.length).toBe(readFileSync(file).length);
});

test('a second start shows its table in the window that runs; a file open for changes is not also read-only', async ({
  idleApp,
}) => {
  const file = makeShop(idleApp);
  idleApp.opensFiles = 'in-place';
  const view = new AppWindow(await idleApp.start(file));
  await view.opened('shop.db');
  expect((await runCommand(idleApp, [file, '--table', 'item', '--where', 'id = 3'])).code).toBe(0);
  const grid = view.grid('Rows of item');
  await expect(grid.cell(0, 'name')).toHaveText('cat');
  await runCommand(idleApp, [file, '--read-only']);
  await expect(view.dialog).toContainText('already open for changes');
  await view.page.keyboard.press('Enter');
  await grid.edit(0, 'name', 'cow');
  await expect.poll(() => query(file, 'SELECT name FROM item WHERE id = 3')).toEqual([['cow']]);
});

test('a thread of a process that waits for it does the same as a process', async ({ idleApp }) => {
  makeShop(idleApp);
  // The app runs it this way where its own Node loads the engine: see electron/command/launch.ts.
  const script = write(
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
