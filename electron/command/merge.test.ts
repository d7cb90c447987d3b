// `sidelite merge`: what it writes and prints, what its exit codes mean, and that OUT is replaced as a whole or not at all.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders, summaryOf } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3);`;
const OURS = `${SHOP} UPDATE item SET price = 9 WHERE id = 2; INSERT INTO item VALUES (10, 'own', 1);`;
const THEIRS = `${SHOP} UPDATE item SET name = 'BEE' WHERE id = 2; INSERT INTO item VALUES (11, 'their', 9007199254740993);`;

let at: CommandFolder;
commandFolders((folder) => (at = folder));

const three = (theirs: string): void => {
  at.database('base.db', SHOP);
  at.database('ours.db', `PRAGMA journal_mode = WAL; ${OURS}`);
  at.database('theirs.db', theirs);
};

test('a merge without conflicts, into another file and into OURS', async () => {
  three(THEIRS);
  const files = readdirSync(at.folder);
  const before = readFileSync(join(at.folder, 'ours.db'));
  const merged = await at.run(['merge', 'base.db', 'ours.db', 'theirs.db', '-o', 'out.db']);
  expect(merged).toMatchObject({ code: 0, out: 'Table item\n  1 added, 1 changed\n', err: '' });
  expect(at.rows('out.db', 'SELECT * FROM item')).toEqual([[1, 'ant', 1.5], [2, 'BEE', 9], [3, 'cat', 3], [10, 'own', 1], [11, 'their', 9007199254740992]]); // prettier-ignore
  expect(at.rows('out.db', 'PRAGMA journal_mode')).toEqual([['wal']]);
  expect(readFileSync(join(at.folder, 'ours.db')).equals(before)).toBe(true);
  const mode = statSync(join(at.folder, 'ours.db')).mode;
  const inPlace = await at.run(['merge', 'base.db', 'ours.db', 'theirs.db', '-o', 'ours.db', '--json']);
  expect([inPlace.code, inPlace.err]).toEqual([0, '']);
  expect(summaryOf(inPlace)).toMatchObject({ ok: true, command: 'merge', conflicts: 0, tables: [{ table: 'item', added: 1, changed: 1 }] }); // prettier-ignore
  expect(at.rows('ours.db', 'SELECT count(*) FROM item')).toEqual([[5]]);
  expect(statSync(join(at.folder, 'ours.db')).mode).toBe(mode);
  expect(readdirSync(at.folder)).toEqual([...files, 'out.db'].sort());
  const again = await at.runInThread(['merge', 'base.db', 'ours.db', 'theirs.db', '-o', 'ours.db']);
  expect(again).toMatchObject({ code: 0, out: '', err: '' });
});

test('conflicts are printed, listed in OUT, and decided by options', async () => {
  three(`${THEIRS} UPDATE item SET price = 8 WHERE id = 2; INSERT INTO item VALUES (10, 'their', 1);`);
  const merge = (...words: string[]) => at.run(['merge', 'base.db', 'ours.db', 'theirs.db', '-o', 'out.db', ...words]);
  const found = await merge();
  expect(found).toMatchObject({ code: 1, err: '' });
  expect(found.out).toContain('2 conflicts, listed in the table sidelite_conflicts.\n');
  expect(at.rows('out.db', "SELECT kind, theirs ->> 'name' FROM sidelite_conflicts ORDER BY id")).toEqual([['both changed', 'BEE'], ['both added', 'their']]); // prettier-ignore
  expect(summaryOf(await merge('--json', '--limit', '1'))).toMatchObject({ conflicts: 2, tables: [{ conflicts: 2, rows: [{ kind: expect.any(String) as unknown }] }] }); // prettier-ignore
  expect(await merge('--theirs')).toMatchObject({ code: 0 });
  expect(at.rows('out.db', 'SELECT * FROM item WHERE id IN (2, 10)')).toEqual([[2, 'BEE', 8], [10, 'their', 1]]); // prettier-ignore
  expect(await at.run(['merge', '--ours', 'item', '-o', 'out.db', 'base.db', 'ours.db', 'theirs.db'])).toMatchObject({ code: 0 }); // prettier-ignore
  expect(at.rows('out.db', 'SELECT * FROM item WHERE id IN (2, 10)')).toEqual([[2, 'BEE', 9], [10, 'own', 1]]); // prettier-ignore
  at.database('ours.db', 'CREATE TABLE sidelite_conflicts (x); INSERT INTO sidelite_conflicts VALUES (1);');
  expect(await merge('--ours')).toMatchObject({ code: 0, err: expect.stringContaining('conflicts of an earlier merge') as unknown }); // prettier-ignore
});

test('wrong words, missing and damaged files, and definitions that both changed leave OUT as it was', async () => {
  three(`${THEIRS} ALTER TABLE item ADD COLUMN a;`);
  at.write('out.db', 'as it was');
  const code = async (...words: string[]): Promise<number | null> => (await at.run(['merge', ...words])).code;
  expect(await code('base.db', 'ours.db', 'theirs.db')).toBe(2);
  expect(await code('base.db', 'ours.db', '-o', 'out.db')).toBe(2);
  expect(await code('base.db', 'ours.db', 'theirs.db', '-o', 'out.db', '--ours', '--theirs')).toBe(2);
  expect(await code('base.db', 'ours.db', 'none.db', '-o', 'out.db')).toBe(4);
  expect(await code('base.db', 'ours.db', 'theirs.db', '-o', 'out.db', '--ours', 'nix')).toBe(4);
  at.write('noise.db', 'no database, but longer than nothing');
  expect(await code('base.db', 'ours.db', 'noise.db', '-o', 'out.db')).toBe(6);
  at.database('ours.db', 'ALTER TABLE item ADD COLUMN b');
  const refused = await at.run(['merge', 'base.db', 'ours.db', 'theirs.db', '-o', 'out.db']);
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Both sides changed the table “item”') as unknown }); // prettier-ignore
  expect(readFileSync(join(at.folder, 'out.db'), 'utf8')).toBe('as it was');
  expect(readdirSync(at.folder).filter((name) => name.startsWith('.'))).toEqual([]);
});
