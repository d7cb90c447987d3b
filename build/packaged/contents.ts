// Checks the content of the packaged app: a notice for every package, one native addon, and nothing that should not be there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LICENSES, packageOf } from '../licenses.ts';
import { DIST } from '../paths.ts';

/** Packages of which there is something in the app, but no text in its notices. */
export function packagesWithoutNotice(resources: string): string[] {
  const notices = readFileSync(join(resources, LICENSES), 'utf8').split(/^## /m);
  const hasNotice = (name: string): boolean =>
    notices.some(
      (section) => section.startsWith(`${name} `) && /copyright|license/i.test(section.split('\n').slice(1).join('')),
    );
  const names = new Set([...bundledPackages(), ...packagesBelow(join(resources, 'native', 'node_modules'))]);
  return [...names].filter((name) => !hasNotice(name)).sort();
}

/** Told by the source maps, which the notices are not made from. */
function bundledPackages(): string[] {
  const maps = ['app', 'electron', 'native'].flatMap((part) =>
    readdirSync(join(DIST, part), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.map') && !file.startsWith('third-party'))
      .map((file) => join(DIST, part, file)),
  );
  if (maps.length === 0) throw new Error('There are no source maps to tell what is bundled');
  return maps.flatMap((map) =>
    (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources.flatMap((source) => packageOf(source)),
  );
}

function packagesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((inside) => `${name}/${inside}`) : [name],
  );
}

/** The native addons in the app, by the names of their files. */
export function nativeAddons(resources: string): string[] {
  return addonFiles(resources).map((file) => basename(file));
}

/** Addons in the app that are no copy of the one at `path`. */
export function otherAddons(resources: string, paths: readonly string[]): string[] {
  const wanted = paths.map((path) => readFileSync(path));
  return addonFiles(resources).filter((file) => {
    const found = readFileSync(join(resources, file));
    return !wanted.some((bytes) => bytes.equals(found));
  });
}

function addonFiles(resources: string): string[] {
  return readdirSync(resources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.node'));
}

/** Programs of Node in the app, which Electron's own replaces. */
export function nodePrograms(resources: string): string[] {
  return readdirSync(resources, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^node(\.exe)?$/.test(basename(file)),
  );
}
