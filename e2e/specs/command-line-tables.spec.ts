// Imports and exports by the command line: the tables and files they make, in every format.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { runCommand, summaryOf, writeInFolder } from '../support/command.ts';
import { query } from '../support/compare-results.ts';
import { makeShop } from '../support/shop-in-place.ts';

/** Every storage class, and what formats lose. */
const HARD = `
  CREATE TABLE hard (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d BLOB);
  INSERT INTO hard VALUES
    (1, '007', 9223372036854775807, 0.1, x'00ff'), (2, '', -9223372036854775808, 1e300, x''),
    (3, NULL, NULL, NULL, NULL), (4, 'a"b,c' || char(10) || 'ü😀', 0, -0.5, x'41'), (5, ' x ', 1, 3.0, NULL);
`;

test('import makes a database and a table with the types of the whole file', async ({ idleApp }) => {
  writeInFolder(idleApp, 'people.csv', 'id,zip,name\n1,00701,Anna\n2,12345,"Béla, the 2nd"\n3,,\n');
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
  writeInFolder(idleApp, 'a.csv', 'id,code\n1,5\n');
  writeInFolder(idleApp, 'b.ndjson', '{"code":"007","id":2}\n');
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
  writeInFolder(idleApp, 'more.csv', 'Name;ID\nbat;2\ncat;3\n');
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
  writeInFolder(idleApp, 'next.csv', 'Name;ID;Note\nbug;2;x\n');
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
  writeInFolder(idleApp, 'bad.csv', 'id,name\n1,ant\n1,twice\n2,bee\n');
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
  writeInFolder(idleApp, 'odd.sql', 'CREATE TABLE a (x);\nINSERT INTO a VALUES (1);\nLOCK TABLES a WRITE;\n');
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
  writeInFolder(idleApp, 'out.csv', 'before');
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
