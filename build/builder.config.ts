// What goes into the packaged app and which installers are made of it.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import { inRoot } from './paths.ts';
import type { Runtime } from './runtime.ts';

export const PACKAGE_OUTPUT = inRoot('out');

export function builderConfig(runtime: Runtime): Configuration {
  return {
    appId: 'org.sidelite.Sidelite',
    productName: 'Sidelite',
    copyright: 'Copyright (c) Sidelite contributors',
    directories: { output: PACKAGE_OUTPUT, buildResources: inRoot('build', 'icons') },
    electronDist: runtime.folder,
    electronVersion: runtime.version,
    electronLanguages: ['en-US'],
    electronFuses: fuses(runtime.version),
    // The bench runtime brings a stand-in for Electron's default app, which would run in place of ours.
    afterExtract: ({ appOutDir }) => rm(join(appOutDir, 'resources', 'app'), { recursive: true, force: true }),
    asar: true,
    // Everything the app needs is in its bundles: nothing of node_modules is loaded at run time.
    files: ['dist/app/**', '!dist/app/peers/**', 'dist/electron/**', 'package.json', '!**/*.map', '!node_modules/**'],
    // The native process runs beside the archive: a plain Node reads no archive, and a binary cannot be loaded out of one.
    extraResources: [
      { from: inRoot('dist', 'native'), to: 'native', filter: ['*.mjs'] },
      {
        from: inRoot('node_modules', 'better-sqlite3'),
        to: 'native/node_modules/better-sqlite3',
        filter: ['package.json', 'LICENSE', 'lib/**', 'prebuilds/**'],
      },
      ...nodeFor(runtime),
    ],
    npmRebuild: false,
    publish: null,
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    fileAssociations: [
      {
        ext: ['sqlite', 'sqlite3', 'db', 'db3', 's3db', 'sl3', 'gpkg'],
        name: 'SQLite database',
        mimeType: 'application/vnd.sqlite3',
        role: 'Editor',
        // Many other programs call their files .db.
        rank: 'Alternate',
      },
    ],
    linux: {
      target: ['AppImage', 'deb'],
      category: 'Development',
      synopsis: 'Browse and edit SQLite databases',
      maintainer: 'Sidelite contributors',
      icon: inRoot('build', 'icons'),
      executableName: 'sidelite',
    },
    win: { target: [{ target: 'nsis', arch: ['x64', 'arm64'] }], icon: inRoot('build', 'icons', '512x512.png') },
    // Windows takes file associations only from an installation for all users.
    nsis: { oneClick: false, perMachine: true, allowToChangeInstallationDirectory: true },
    mac: {
      target: [
        { target: 'dmg', arch: ['x64', 'arm64'] },
        { target: 'zip', arch: ['x64', 'arm64'] },
      ],
      category: 'public.app-category.developer-tools',
      hardenedRuntime: true,
      icon: inRoot('build', 'icons', '512x512.png'),
    },
  };
}

/** Electron before 36 cannot load the native engine; the bench runtime gets the tool chain's Node to do it. Never released. */
function nodeFor({ version }: Runtime): { from: string; to: string }[] {
  if (Number.parseInt(version, 10) >= 36) return [];
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return [{ from: inRoot('node_modules', 'node', 'bin', program), to: `native/${program}` }];
}

/** Doors of Electron that a finished app has no use for. The fuse for wasm trap handlers stays as it is: on. */
function fuses(electronVersion: string): NonNullable<Configuration['electronFuses']> {
  return {
    runAsNode: false,
    enableCookieEncryption: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    // Came with Electron 29; flipping a fuse an older binary lacks is an error.
    ...(Number.parseInt(electronVersion, 10) >= 29 && { grantFileProtocolExtraPrivileges: false }),
  };
}
