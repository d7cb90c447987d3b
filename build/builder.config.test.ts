import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, it } from 'vitest';
import { builderConfig } from './builder.config.ts';
import { inRoot } from './paths.ts';
import type { Runtime } from './runtime.ts';

const runtime = (origin: Runtime['origin']): Runtime => ({
  folder: '/electron',
  executable: '/electron/electron',
  version: '45.4.1',
  origin,
});
const archOf = (target: unknown): unknown => (target as readonly { readonly arch: unknown }[])[0]!.arch;

it('the pinned release is downloaded for each processor, in one version', () => {
  const { electronDist, electronVersion, win, mac } = builderConfig(runtime('package'));
  expect({ electronDist, electronVersion }).toEqual({ electronDist: undefined, electronVersion: '45.4.1' });
  expect([archOf(win!.target), archOf(mac!.target)]).toEqual([
    ['x64', 'arm64'],
    ['x64', 'arm64'],
  ]);
});

it('an unpacked Electron is packaged for the processor it is for, and no other', () => {
  for (const origin of ['legacy', 'override'] as const) {
    const { electronDist, win, mac } = builderConfig(runtime(origin));
    expect(electronDist).toBe('/electron');
    expect([archOf(win!.target), archOf(mac!.target)]).toEqual([[process.arch], [process.arch]]);
  }
});

it('the menu entry of Linux has the name by which a window looks for it', () => {
  const { desktopName } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { desktopName: string };
  const { linux } = builderConfig(runtime('package'));
  expect(linux).toMatchObject({ executableName: 'sidelite', syncDesktopName: true });
  expect(desktopName).toBe('sidelite.desktop');
});

it('a Mac allows the app and its helpers to compile code, and nothing else, with the reason beside it', () => {
  const { mac } = builderConfig(runtime('package'));
  expect(mac).toMatchObject({ hardenedRuntime: true, entitlementsInherit: mac!.entitlements });
  const entries = readFileSync(String(mac!.entitlements), 'utf8').split('<dict>')[1]!;
  expect([...entries.matchAll(/<key>(.*)<\/key>\s*<(\w+)\/>/g)].map(([, ...entry]) => entry)).toEqual([
    ['com.apple.security.cs.allow-jit', 'true'],
  ]);
  expect(entries.match(/<key>/g)).toHaveLength(entries.match(/<!-- \S.* -->\s*<key>/g)!.length);
});

it('the legacy runtime is packaged with its own bundles and the engine compiled for it, and the product is not', () => {
  const sources = (version: string): readonly string[] => {
    const { extraResources, linux } = builderConfig({ ...runtime('override'), version });
    const all = [extraResources, linux!.extraResources].flat() as readonly { readonly from: string }[];
    return all.map(({ from }) => relative(inRoot(), from).replaceAll('\\', '/'));
  };
  expect(sources('45.4.1')).toEqual([
    'dist/native',
    'node_modules/better-sqlite3',
    'node_modules/better-sqlite3-multiple-ciphers',
    'dist/app/licenses.md',
    'node_modules/better-sqlite3/prebuilds',
    'node_modules/better-sqlite3-multiple-ciphers/prebuilds',
  ]);
  expect(sources('22.3.25').filter((path) => !path.startsWith('dist/app'))).toEqual([
    'dist/native-legacy',
    'dist/native-legacy/node_modules/better-sqlite3',
    'dist/native-legacy/node_modules/better-sqlite3-multiple-ciphers',
    'dist/native-legacy/node_modules/better-sqlite3/prebuilds',
    'dist/native-legacy/node_modules/better-sqlite3-multiple-ciphers/prebuilds',
  ]);
});
