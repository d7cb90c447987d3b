// What goes into the packaged app and which installers are made of it.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import { debianScript } from './debian-script.ts';
import { LICENSES } from './licenses.ts';
import { DIST_APP, inRoot } from './paths.ts';
import { ENGINE_FILES, ENGINE_PACKAGES } from './engine-packages.ts';
import { writeNativeFiles } from './native-files.ts';
import { LEGACY_NATIVE } from './native-entries.ts';
import { isLegacy } from './runtime.ts';
import type { Runtime } from './runtime.ts';

export const PACKAGE_OUTPUT = inRoot('out');
/** For the app and its helpers. */
const ENTITLEMENTS = inRoot('build', 'entitlements.mac.plist');

type FileSet = Exclude<NonNullable<Configuration['extraResources']>, string | readonly unknown[]>;

export function builderConfig(runtime: Runtime): Configuration {
  return {
    appId: 'org.sidelite.Sidelite',
    productName: 'Sidelite',
    copyright: 'Copyright (c) Sidelite contributors',
    directories: { output: PACKAGE_OUTPUT, buildResources: inRoot('build', 'icons') },
    ...(runtime.origin !== 'package' && { electronDist: runtime.folder }),
    electronVersion: runtime.version,
    electronLanguages: ['en-US'],
    electronFuses: fuses(runtime.version),
    // The legacy runtime brings a stand-in for Electron's default app, which would run in place of ours.
    afterExtract: ({ appOutDir }) => rm(join(appOutDir, 'resources', 'app'), { recursive: true, force: true }),
    beforePack: ({ electronPlatformName, arch }) =>
      writeNativeFiles({
        scriptsIn: nativeIn(runtime),
        packagesIn: packagesIn(runtime),
        platform: electronPlatformName,
        arch: nameOfArch(arch),
      }),
    asar: true,
    // Everything the app needs is in its bundles: nothing of node_modules is loaded at run time.
    files: [
      'dist/app/**',
      '!dist/app/third-party/**',
      `!dist/app/${LICENSES}`,
      'dist/electron/**',
      'dist/native-files.json',
      'package.json',
      '!**/*.map',
      '!node_modules/**',
    ],
    // The engines' processes run beside the archive: a binary cannot be loaded out of one.
    extraResources: [
      { from: nativeIn(runtime), to: 'native', filter: ['*.mjs', '*.cjs'] },
      ...ENGINE_PACKAGES.map((name) => ({
        from: join(packagesIn(runtime), name),
        to: `native/node_modules/${name}`,
        filter: ENGINE_FILES,
      })),
      // Users find it here, beside the notices of Electron.
      { from: join(DIST_APP, LICENSES), to: LICENSES },
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
    ...installers(runtime),
  };
}

function installers(runtime: Runtime): Pick<Configuration, 'linux' | 'appImage' | 'deb' | 'win' | 'nsis' | 'mac'> {
  // One unpacked Electron is of one processor; the released one is downloaded for each.
  const arch: ('x64' | 'arm64')[] =
    runtime.origin === 'package' ? ['x64', 'arm64'] : [process.arch === 'arm64' ? 'arm64' : 'x64'];
  return {
    linux: {
      target: linuxTargets(),
      extraResources: [...nativeAddons('linux', runtime)],
      category: 'Development',
      synopsis: 'Browse and edit SQLite databases',
      maintainer: 'Sidelite contributors',
      icon: inRoot('build', 'icons'),
      executableName: 'sidelite',
      // A desktop environment finds the menu entry of a window by `desktopName`, so the entry has to have that name, too.
      syncDesktopName: true,
    },
    // Said outright: without it the menu entry of an AppImage starts the app with `--no-sandbox`.
    appImage: { executableArgs: [] },
    deb: { afterInstall: debianScript() },
    win: {
      target: [{ target: 'nsis', arch }],
      extraResources: [...nativeAddons('win32', runtime)],
      icon: inRoot('build', 'icons', '512x512.png'),
    },
    // Windows takes file associations only from an installation for all users.
    nsis: { oneClick: false, perMachine: true, allowToChangeInstallationDirectory: true },
    mac: {
      target: [
        { target: 'dmg', arch },
        { target: 'zip', arch },
      ],
      extraResources: [...nativeAddons('darwin', runtime)],
      category: 'public.app-category.developer-tools',
      hardenedRuntime: true,
      // Those of electron-builder also allow code that is not signed by us, and memory that is executable and writable.
      entitlements: ENTITLEMENTS,
      entitlementsInherit: ENTITLEMENTS,
      icon: inRoot('build', 'icons', '512x512.png'),
    },
  };
}

/** A Debian package states its project's home page; without one in package.json electron-builder refuses to make any. */
export function linuxTargets(): string[] {
  const { homepage } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { homepage?: string };
  return homepage === undefined ? ['AppImage'] : ['AppImage', 'deb'];
}

/** Each package brings one binary for each system and processor: the one of the target is shipped. */
const nativeAddons = (platform: 'linux' | 'darwin' | 'win32', runtime: Runtime): readonly FileSet[] =>
  ENGINE_PACKAGES.map((name) => ({
    from: join(packagesIn(runtime), name, 'prebuilds'),
    to: `native/node_modules/${name}/prebuilds`,
    filter: [`${platform}-\${arch}.node`],
  }));

/** The legacy runtime gets other bundles, and the engine compiled for it. Never released. */
function nativeIn(runtime: Runtime): string {
  return inRoot('dist', isLegacy(runtime) ? LEGACY_NATIVE : 'native');
}

/** As electron-builder numbers them. */
const nameOfArch = (arch: number): 'x64' | 'arm64' => (arch === 3 ? 'arm64' : 'x64');

/** Folder of the packages that are shipped. */
export const packagesIn = (runtime: Runtime): string =>
  isLegacy(runtime) ? join(nativeIn(runtime), 'node_modules') : inRoot('node_modules');

/** Doors of Electron that a finished app has no use for. The fuse for wasm trap handlers stays as it is: on. */
function fuses(electronVersion: string): NonNullable<Configuration['electronFuses']> {
  return {
    runAsNode: false,
    // There are no cookies: no page has an address with any. With it, macOS asks for the keychain at the first start.
    enableCookieEncryption: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    // Flipping a fuse breaks the signature that Electron comes with, and without any an app does not start on Apple's processors. A build
    // that is signed gets its own one after this.
    resetAdHocDarwinSignature: process.platform === 'darwin',
    // Came with Electron 29; flipping a fuse an older binary lacks is an error.
    ...(Number.parseInt(electronVersion, 10) >= 29 && { grantFileProtocolExtraPrivileges: false }),
  };
}
