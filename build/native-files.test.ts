import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { changedFile } from '../electron/native/shipped-files.ts';
import { ENGINE_PACKAGES } from './engine-packages.ts';
import { nativeFiles } from './native-files.ts';

const work = mkdtempSync(join(tmpdir(), 'sidelite-native-files-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Files to package, as they are in the sources. */
function makeSources(): { readonly scriptsIn: string; readonly packagesIn: string } {
  const folder = mkdtempSync(join(work, 'sources-'));
  const scriptsIn = join(folder, 'scripts');
  mkdirSync(scriptsIn);
  for (const name of ['native.mjs', 'command.mjs', 'native.cjs', 'native.mjs.map'])
    writeFileSync(join(scriptsIn, name), name);
  for (const name of ENGINE_PACKAGES) makeEngine(join(folder, 'packages', name));
  return { scriptsIn, packagesIn: join(folder, 'packages') };
}

function makeEngine(engine: string): void {
  for (const part of ['lib/methods', 'prebuilds', 'src']) mkdirSync(join(engine, part), { recursive: true });
  for (const name of ['package.json', 'lib/index.js', 'lib/methods/wrappers.js', 'src/better_sqlite3.cpp'])
    writeFileSync(join(engine, name), name);
  for (const name of ['linux-x64', 'linux-arm64', 'darwin-arm64'])
    writeFileSync(join(engine, 'prebuilds', `${name}.node`), name);
}

/** The folder of an installation with these files. */
function install({ scriptsIn, packagesIn }: ReturnType<typeof makeSources>, files: readonly string[]): string {
  const folder = mkdtempSync(join(work, 'installed-'));
  for (const file of files)
    cpSync(
      file.startsWith('node_modules') ? join(packagesIn, file.slice('node_modules/'.length)) : join(scriptsIn, file),
      join(folder, file),
    );
  return folder;
}

const LINUX = { platform: 'linux', arch: 'x64' };

it('lists the scripts, the engine’s package, and the addon of the system', () => {
  expect(Object.keys(nativeFiles({ ...makeSources(), ...LINUX })).sort()).toEqual([
    'command.mjs',
    'native.cjs',
    'native.mjs',
    ...ENGINE_PACKAGES.toReversed().flatMap((name) => [
      `node_modules/${name}/lib/index.js`,
      `node_modules/${name}/lib/methods/wrappers.js`,
      `node_modules/${name}/package.json`,
      `node_modules/${name}/prebuilds/linux-x64.node`,
    ]),
  ]);
});

it('any file that is changed, gone or new is named, and nothing in an installation as packaged', () => {
  const sources = makeSources();
  const shipped = nativeFiles({ ...sources, ...LINUX });
  const installed = (): string => install(sources, Object.keys(shipped));
  expect(changedFile(installed(), shipped)).toBeNull();
  for (const file of Object.keys(shipped)) {
    const changed = installed();
    appendFileSync(join(changed, file), ' ');
    expect(changedFile(changed, shipped)).toBe(file);
    const without = installed();
    rmSync(join(without, file));
    expect(changedFile(without, shipped)).toBe(file);
  }
  for (const file of ['planted.mjs', 'node_modules/better-sqlite3/lib/binding.json', 'node_modules/planted.js']) {
    const planted = installed();
    writeFileSync(join(planted, file), '');
    expect(changedFile(planted, shipped)).toBe(file);
  }
});

it('what a file manager leaves behind changes nothing', () => {
  const sources = makeSources();
  const shipped = nativeFiles({ ...sources, ...LINUX });
  const folder = install(sources, Object.keys(shipped));
  for (const name of ['.DS_Store', 'Thumbs.db', 'node_modules/better-sqlite3/desktop.ini', '.directory'])
    writeFileSync(join(folder, name), '');
  expect(changedFile(folder, shipped)).toBeNull();
});

it('a package that the user adds to measure it is not of the installation', () => {
  const sources = makeSources();
  const shipped = nativeFiles({ ...sources, ...LINUX });
  const folder = install(sources, Object.keys(shipped));
  for (const name of ['libsql', '@tursodatabase/database']) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder, 'node_modules', name, 'index.js'), '');
  }
  expect(changedFile(folder, shipped)).toBeNull();
});

it('the addon of a Mac is signed after the list is made, and only has to be there', () => {
  const sources = makeSources();
  const shipped = nativeFiles({ ...sources, platform: 'darwin', arch: 'arm64' });
  const addon = 'node_modules/better-sqlite3/prebuilds/darwin-arm64.node';
  expect(shipped[addon]).toBeNull();
  const folder = install(sources, Object.keys(shipped));
  appendFileSync(join(folder, addon), 'signature');
  expect(changedFile(folder, shipped)).toBeNull();
  rmSync(join(folder, addon));
  expect(changedFile(folder, shipped)).toBe(addon);
});
