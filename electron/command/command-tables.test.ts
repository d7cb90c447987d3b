// Imports and exports by the command line: the tables and files they make, in every format.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders, summaryOf } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3);`;

let at: CommandFolder;
commandFolders((folder) => (at = folder));

/** Every storage class, and what formats lose. */
const HARD = `
  CREATE TABLE hard (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d BLOB);
  INSERT INTO hard VALUES
    (1, '007', 9223372036854775807, 0.1, x'00ff'), (2, '', -9223372036854775808, 1e300, x''),
    (3, NULL, NULL, NULL, NULL), (4, 'a"b,c' || char(10) || 'ü😀', 0, -0.5, x'41'), (5, ' x ', 1, 3.0, NULL);
`;

test('import makes a database and a table with the types of the whole file', async () => {
  at.write('people.csv', 'id,zip,name\n1,00701,Anna\n2,12345,"Béla, the 2nd"\n3,,\n');
  const done = await at.run(['import', 'people.csv', '--into', 'new.db', '--json']);
  expect(done.code).toBe(0);
  expect(done.err).toContain('“people.csv” is read as CSV: utf-8, delimiter “,”, names in the first line.');
  expect(summaryOf(done)).toMatchObject({
    ok: true,
    command: 'import',
    table: 'people',
    files: [{ added: 3, problems: 0, options: { delimiter: ',' }, evidence: [{ option: 'encoding' }, {}, {}, {}, {}] }],
  });
  const file = join(at.folder, 'new.db');
  expect(at.rows(file, 'SELECT id, typeof(id), zip, name FROM people')).toEqual([
    [1, 'integer', '00701', 'Anna'],
    [2, 'integer', '12345', 'Béla, the 2nd'],
    [3, 'integer', null, null],
  ]);
  expect(readdirSync(at.folder).filter((name) => name.startsWith('new.db'))).toEqual(['new.db']);
});

test('another reading that is nearly as likely is said with its option', async () => {
  at.write('years.csv', 'k,2019,2021\na,1,2\nb,4,5\n');
  const done = await at.run(['import', 'years.csv', '--into', 'new.db', '--json']);
  expect(done.err).toContain('Also possible with --no-header: First line as data. “2019”');
  expect(summaryOf(done)).toMatchObject({
    files: [{ added: 2, alsoPossible: [{ title: 'First line as data', option: '--no-header' }] }],
  });
});

test('what the name of a file promises wrongly, and what its text becomes in columns of numbers, is said', async () => {
  at.write('page.csv', '<!DOCTYPE html>\n<p>Not found</p>\n');
  const page = await at.run(['import', 'page.csv', '--into', 'new.db', '--json']);
  expect(page.err).toContain('The file contains HTML or XML, of which each line is read as text.');
  at.write('zips.csv', 'id,name,price\n7,owl,007\n');
  const shop = at.database('shop.db', SHOP);
  const zips = await at.run(['import', 'zips.csv', '--into', shop, '-t', 'item', '--append', '--json']);
  expect(zips.err).toContain(
    'A number in “price” (REAL), so it is written differently: 1 value, such as 007 in line 2.',
  );
});

test('several files go into one table, from a pipe too; 007 in the second keeps the column text', async () => {
  at.write('a.csv', 'id,code\n1,5\n');
  at.write('b.ndjson', '{"code":"007","id":2}\n');
  const done = await at.run(
    ['import', 'a.csv', 'b.ndjson', '-', '--into', 'all.db', '-t', 'codes', '--json'],
    'id\tcode\n3\t8\n',
  );
  expect(done.code).toBe(0);
  expect(at.rows('all.db', 'SELECT id, code FROM codes ORDER BY id')).toEqual([
    [1, '5'],
    [2, '007'],
    [3, '8'],
  ]);
});

test('add, replace and update by key; a recipe brings the choices back', async () => {
  const file = at.database(
    'shop.db',
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant'), (2, 'bee')",
  );
  at.write('more.csv', 'Name;ID\nbat;2\ncat;3\n');
  const into = ['--into', 'shop.db', '-t', 'item'];
  const items = (): unknown => at.rows(file, 'SELECT id, name FROM item ORDER BY id');
  const upsert = await at.run(['import', 'more.csv', ...into, '--upsert', 'id', '--save-recipe', 'r.json']);
  expect(upsert).toMatchObject({ code: 0, err: expect.stringContaining('1 added, 1 changed') as unknown });
  expect(items()).toEqual([[1, 'ant'], [2, 'bat'], [3, 'cat']]); // prettier-ignore
  at.write('next.csv', 'Name;ID;Note\nbug;2;x\n');
  const again = await at.run(['import', 'next.csv', '--into', 'shop.db', '--recipe', 'r.json']);
  expect(again.code).toBe(0);
  expect(again.err).toContain('New in this file: “Note”.');
  expect(items()).toEqual([[1, 'ant'], [2, 'bug'], [3, 'cat']]); // prettier-ignore
  const replaced = await at.run(['import', 'more.csv', ...into, '--replace']);
  expect(replaced).toMatchObject({ code: 0, err: expect.stringContaining('2 added, 3 deleted') as unknown });
  expect(items()).toEqual([[2, 'bat'], [3, 'cat']]); // prettier-ignore
  const added = await at.run(['import', 'next.csv', ...into, '--upsert', 'id', '--add-columns']);
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining('New in “item”: “Note”.') as unknown });
  expect(at.rows(file, 'SELECT id, Note FROM item ORDER BY id')).toEqual([[2, 'x'], [3, null]]); // prettier-ignore
  const created = await at.run(['import', 'more.csv', ...into, '--create', '--json']);
  expect(created).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is already a table “item”') as unknown,
  });
  expect(summaryOf(created)).toMatchObject({ ok: false, code: 'exists', exitCode: 1 });
});

test('a recipe replaces nothing but a recipe', async () => {
  const file = at.database('shop.db', 'CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)');
  at.write('more.csv', 'a\n2\n');
  mkdirSync(join(at.folder, 'folder'));
  const save = (name: string) =>
    at.run(['import', 'more.csv', '--into', 'shop.db', '-t', 't', '--append', '--save-recipe', name]);
  expect(await save('./shop.db')).toMatchObject({
    code: 2,
    err: expect.stringContaining('the database itself') as unknown,
  });
  at.database('other.db', 'CREATE TABLE t (a)');
  for (const name of ['other.db', 'more.csv']) {
    const before = readFileSync(join(at.folder, name));
    expect((await save(name)).err).toContain(`“${name}” exists and is no recipe`);
    expect(readFileSync(join(at.folder, name)).equals(before)).toBe(true);
  }
  expect((await save('folder')).code).toBe(1);
  expect(at.rows(file, 'SELECT a FROM t')).toEqual([[1]]);
  at.write('private.json', '');
  chmodSync(join(at.folder, 'private.json'), 0o600);
  expect((await save('private.json')).code).toBe(0);
  expect((await save('private.json')).code).toBe(0);
  if (process.platform !== 'win32') expect(statSync(join(at.folder, 'private.json')).mode & 0o777).toBe(0o600);
  expect(at.rows(file, 'SELECT a FROM t')).toEqual([[1], [2], [2]]); // prettier-ignore
});

test('a file of which no row can be read says where, and what is expected; what is left out of another is said', async () => {
  at.write('bad.json', '[{"a":1,\n  b:2}]');
  const refused = await at.run(['import', 'bad.json', '--into', 'new.db']);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(
    'No row of “bad.json” can be read. The row was left out: “b” is where a key in quotation marks is expected, in line 2, character 3 of the file. Nothing was changed.',
  );
  at.write('part.json', '{"name":"x","tags":[{"t":1},{"t":2}],"n":5}');
  const done = await at.run(['import', 'part.json', '--into', 'tags.db']);
  expect(done.err).toContain('“name” and “n” are left out');
  expect(at.rows('tags.db', 'SELECT * FROM part')).toEqual([[1], [2]]);
  const whole = await at.run(['import', 'part.json', '--into', 'whole.db', '--part', '']);
  expect(whole.code).toBe(0);
  expect(at.rows('whole.db', 'SELECT * FROM part')).toEqual([['x', '[{"t":1},{"t":2}]', 5]]);
  at.write('deep.json', '{"data":{"n":2,"items":[{"a":1},{"a":2}],"more":[{"b":3}]}}');
  const deep = await at.run(['import', 'deep.json', '--into', 'deep.db']);
  expect(deep.err).toContain(
    '“data.items” is the longest list of rows nearest to the top. “data.more” and “data.n” are left out',
  );
  expect(at.rows('deep.db', 'SELECT * FROM deep')).toEqual([[1], [2]]);
  const more = await at.run(['import', 'deep.json', '--into', 'more.db', '--part', 'data.more']);
  expect(more.code).toBe(0);
  expect(at.rows('more.db', 'SELECT * FROM deep')).toEqual([[3]]);
});

test('another database whose texts are UTF-16 is imported, too', async () => {
  at.database(
    'wide.db',
    "PRAGMA encoding = 'UTF-16'; CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO city VALUES (1, 'Zürich 😀')",
  );
  const done = await at.run(['import', 'wide.db', '--into', 'from-wide.db']);
  expect(done).toMatchObject({ code: 0 });
  expect(at.rows('from-wide.db', 'SELECT id, name FROM city')).toEqual([[1, 'Zürich 😀']]);
  expect(at.rows('from-wide.db', 'PRAGMA encoding')).toEqual([['UTF-8']]);
});

test('a file of SQL that makes no table says why', async () => {
  at.write('rows.sql', 'INSERT INTO t VALUES (1);\n');
  const done = await at.run(['import', 'rows.sql', '--into', 'new.db']);
  expect(done.code).toBe(4);
  expect(done.err).toContain('There is no table in “rows.sql”. Line 1: There is no table named “t”. Nothing was');
});

test('bad records are told with their lines or rows, the good ones are in, and the exit code says so', async () => {
  const file = at.database('shop.db', 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  at.write('bad.csv', 'id,name\n1,ant\n1,twice\n2,bee\n');
  at.write('more.json', '[{"id":4,\n"name":null}]');
  const done = await at.run(['import', 'bad.csv', 'more.json', '--into', 'shop.db', '-t', 'item', '--json']);
  expect(done.code).toBe(3);
  expect(done.err).toContain('bad.csv, line 3: ');
  expect(done.err).toContain('more.json, row 1: ');
  const [bad] = (summaryOf(done) as { readonly files: readonly unknown[] }).files;
  expect(bad).toMatchObject({ added: 2, problems: 1, records: [{ line: 3 }] });
  expect(at.rows(file, 'SELECT id, name FROM item')).toEqual([[1, 'ant'], [2, 'bee']]); // prettier-ignore
});

for (const format of ['csv', 'json', 'ndjson'])
  test(`what is exported as ${format} and imported again is the same table`, async () => {
    const from = at.database('hard.db', HARD);
    const options = format === 'csv' ? ['--null-text', '\\N'] : [];
    const columns = 'id, a, b, c';
    const out = `rows.${format}`;
    const exported = await at.run([
      ...['export', 'hard.db', '--sql', `SELECT ${columns} FROM hard`, '-o', out, '--json'],
      ...options,
    ]);
    expect(exported.code).toBe(0);
    expect(summaryOf(exported)).toMatchObject({ format, rows: 5 });
    // Import into a table of the same definition: it decides what the values are.
    const to = at.database('back.db', 'CREATE TABLE hard (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d BLOB)');
    const nulls = format === 'csv' ? ['--null', '\\N'] : [];
    const imported = await at.run(['import', out, '--into', 'back.db', '-t', 'hard', ...nulls]);
    expect(imported).toMatchObject({ code: 0 });
    const rows = `SELECT id, quote(a), quote(b), quote(c) FROM hard ORDER BY id`;
    expect(at.rows(to, rows)).toEqual(at.rows(from, rows));
  });

test('a dump that is exported and run is the same database', async () => {
  const from = at.database('hard.db', HARD);
  const dumped = await at.run(['export', 'hard.db', '--database', '-f', 'dump', '-o', 'all.sql']);
  expect(dumped).toMatchObject({ code: 0, out: '' });
  const to = at.database('back.db', '');
  expect(await at.run(['run', 'all.sql', 'back.db'])).toMatchObject({ code: 0 });
  const rows = 'SELECT quote(id), quote(a), quote(b), quote(c), quote(d) FROM hard ORDER BY id';
  expect(at.rows(to, rows)).toEqual(at.rows(from, rows));
});

test('dumps and SQLite files come in table by table, and what is not understood is named', async () => {
  const from = at.database(
    'hard.db',
    `${HARD} CREATE INDEX by_a ON hard (a); CREATE TABLE other (x); INSERT INTO other VALUES (1);`,
  );
  const rows = 'SELECT id, quote(a), quote(b), quote(c), quote(d) FROM hard ORDER BY id';
  await at.run(['export', 'hard.db', '--database', '-f', 'dump', '-o', 'all.sql']);
  for (const name of ['all.sql', 'hard.db']) {
    const into = join(at.folder, `from-${name}.db`);
    const done = await at.run(['import', name, '--into', into, '--json']);
    expect(done.code).toBe(0);
    expect(at.rows(into, rows)).toEqual(at.rows(from, rows));
    expect(at.rows(into, 'SELECT name FROM sqlite_schema ORDER BY name')).toEqual([['by_a'], ['hard'], ['other']]);
  }
  const one = ['import', 'hard.db', '--into', 'one.db', '--part', 'other'];
  expect((await at.run(one)).code).toBe(0);
  const again = await at.run([...one, '--json']);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('With --append') as unknown });
  expect((await at.run([...one, '--append'])).code).toBe(0);
  expect(at.rows('one.db', 'SELECT x FROM other')).toEqual([[1], [1]]);
  expect((await at.run([...one, '--upsert', 'x'])).err).toContain('--upsert is for rows');
  at.write('odd.sql', 'CREATE TABLE a (x);\nINSERT INTO a VALUES (1);\nLOCK TABLES a WRITE;\n');
  const odd = await at.run(['import', 'odd.sql', '--into', 'odd.db', '--dialect', 'sqlite']);
  expect(odd).toMatchObject({ code: 3, err: expect.stringContaining('odd.sql, line 3: ') as unknown });
  expect(at.rows('odd.db', 'SELECT x FROM a')).toEqual([[1]]);
  expect((await at.run(['import', 'odd.sql', '--into', 'odd.db', '--dialect', 'oracle'])).code).toBe(2);
  at.write('rows.sql', "INSERT INTO `a` VALUES ('it\\'s');\n");
  expect((await at.run(['import', 'rows.sql', '--into', 'odd.db'])).code).toBe(0);
  expect(at.rows('odd.db', 'SELECT x FROM a')).toEqual([[1], ["it's"]]);
});

test.skipIf(process.platform === 'win32')(
  'standard output has other names, and what the shell has put it into goes on',
  async () => {
    at.database('shop.db', SHOP);
    const rows = 'name\nant\n';
    const words = ['export', 'shop.db', '--sql', 'SELECT name FROM item WHERE id = 1'];
    expect(await at.run([...words, '-o', '/dev/stdout'])).toMatchObject({ code: 0, out: rows });
    const device = await at.run([...words, '-o', '/dev/null']);
    expect(device).toMatchObject({ code: 0, out: '' });
  },
);

test('export writes to standard output, filtered, in every text format; OUT is replaced whole', async () => {
  at.database('shop.db', SHOP);
  const list = await at.run(['export', 'shop.db', '--format', 'list']);
  expect(list.out).toContain('markdown');
  const some = ['export', 'shop.db', '-t', 'item', '--where', 'price >= 2'];
  expect((await at.run(some)).out).toBe('id,name,price\n2,bee,2.0\n3,cat,3.0\n');
  expect((await at.run([...some, '-f', 'md', '--json'])).code).toBe(2);
  expect((await at.run([...some, '-f', 'md'])).out).toContain('| 2 | bee | 2.0 |');
  expect((await at.run([...some, '--no-header', '--delimiter', ';'])).out).toBe('2;bee;2.0\n3;cat;3.0\n');
  const wrong = await at.run([...some, '-f', 'json', '--delimiter', ';']);
  expect(wrong).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('json has no option --delimiter') as unknown,
  });
  at.write('out.csv', 'before');
  expect((await at.run(['export', 'shop.db', '-t', 'none', '-o', 'out.csv'])).code).toBe(4);
  expect(readFileSync(join(at.folder, 'out.csv'), 'utf8')).toBe('before');
  expect((await at.run([...some, '-o', 'out.csv'])).code).toBe(0);
  expect(readFileSync(join(at.folder, 'out.csv'), 'utf8')).toContain('bee');
  expect((await at.run([...some, '-o', 'shop.db'])).err).toContain('OUT is the database itself');
});

test('several tables go into a folder, and BLOBs into files beside the rows', async () => {
  const { folder } = at;
  at.database(
    'two.db',
    "CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE TABLE b (y BLOB); INSERT INTO b VALUES (x'00ff')",
  );
  mkdirSync(join(folder, 'out'));
  expect((await at.run(['export', 'two.db', '-t', 'a', '-t', 'b', '-o', 'out'])).code).toBe(0);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['a.csv', 'b.csv']);
  const blobs = ['export', 'two.db', '-t', 'b', '--blobs', 'files'];
  expect(await at.run(blobs)).toMatchObject({ code: 1, out: '' });
  expect((await at.run([...blobs, '-o', 'b.csv'])).code).toBe(0);
  const [name] = readdirSync(join(folder, 'b_files'));
  expect(readFileSync(join(folder, 'b.csv'), 'utf8')).toContain(`b_files/${name}`);
  expect([...readFileSync(join(folder, 'b_files', name!))]).toEqual([0, 255]);
});

test('a database is imported without what cannot be created, which is listed', async () => {
  at.database(
    'from.db',
    `CREATE TABLE word (a TEXT); INSERT INTO word VALUES ('x'); CREATE INDEX by_a ON word (a);
     CREATE VIEW broken AS SELECT b FROM nowhere`,
  );
  at.database('into.db', 'CREATE TABLE other (a); CREATE INDEX by_a ON other (a)');
  const done = await at.run(['import', 'from.db', '--into', 'into.db', '--json']);
  expect(done).toMatchObject({ code: 3, err: expect.stringContaining('The index “by_a” was left out.') as unknown });
  expect(summaryOf(done)).toMatchObject({
    files: [{ leftOut: [{ kind: 'index', name: 'by_a', reason: 'Something with this name already exists.' }] }],
  });
  expect(at.rows('into.db', "SELECT name FROM sqlite_schema WHERE type = 'view'")).toEqual([['broken']]);
  const again = await at.run(['import', 'from.db', '--into', 'fresh.db', '--json']);
  expect(again.code).toBe(0);
});

test('a database is written as a dump to a .sql file, and a table as statements', async () => {
  at.database(
    'from.db',
    "CREATE TABLE word (a TEXT); INSERT INTO word VALUES ('x'); CREATE VIEW v AS SELECT a FROM word",
  );
  expect(await at.run(['export', 'from.db', '--database', '-o', 'all.sql'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(at.folder, 'all.sql'), 'utf8')).toContain('PRAGMA foreign_keys=OFF;');
  expect(await at.run(['export', 'from.db', '--table', 'word', '-o', 'word.sql'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(at.folder, 'word.sql'), 'utf8')).not.toContain('PRAGMA');
});
