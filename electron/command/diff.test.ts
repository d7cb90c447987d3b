// `sidelite diff`: what it prints for people and for programs, what its exit codes mean, and that it changes nothing.
import { linkSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3);
  CREATE TABLE tag (item, word);
  INSERT INTO tag VALUES (1, 'old'), (1, 'old'), (2, 'new');`;

let at: CommandFolder;
commandFolders((folder) => (at = folder));

test('differences are printed by key, with exact counts, and say whether the two are equal', async () => {
  at.database('a.db', SHOP);
  at.database('same.db', `PRAGMA page_size = 512; ${SHOP}`);
  at.database(
    'b.db',
    `${SHOP} UPDATE item SET price = 9 WHERE id = 2; DELETE FROM item WHERE id = 1; INSERT INTO item VALUES (7, 'dog' || char(10, 27), NULL);
     DELETE FROM tag WHERE rowid = 1; INSERT INTO tag VALUES (2.0, 'new'); CREATE INDEX by_name ON item (name); PRAGMA user_version = 4;`,
  );
  expect(await at.run(['diff', 'a.db', 'same.db'])).toMatchObject({ code: 0, out: '', err: '' });
  const files = readdirSync(at.folder);
  const before = readFileSync(join(at.folder, 'a.db'));
  const text = await at.run(['diff', 'a.db', 'b.db']);
  expect(text).toMatchObject({ code: 1, err: '' });
  expect(text.out).toBe(`--- a.db
+++ b.db
+ index by_name
  + CREATE INDEX by_name ON item (name)
~ user_version 0 → 4
Table item
  - id=1, name='ant', price=1.5
  ~ id=2: price 2.0 → 9.0
  + id=7, name='dog⏎␛', price=NULL
  1 added, 1 removed, 1 changed
Table tag
  - item=1, word='old'
  + item=2.0, word='new'
  1 added, 1 removed
`);
  expect((await at.run(['diff', 'a.db', 'b.db', '--limit', '1', '-t', 'item'])).out).toContain(
    "Table item\n  - id=1, name='ant', price=1.5\n  1 added, 1 removed, 1 changed (2 rows not shown)\n",
  );
  expect((await at.run(['diff', 'a.db', 'b.db', '--stat', '--color', 'always'])).out).toBe(
    '\u001b[1m--- a.db\u001b[m\n\u001b[1m+++ b.db\u001b[m\n\u001b[32m+ index by_name\u001b[m\n\u001b[33m~ user_version 0 → 4\u001b[m\nitem: 1 added, 1 removed, 1 changed\ntag: 1 added, 1 removed\n',
  );
  const schema = await at.run(['diff', 'b.db', 'a.db', '--schema-only']);
  expect(schema).toMatchObject({ code: 1 });
  expect(schema.out).not.toContain('Table');
  expect(await at.run(['diff', 'a.db', 'b.db', '-t', 'item', '--ignore-column', 'price', '--json'])).toMatchObject({ code: 1 }); // prettier-ignore
  expect(readdirSync(at.folder)).toEqual(files);
  expect(readFileSync(join(at.folder, 'a.db')).equals(before)).toBe(true);
});

test('what cannot be compared is said, and is not equal', async () => {
  const full = `CREATE VIRTUAL TABLE empty USING fts5(a, content='');`;
  at.database('a.db', SHOP + full);
  at.database('b.db', SHOP + full);
  at.database('plain.db', SHOP);
  expect(await at.run(['diff', 'a.db', 'b.db'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('The rows of “empty” were not compared') as unknown,
  });
  expect(await at.run(['diff', 'a.db', 'none.db'])).toMatchObject({ code: 4 });
  expect(await at.run(['diff', 'a.db', 'b.db', '-t', 'nix'])).toMatchObject({ code: 4 });
  expect(await at.run(['diff', 'a.db'])).toMatchObject({ code: 2 });
  expect(await at.run(['diff', 'a.db', 'b.db', '--color', 'pink'])).toMatchObject({ code: 2 });
  expect(await at.run(['diff', '-', '-'])).toMatchObject({ code: 2 });
  at.write('noise.db', 'no database');
  expect(await at.run(['diff', 'noise.db', 'plain.db'])).toMatchObject({ code: 6 });
  expect(await at.run(['diff', 'a.db', '/dev/null', '-t', 'item'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('3 removed') as unknown,
  });
  expect(await at.run(['diff', 'plain.db', 'plain.db'])).toMatchObject({ code: 0, out: '' });
  expect(await at.runInThread(['diff', 'plain.db', '-', '--stat'], '')).toMatchObject({ code: 1 });
  linkSync(join(at.folder, 'plain.db'), join(at.folder, 'link.db'));
  expect(await at.run(['diff', 'link.db', 'plain.db'])).toMatchObject({ code: 0, out: '', err: '' });
});

test('a script makes A what B is, and a stable dump of both is the same then', async () => {
  at.database('a.db', SHOP);
  at.database(
    'b.db',
    `${SHOP} UPDATE item SET price = 9 WHERE id = 2; ALTER TABLE tag ADD COLUMN more; DELETE FROM item WHERE id = 1;`,
  );
  const script = await at.run(['diff', 'a.db', 'b.db', '--sql']);
  expect(script).toMatchObject({ code: 1, err: '' });
  const made = at.database('made.db', SHOP + script.out);
  expect((await at.run(['diff', made, 'b.db', '--stat'])).code).toBe(0);
  const dumps = [await at.run(['dump', 'made.db', '--stable']), await at.run(['dump', 'b.db', '--stable'])];
  expect(dumps[0]).toMatchObject({ code: 0, err: '', out: dumps[1]!.out });
  expect(dumps[0]!.out).toContain('INSERT INTO "item"("id", "name", "price") VALUES(2,\'bee\',9.0);\n');
  expect(await at.run(['diff', 'a.db', 'b.db', '--sql', '--stat'])).toMatchObject({ code: 2, out: '' });
  const whole = await at.run(['diff', '-', 'b.db', '--sql'], '');
  expect(whole).toMatchObject({ code: 1, err: '' });
  at.database('whole.db', whole.out);
  expect((await at.run(['diff', 'whole.db', 'b.db'])).code).toBe(0);
});
