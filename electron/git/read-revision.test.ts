// `sidelite diff` of revisions in a real Git repository.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { isRevision } from './read-revision.ts';

const ITEM = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant'), (2, 'bee');`;
const HAS_GIT = spawnSync('git', ['--version']).status === 0;
const isWindows = process.platform === 'win32';
const IDENTITY = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];

let at: CommandFolder;
commandFolders((folder) => (at = folder));

const git = (...words: string[]): string =>
  execFileSync('git', [...IDENTITY, ...words], { cwd: at.folder, encoding: 'utf8', stdio: 'pipe' });

test.skipIf(!HAS_GIT)(
  'revisions are compared with files and with each other, also from a subfolder of a worktree',
  async () => {
    git('init', '-q', '-b', 'main');
    mkdirSync(join(at.folder, 'data files'));
    at.database('data files/shop.db', ITEM);
    at.write('large.db', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    at.database('data files/shop.db', "UPDATE item SET name = 'cat' WHERE id = 2;");
    git('commit', '-q', '-a', '-m', 'two');
    at.database('data files/shop.db', 'DELETE FROM item WHERE id = 1;');
    const path = 'data files/shop.db';
    expect((await at.run(['diff', `HEAD:${path}`, path])).out).toContain("--- HEAD:data files/shop.db\n+++ data files/shop.db\nTable item\n  - id=1, name='ant'\n  1 removed\n"); // prettier-ignore
    expect((await at.run(['diff', `HEAD~:./${path}`, `main:${path}`])).out).toContain("  ~ id=2: name 'bee' → 'cat'\n");
    expect(await at.run(['diff', `HEAD:${path}`, `main:${path}`])).toMatchObject({ code: 0, out: '', err: '' });
    const said = async (revision: string): Promise<readonly [number | null, string]> => {
      const { code, err } = await at.run(['diff', revision, path]);
      return [code, err];
    };
    expect(await said('HEAD:large.db')).toEqual([3, expect.stringContaining('only a pointer of Git LFS')]);
    expect(await said('HEAD:nix.db')).toEqual([4, expect.stringContaining("path 'nix.db' does not exist in 'HEAD'")]);
    expect(await said('HEAD:data files')).toEqual([3, expect.stringContaining('is no file of the repository')]);
    expect(await said('$(touch x):y')).toEqual([4, expect.stringContaining('Git cannot read')]);
    expect(git('status', '--porcelain')).toBe(' M "data files/shop.db"\n');
  },
);

test.skipIf(!HAS_GIT || isWindows)('in a bare repository, and by any name that Git knows', async () => {
  git('init', '-q', '--bare', '-b', 'main');
  const source = join(at.folder, 'source');
  mkdirSync(source);
  const there = (...words: string[]): string => git('-C', source, ...words);
  there('init', '-q', '-b', 'main');
  const names = ['a:b é".db', '-dash.db', 'line\nend.db', '$(touch x).db'];
  for (const name of names) at.database(join('source', name), ITEM);
  there('add', '.');
  there('commit', '-q', '-m', 'one');
  for (const name of names) at.database(join('source', name), 'DELETE FROM item WHERE id = 2');
  there('commit', '-q', '-a', '-m', 'two');
  there('push', '-q', '..', 'main');
  for (const name of names)
    expect(await at.run(['diff', `main~:${name}`, `main:${name}`])).toMatchObject({ code: 1, out: expect.stringContaining("  - id=2, name='bee'\n  1 removed\n") as unknown }); // prettier-ignore
  expect(existsSync(join(at.folder, 'x'))).toBe(false);
});

test.skipIf(!HAS_GIT)('a repository from elsewhere runs no program of its own to fetch what it lacks', async () => {
  const source = join(at.folder, 'source');
  git('init', '-q', source);
  git('-C', source, 'config', 'uploadpack.allowFilter', 'true');
  at.database('source/shop.db', ITEM);
  git('-C', source, 'add', '.');
  git('-C', source, 'commit', '-q', '-m', 'one');
  git('clone', '-q', '--no-checkout', '--filter=blob:none', `file://${source}`, 'clone');
  renameSync(join(at.folder, 'clone', '.git'), join(at.folder, '.git'));
  const mark = join(at.folder, 'mark');
  git('config', 'remote.origin.uploadpack', `touch "${mark}"; git-upload-pack`);
  git('config', 'protocol.file.allow', 'always');
  const { code, err } = await at.run(['diff', 'HEAD:shop.db', 'source/shop.db']);
  expect([code, err]).toEqual([4, expect.stringContaining('Git cannot read “HEAD:shop.db”')]);
  expect(existsSync(mark)).toBe(false);
});

test.skipIf(!HAS_GIT || isWindows)(
  'what is staged is read without the program that a repository names to watch its files',
  async () => {
    git('init', '-q');
    at.database('shop.db', ITEM);
    git('add', 'shop.db');
    const mark = join(at.folder, 'mark');
    git('config', 'core.fsmonitor', `touch '${mark}'; printf 'token\\0/'; :`);
    git('update-index', '--fsmonitor');
    git('status', '--porcelain');
    rmSync(mark);
    expect((await at.run(['diff', ':shop.db', 'shop.db'])).code).toBe(0);
    expect(existsSync(mark)).toBe(false);
  },
);

test.skipIf(!HAS_GIT || isWindows)('git diff and git log show rows: in a stable dump, or by diff itself', () => {
  const program = at.program();
  git('init', '-q', '-b', 'main');
  at.write('.gitattributes', '*.db diff=sqlite\n');
  at.database('my shop.db', ITEM);
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  at.database('my shop.db', "UPDATE item SET name = 'cat' WHERE id = 2;");
  git('commit', '-q', '-a', '-m', 'two');
  at.database('my shop.db', 'PRAGMA page_size = 1024; DELETE FROM item WHERE id = 1; VACUUM;');
  git('config', 'diff.sqlite.textconv', `'${program}' dump --stable`);
  const insert = (row: string): string => `INSERT INTO "item"("id", "name") VALUES(${row});\n`;
  expect(git('diff')).toContain(`-${insert("1,'ant'")} ${insert("2,'cat'")}`);
  const log = git('log', '-p', '--format=%s');
  expect(log).toContain(` ${insert("1,'ant'")}-${insert("2,'bee'")}+${insert("2,'cat'")}`);
  expect(log).toContain(`+${insert("2,'bee'")}`);
  git('config', 'diff.sqlite.command', `f() { '${program}' diff "$2" "$5" || [ $? = 1 ]; }; f`);
  expect(git('diff')).toContain("Table item\n  - id=1, name='ant'\n  1 removed\n");
  const driven = git('log', '-p', '--ext-diff', '--format=%s');
  expect(driven).toContain("Table item\n  ~ id=2: name 'bee' → 'cat'\n  1 changed\n");
  expect(driven).toContain("  + id=1, name='ant'\n  + id=2, name='bee'\n  2 added\n");
});

test.skipIf(!HAS_GIT)('without a repository, a sentence says so', async () => {
  at.database('shop.db', ITEM);
  const found = await at.run(['diff', 'HEAD:shop.db', 'shop.db']);
  expect(found).toMatchObject({ code: 4, err: expect.stringContaining('in no Git repository') as unknown });
});

test('a drive, an option, and a plain name are no revisions', () => {
  const names = [
    'HEAD:a.db',
    'HEAD~2:./a.db',
    'main:a/b.db',
    'v1:x',
    ':a.db',
    'C:\\a.db',
    'C:/a.db',
    '-x:a',
    'a.db',
    'x:',
  ];
  expect(names.filter(isRevision)).toEqual(names.slice(0, 5));
});
