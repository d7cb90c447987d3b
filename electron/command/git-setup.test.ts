// `sidelite git-setup` in real repositories: what it writes, what Git does with it, and that all of it can be taken back.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders, type CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { withBlock, withoutBlock } from './git-setup.ts';

const ITEM = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, n INT); INSERT INTO item VALUES (1, 'ant', 1), (2, 'bee', 2), (3, 'cat', 3);`;
const ALL = 'SELECT id, name, n FROM item ORDER BY id';
const HAS_GIT = spawnSync('git', ['--version']).status === 0 && process.platform !== 'win32';
const IDENTITY = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];

let at: CommandFolder;
commandFolders((folder) => (at = folder));

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

const run = (folder: string, words: readonly string[], program = 'git'): Ran => {
  const { status, stdout, stderr } = spawnSync(program, program === 'git' ? [...IDENTITY, ...words] : words, { cwd: folder, encoding: 'utf8' }); // prettier-ignore
  return { code: status, out: stdout + stderr };
};
const git = (...words: string[]): Ran => run(at.folder, words);
const must = (...words: string[]): string =>
  execFileSync('git', [...IDENTITY, ...words], { cwd: at.folder, encoding: 'utf8', stdio: 'pipe' });

function repository(): string {
  must('init', '-q', '-b', 'main');
  at.database('shop.db', ITEM);
  must('add', '.');
  must('commit', '-q', '-m', 'one');
  return at.program();
}

const commit = (sql: string): void => {
  at.database('shop.db', sql);
  must('commit', '-q', '-a', '-m', sql.slice(0, 40));
};

test.skipIf(!HAS_GIT)('writes after it was shown, and takes exactly that back', () => {
  const program = repository();
  at.write('.gitattributes', '*.png binary');
  const read = (): string => ['.git/config', '.gitattributes'].map((name) => readFileSync(join(at.folder, name), 'utf8')).join('\0'); // prettier-ignore
  const before = read();
  const shown = run(at.folder, ['git-setup'], program);
  expect(shown.code).toBe(0);
  expect(shown.out).toContain('  *.db -text diff=sidelite merge=sidelite\n');
  expect(shown.out).toContain(`  merge.sidelite.driver = ${program} merge %O %A %B -o %A\n`);
  expect(shown.out).toContain('Nothing was written yet.');
  expect(read()).toBe(before);
  mkdirSync(join(at.folder, 'deep'));
  expect(run(join(at.folder, 'deep'), ['git-setup', '--yes'], program).code).toBe(0);
  expect(must('check-attr', 'merge', 'diff', 'text', '--', 'a/b.sqlite')).toContain('a/b.sqlite: merge: sidelite\na/b.sqlite: diff: sidelite\na/b.sqlite: text: unset\n'); // prettier-ignore
  expect(run(at.folder, ['git-setup', '--yes'], program).out).toContain('All of it is written already.');
  expect(run(at.folder, ['git-setup', '--yes', '--pattern', '*.data'], program).code).toBe(0);
  expect(must('check-attr', 'merge', '--', 'a.data', 'a.db')).toBe(
    'a.data: merge: sidelite\na.db: merge: unspecified\n',
  );
  must('config', 'diff.sidelite.cachetextconv', 'true');
  must('config', '--unset', 'diff.sidelite.cachetextconv');
  const undo = run(at.folder, ['git-setup', '--undo', '--yes'], program);
  expect(undo.code).toBe(0);
  expect(read()).toBe(before);
  expect(run(at.folder, ['git-setup', '--undo', '--yes'], program).out).toContain('There is nothing to undo.');
  expect(run(at.folder, ['git-setup', '--pattern', 'a b'], program).code).toBe(2);
  must('config', 'merge.sidelite.driver', 'mine %A');
  expect(run(at.folder, ['git-setup', '--yes'], program)).toMatchObject({ code: 1, out: expect.stringContaining('that Sidelite did not write') as unknown }); // prettier-ignore
  expect(read().split('\0')[1]).toBe('*.png binary');
});

test.skipIf(!HAS_GIT)('git merge, rebase, cherry-pick, and stash merge rows', () => {
  const program = repository();
  run(at.folder, ['git-setup', '--yes'], program);
  must('add', '.gitattributes');
  must('commit', '-q', '-m', 'attributes');
  must('checkout', '-q', '-b', 'side');
  commit("UPDATE item SET name = 'BEE' WHERE id = 2; INSERT INTO item VALUES (20, 'side', 20);");
  must('checkout', '-q', 'main');
  commit("UPDATE item SET n = 9 WHERE id = 2; INSERT INTO item VALUES (10, 'main', 10);");
  expect(git('merge', '-q', '--no-edit', 'side').code).toBe(0);
  const both = [[1, 'ant', 1], [2, 'BEE', 9], [3, 'cat', 3], [10, 'main', 10], [20, 'side', 20]]; // prettier-ignore
  expect(at.rows('shop.db', ALL)).toEqual(both);
  expect(must('show', '--format=', '-m', '--first-parent', 'HEAD')).toContain(`+INSERT INTO "item"("id", "name", "n") VALUES(20,'side',20);`); // prettier-ignore
  must('reset', '-q', '--hard', 'HEAD~');
  must('checkout', '-q', 'side');
  expect(git('rebase', '-q', 'main').code).toBe(0);
  expect(at.rows('shop.db', ALL)).toEqual(both);
  at.database('shop.db', 'UPDATE item SET n = 77 WHERE id = 3;');
  must('stash', '-q');
  commit("INSERT INTO item VALUES (30, 'later', 30);");
  expect(git('stash', 'pop').code).toBe(0);
  expect(at.rows('shop.db', 'SELECT id, n FROM item WHERE id IN (3, 30)')).toEqual([[3, 77], [30, 30]]); // prettier-ignore
  expect(git('diff').out).toContain(`-INSERT INTO "item"("id", "name", "n") VALUES(3,'cat',3);`);
  expect(readdirSync(at.folder).filter((name) => name.startsWith('.merge') || name.includes('.part'))).toEqual([]);
});

test.skipIf(!HAS_GIT)('a conflict is one for Git, too, also in a worktree, and ends when it is committed', () => {
  const program = repository();
  run(at.folder, ['git-setup', '--yes'], program);
  must('add', '.gitattributes');
  must('commit', '-q', '-m', 'attributes');
  must('checkout', '-q', '-b', 'side');
  commit("UPDATE item SET name = 'side' WHERE id = 2; INSERT INTO item VALUES (20, 'side', 20);");
  must('checkout', '-q', 'main');
  commit("UPDATE item SET name = 'main' WHERE id = 2;");
  must('worktree', 'add', '-q', join(at.folder, '..', 'tree with spaces'), '-b', 'tree');
  const tree = join(at.folder, '..', 'tree with spaces');
  const merged = run(tree, ['merge', 'side']);
  expect(merged.code).toBe(1);
  expect(merged.out).toContain("  ! id=2: both changed\n      base    name='bee'\n      ours    name='main'\n      theirs  name='side'\n"); // prettier-ignore
  expect(run(tree, ['status', '--porcelain']).out).toContain('UU shop.db');
  const path = join(tree, 'shop.db');
  expect(at.rows(path, ALL)).toEqual([[1, 'ant', 1], [2, 'main', 2], [3, 'cat', 3], [20, 'side', 20]]); // prettier-ignore
  const [[sql]] = at.rows(path, 'SELECT take_theirs FROM sidelite_conflicts') as [[string]];
  at.database(join('..', 'tree with spaces', 'shop.db'), `${sql} DROP TABLE sidelite_conflicts;`);
  run(tree, ['add', '.']);
  expect(run(tree, ['commit', '-q', '--no-edit']).code).toBe(0);
  expect(at.rows(path, ALL)[1]).toEqual([2, 'side', 2]);
  must('checkout', '-q', '-b', 'schema', 'main');
  commit('ALTER TABLE item ADD COLUMN a;');
  must('checkout', '-q', 'main');
  commit('ALTER TABLE item ADD COLUMN b;');
  const refused = git('merge', 'schema');
  expect(refused.code).toBe(1);
  expect(refused.out).toContain('Both sides changed the table “item”');
  expect(at.rows('shop.db', "SELECT name FROM pragma_table_info('item')")).toEqual([['id'], ['name'], ['n'], ['b']]);
  expect(existsSync(join(at.folder, '.git', 'MERGE_HEAD'))).toBe(true);
});

test.skipIf(!HAS_GIT)('outside of a work tree there is nothing to set up', async () => {
  expect(await at.run(['git-setup', '--yes'])).toMatchObject({ code: 4, err: expect.stringContaining('in no work tree') as unknown }); // prettier-ignore
  must('init', '-q', '--bare');
  expect(await at.run(['git-setup', '--yes'])).toMatchObject({ code: 4 });
});

test.each(['', 'a\n', 'a', 'a\n\n', '# x\r\n', 'a\r\n\r\nb'])(
  'lines are added to %j and removed from it again',
  (text) => {
    const added = withBlock(text, ['*.db x']);
    expect(added).toContain('\n*.db x\n');
    expect(withoutBlock(added)).toBe(text);
    expect(withBlock(added, ['*.db x'])).toBe(added);
    expect(withoutBlock(withBlock(added, ['*.other y', '*.z z']))).toBe(text);
    expect(withoutBlock(`${added}later\n`)).toBe(`${text}${text !== '' && !text.endsWith('\n') ? '\n' : ''}later\n`);
  },
);
