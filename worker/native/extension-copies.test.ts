// What is loaded in place of the file that was approved: a copy that nothing changes any more.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHANGED_SINCE_APPROVED, MOST_EXTENSION_BYTES } from '#shared/extensions.ts';
import type { ExtensionToLoad } from '#shared/extensions.ts';
import { scratchPrefix } from '#shared/scratch-names.ts';
import type { DatabaseConstructor } from '../engines/native/runtime/load.ts';
import { ExtensionCopies } from './extension-copies.ts';
import { thisSystem } from './process-table.ts';

const Database = createRequire(import.meta.url)('better-sqlite3') as DatabaseConstructor;
const COMPILER = process.env['CC'] ?? 'cc';
const HAS_COMPILER = process.platform === 'linux' && spawnSync(COMPILER, ['--version']).status === 0;

let folder: string;
let path: string;
let parent: string;
let copies: ExtensionCopies;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-copies-'));
  path = join(folder, 'vec0.so');
  writeFileSync(path, 'first');
  parent = join(folder, 'profile', 'copies');
  copies = new ExtensionCopies(parent);
});
afterEach(() => rmSync(folder, { recursive: true }));

function approved(of = path): ExtensionToLoad {
  const sha256 = createHash('sha256').update(readFileSync(of)).digest('hex');
  return { id: 'x1', fileName: basename(of), displayPath: of, path: of, sha256, why: null };
}
const filesIn = (of: string): readonly string[] => readdirSync(of, { recursive: true }).map(String);

test('a copy has the name of the file, belongs to this user alone, and stays when the file is replaced', () => {
  const extension = approved();
  const copy = copies.take(extension);
  expect(copy).toMatchObject({ id: 'x1', why: null });
  expect(copy.path.startsWith(parent)).toBe(true);
  expect(copy.path.endsWith(join(extension.sha256!, 'vec0.so'))).toBe(true);
  if (process.platform !== 'win32') {
    expect(statSync(copy.path).mode & 0o777).toBe(0o500);
    for (const each of [parent, dirname(copy.path)]) expect(statSync(each).mode & 0o077).toBe(0);
  }
  writeFileSync(path, 'second');
  expect(readFileSync(copy.path, 'utf8')).toBe('first');
  expect(copies.take(extension)).toMatchObject({ why: CHANGED_SINCE_APPROVED, awaitsApproval: true });
  expect(filesIn(parent).filter((name) => name.endsWith('.so') || name.endsWith('new'))).toHaveLength(1);
});

test('a file that is loaded again is not written again: its copy may be in use', () => {
  const first = copies.take(approved());
  const { ino } = statSync(first.path);
  expect(copies.take(approved())).toEqual(first);
  expect(statSync(first.path).ino).toBe(ino);
});

test('what the command line names is copied as it is, and a reason not to load it stays', () => {
  expect(copies.take({ ...approved(), sha256: null })).toMatchObject({ why: null });
  expect(copies.take({ ...approved(), sha256: '' })).toMatchObject({ awaitsApproval: true });
  expect(copies.take({ ...approved(), why: 'It crashed.' })).toMatchObject({ path, why: 'It crashed.' });
});

test.each([
  ['there is no file', () => rmSync(path), 'There is no file'],
  ['it is a folder', () => (rmSync(path), mkdirSync(path)), 'not an ordinary file'],
  ['it is too large', () => truncateSync(path, MOST_EXTENSION_BYTES + 1), 'larger than 1 GB'],
  ['no copy can be written', () => writeFileSync(join(folder, 'profile'), ''), 'could not be copied'],
])('where %s, it says so', (_, change, why) => {
  const extension = approved();
  change();
  expect(copies.take(extension)).toMatchObject({ why: expect.stringContaining(why) as string });
});

test('copies of processes that are gone are removed', () => {
  mkdirSync(parent, { recursive: true });
  const gone = join(parent, `${scratchPrefix({ ...thisSystem(), pid: 2 ** 30 })}x`);
  const other = join(parent, 'other');
  for (const each of [gone, other]) mkdirSync(each);
  const { path: copy } = copies.take(approved());
  expect([filesIn(parent).includes(basename(gone)), filesIn(parent).includes('other')]).toEqual([false, true]);
  expect(new ExtensionCopies(parent).take(approved()).path).not.toBe(copy);
  expect(readFileSync(copy, 'utf8')).toBe('first');
});

test.skipIf(!HAS_COMPILER)('an extension that finds a library beside itself is loaded where it is', () => {
  const build = (name: string, source: string, ...more: string[]): string => {
    writeFileSync(join(folder, `${name}.c`), source);
    execFileSync(COMPILER, ['-shared', '-fPIC', '-o', join(folder, `${name}.so`), join(folder, `${name}.c`), ...more]);
    return join(folder, `${name}.so`);
  };
  build('libhelper', 'int helper(void) { return 0; }\n');
  const source = 'int helper(void);\nint sqlite3_extension_init(void) { return helper(); }\n';
  const library = build('uses', source, `-L${folder}`, '-lhelper', '-Wl,-rpath,$ORIGIN');
  const taken = copies.take(approved(library));
  expect(taken).toMatchObject({ path: library, why: null });
  const db = new Database(':memory:', {});
  db.loadExtension(taken.path);
  db.close();
  expect(copies.take({ ...approved(library), sha256: '0' })).toMatchObject({ why: CHANGED_SINCE_APPROVED });
});
