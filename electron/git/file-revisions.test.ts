// The commits of a file, and the file as it is in one of them, in real Git repositories.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitsOf, isInRepository, readFileAt } from './file-revisions.ts';

const HAS_GIT = spawnSync('git', ['--version']).status === 0;
const isWindows = process.platform === 'win32';
const IDENTITY = ['-c', 'user.name=Zoë', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];

let folder: string;
beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), 'sidelite-git-')))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const at = (...parts: string[]): string => join(folder, ...parts);
const git = (...words: string[]): string =>
  execFileSync('git', [...IDENTITY, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

/** @param message of the commit, with these files */
function commit(message: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  git('add', '-A');
  git('commit', '-q', '-m', message, '--date=2026-11-20T14:00:00Z');
}

async function read(path: string, revision: string, roomBytes = Infinity): Promise<string> {
  const target = at('target');
  rmSync(target, { force: true });
  const hash = await readFileAt(path, revision, target, { signal, roomBytes });
  return `${git('show', '-s', '--format=%s', hash).trim()}: ${readFileSync(target, 'utf8')}`;
}

const why = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'it was read',
    (error: unknown) => (error as Error).message,
  );

test.skipIf(!HAS_GIT)('lists the commits that changed the file, and reads it as it was in any of them', async () => {
  git('init', '-q', '-b', 'main');
  commit('one', { 'shop.db': 'first' });
  git('tag', '-a', 'v1', '-m', 'release');
  commit('other', { 'readme.txt': 'text' });
  commit(`two ${'ä'.repeat(300)}`, { 'shop.db': 'second' });
  const commits = await commitsOf(at('shop.db'), signal);
  expect(commits.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^two ä{190,196}\.\.$/), 'one']);
  expect(commits[1]).toMatchObject({ atMs: Date.UTC(2026, 10, 20, 14), author: 'Zoë' });
  for (const revision of ['v1', 'HEAD~2', commits[1]!.hash, 'main~2', '  HEAD^^ '.trim()])
    expect(await read(at('shop.db'), revision)).toBe('one: first');
  expect(await read(at('shop.db'), 'HEAD~1')).toBe('other: first');
  expect(await commitsOf(at('target'), signal)).toEqual([]);
});

test.skipIf(!HAS_GIT)('says why there is nothing to read', async () => {
  expect(await isInRepository(at('shop.db'))).toBe(false);
  expect(await why(commitsOf(at('shop.db'), signal))).toMatch(/^Git cannot read this repository: not a git repository/);
  git('init', '-q', '-b', 'main');
  writeFileSync(at('shop.db'), 'first');
  expect(await isInRepository(at('shop.db'))).toBe(true);
  expect(await commitsOf(at('shop.db'), signal)).toEqual([]);
  commit('one', { 'large.db': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' });
  const said = (name: string, revision: string, roomBytes?: number): Promise<string> =>
    why(read(at(name), revision, roomBytes));
  expect(await said('new.db', 'HEAD')).toMatch(/^Commit [0-9a-f]{7} has no file “new\.db” in this folder\. It may/);
  expect(await said('large.db', 'HEAD')).toMatch(/^“[0-9a-f]{7}:\.\/large\.db” is only a pointer of Git LFS\./);
  expect(await said('shop.db', 'HEAD', 4)).toMatch(/^There is not enough free space for a copy of “/);
  for (const revision of ['nix', 'HEAD~9', '^HEAD', 'HEAD:shop.db', 'HEAD..HEAD', '$(touch x)', '@{nix}'])
    expect(await said('shop.db', revision)).toBe(`“${revision}” is no commit, branch, or tag of this repository.`);
  for (const revision of ['--all', '-h', ':shop.db', ':/one', 'HEAD\0', 'x'.repeat(1001)])
    expect(await said('shop.db', revision)).toMatch(/^Enter a commit, branch, or tag, such as HEAD~3\./);
  expect(existsSync(at('x'))).toBe(false);
});

test.skipIf(!HAS_GIT || isWindows)('takes no name of a file for an option or a pattern', async () => {
  git('init', '-q', '-b', 'main');
  for (const name of ['-shop.db', ':shop.db', ':(glob)*', '*.db', 'a"b é.db']) {
    commit(`has ${name}`, { [name]: name });
    expect((await commitsOf(at(name), signal)).map(({ subject }) => subject)).toEqual([`has ${name}`]);
    expect(await read(at(name), 'HEAD')).toBe(`has ${name}: ${name}`);
  }
});

test.skipIf(!HAS_GIT)('reads in a worktree, a submodule, and whatever repository the environment names', async () => {
  mkdirSync(at('inner'));
  git('init', '-q', '-b', 'main', 'inner');
  writeFileSync(at('inner', 'shop.db'), 'inside');
  git('-C', 'inner', 'add', '.');
  git('-C', 'inner', 'commit', '-q', '-m', 'inner');
  mkdirSync(at('outer'));
  git('init', '-q', '-b', 'main', 'outer');
  git('-C', 'outer', 'submodule', '--quiet', 'add', at('inner'), 'sub');
  git('-C', 'outer', 'commit', '-q', '-m', 'outer');
  git('-C', 'inner', 'worktree', 'add', '-q', '-b', 'side', at('side'));
  const before = process.env['GIT_DIR'];
  process.env['GIT_DIR'] = at('outer', '.git');
  try {
    for (const path of [at('outer', 'sub', 'shop.db'), at('side', 'shop.db')]) {
      expect(await isInRepository(path)).toBe(true);
      expect((await commitsOf(path, signal)).map(({ subject }) => subject)).toEqual(['inner']);
      await readFileAt(path, 'HEAD', at('target'), { signal, roomBytes: 100 });
      expect(readFileSync(at('target'), 'utf8')).toBe('inside');
    }
  } finally {
    if (before === undefined) delete process.env['GIT_DIR'];
    else process.env['GIT_DIR'] = before;
  }
});

/** Gives the last commit a signature, which `git log` would have checked by a program. */
function sign(): void {
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\n';
  writeFileSync(at('signed'), git('cat-file', 'commit', 'HEAD').replace('\n\n', `\n${signature}`));
  git('update-ref', 'HEAD', git('hash-object', '-t', 'commit', '-w', 'signed').trim());
}

test.skipIf(!HAS_GIT || isWindows)('runs no program that a repository from elsewhere names', async () => {
  git('init', '-q', '-b', 'main');
  commit('one', { 'shop.db': 'first', '.gitattributes': '*.db diff=x filter=x\n' });
  commit('two', { 'shop.db': 'second' });
  sign();
  const mark = at('mark');
  const program = at('.git', 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\nexec cat\n`, { mode: 0o755 });
  const keys = ['core.fsmonitor', 'core.pager', 'pager.rev-list', 'gpg.program', 'core.sshCommand', 'diff.external'];
  for (const key of [...keys, 'diff.x.textconv', 'diff.x.command', 'filter.x.smudge', 'filter.x.clean'])
    git('config', key, program);
  for (const key of ['log.showSignature', 'log.follow', 'filter.x.required']) git('config', key, 'true');
  // The folder that Git is started in has a program of its name.
  writeFileSync(at('git'), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  const before = process.env['PATH'];
  process.env['PATH'] = `:.:${before}`;
  try {
    expect(await commitsOf(at('shop.db'), signal)).toHaveLength(2);
    await readFileAt(at('shop.db'), 'HEAD~', at('target'), { signal, roomBytes: 100 });
    expect(readFileSync(at('target'), 'utf8')).toBe('first');
  } finally {
    process.env['PATH'] = before;
  }
  expect(existsSync(mark)).toBe(false);
});

test.skipIf(!HAS_GIT)('stops', async () => {
  git('init', '-q', '-b', 'main');
  commit('one', { 'shop.db': 'first' });
  const abort = new AbortController();
  abort.abort();
  await expect(commitsOf(at('shop.db'), abort.signal)).rejects.toMatchObject({ code: 'stopped' });
});
