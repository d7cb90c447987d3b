// The list of the files that are packaged beside the archive, with their hashes. It goes into the archive, and the app runs none of them
// that differs (electron/native/shipped-files.ts).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_FILES, ENGINE_PACKAGES } from './engine-packages.ts';
import { DIST } from './paths.ts';

/** In the archive, too. */
const NATIVE_FILES = join(DIST, 'native-files.json');

interface Shipped {
  /** Folder of the bundles, and that of the packages. */
  readonly scriptsIn: string;
  readonly packagesIn: string;
  readonly platform: string;
  readonly arch: string;
}

/** Call before the archive of this system and processor is made. */
export function writeNativeFiles(shipped: Shipped): void {
  writeFileSync(NATIVE_FILES, JSON.stringify(nativeFiles(shipped), null, 1));
}

export function nativeFiles({
  scriptsIn,
  packagesIn,
  platform,
  arch,
}: Shipped): Readonly<Record<string, string | null>> {
  const addon = `prebuilds/${platform}-${arch}.node`;
  const scripts = readdirSync(scriptsIn).filter((name) => /\.[mc]js$/.test(name));
  return Object.fromEntries([
    ...scripts.map((name) => [name, hashOf(join(scriptsIn, name))] as const),
    // A Mac signs each binary after this, with the app's own certificate, and loads none that is signed by others.
    ...ENGINE_PACKAGES.flatMap((name) =>
      filesOf(join(packagesIn, name), addon).map(
        (file) =>
          [
            `node_modules/${name}/${file}`,
            platform === 'darwin' && file === addon ? null : hashOf(join(packagesIn, name, file)),
          ] as const,
      ),
    ),
  ]);
}

const filesOf = (engine: string, addon: string): readonly string[] =>
  readdirSync(engine, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(engine.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((file) => file === addon || ENGINE_FILES.some((wanted) => file === wanted || isBelow(file, wanted)));

const isBelow = (file: string, wanted: string): boolean =>
  wanted.endsWith('/**') && file.startsWith(wanted.slice(0, -2));

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
