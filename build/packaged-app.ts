// The unpacked app in out/, rebuilt when the bundle, the runtime or the recipe changed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builderConfig, PACKAGE_OUTPUT } from './builder.config.ts';
import { ensureBundle } from './bundle.ts';
import { LEGACY_NATIVE } from './native-entries.ts';
import { DIST, inRoot } from './paths.ts';
import { describeRuntime, resolveRuntime } from './runtime.ts';
import { fingerprint, isFresh, writeStamp } from './stamp.ts';

/** Paths where electron-builder puts the program of each system. */
const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux-unpacked/sidelite',
  darwin:
    process.arch === 'arm64'
      ? 'mac-arm64/Sidelite.app/Contents/MacOS/Sidelite'
      : 'mac/Sidelite.app/Contents/MacOS/Sidelite',
  win32: 'win-unpacked/Sidelite.exe',
};

/** The path of the packaged program. */
export async function ensurePackagedApp(): Promise<string> {
  const program = join(PACKAGE_OUTPUT, PROGRAMS[process.platform] ?? '');
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  const stamp = join(PACKAGE_OUTPUT, '.package-stamp');
  const parts = [
    join(DIST, 'app'),
    join(DIST, 'electron'),
    join(DIST, 'native'),
    join(DIST, LEGACY_NATIVE),
    inRoot('package.json'),
    inRoot('build', 'builder.config.ts'),
    inRoot('build', 'debian-script.ts'),
    inRoot('build', 'native-files.ts'),
    inRoot('build', 'entitlements.mac.plist'),
  ];
  const now = `${describeRuntime(runtime)} ${fingerprint(parts)}`;
  if (existsSync(program) && isFresh(stamp, now)) return program;
  console.log(`Packaging with ${describeRuntime(runtime)}`);
  const { build, Platform } = await import('electron-builder');
  const targets = Platform.current().createTarget('dir');
  await build({ projectDir: inRoot(), targets, config: builderConfig(runtime), publish: 'never' });
  writeStamp(stamp, now);
  return program;
}
