// dist/native-legacy: what the legacy runtime loads in place of dist/native. Laid out as in the packaged app: the engine's packages are beside
// the bundles.
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_PACKAGES } from '../engine-packages.ts';
import type { EnginePackage } from '../engine-packages.ts';
import { LEGACY_NATIVE, NATIVE_ENTRIES } from '../native-entries.ts';
import { DIST, inRoot } from '../paths.ts';
import { fingerprint, isFresh, writeStamp } from '../stamp.ts';
import { ensureLegacyAddon, legacyAddon } from './addon.ts';

const STAMP = join(DIST, `.${LEGACY_NATIVE}-stamp`);

export async function ensureLegacyNative(): Promise<void> {
  const sources = ['worker', 'shared', 'electron', 'build/targets.ts', 'build/legacy', 'package-lock.json'];
  const stamp = fingerprint(
    sources.map((path) => inRoot(path)),
    (path) => !/\.test(-suite)?\.ts$/.test(path),
  );
  const now = [stamp, ...ENGINE_PACKAGES.map(legacyAddon)].join(' ');
  if (isFresh(STAMP, now)) return;
  const next = join(DIST, `.next-legacy-${process.pid}`);
  const made = join(next, LEGACY_NATIVE);
  try {
    const [addons] = await Promise.all([Promise.all(ENGINE_PACKAGES.map(ensureLegacyAddon)), bundleLegacyNative(next)]);
    ENGINE_PACKAGES.forEach((name, at) => addEngine(made, name, addons[at]!));
    rmSync(join(DIST, LEGACY_NATIVE), { recursive: true, force: true });
    renameSync(made, join(DIST, LEGACY_NATIVE));
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  writeStamp(STAMP, now);
}

/** Call after a bundle was replaced: the next `ensureLegacyNative` rebuilds all of them. */
export function forgetLegacyNative(): void {
  rmSync(STAMP, { force: true });
}

async function bundleLegacyNative(outDir: string): Promise<void> {
  // Loaded only when there is work.
  const [{ build }, { legacyNativeConfig }] = await Promise.all([import('vite'), import('./config.ts')]);
  await Promise.all(NATIVE_ENTRIES.map((entry) => build(legacyNativeConfig(entry, outDir))));
  for (const [, entry] of NATIVE_ENTRIES) {
    const name = entry.replace(/^.*\/|\.ts$/g, '');
    // A utility process of Electron 22 starts with a script, not with a module.
    writeFileSync(join(outDir, LEGACY_NATIVE, `${name}.cjs`), `import('./${name}.mjs');\n`);
  }
}

function addEngine(folder: string, name: EnginePackage, addon: string): void {
  const source = inRoot('node_modules', name);
  const target = join(folder, 'node_modules', name);
  mkdirSync(join(target, 'prebuilds'), { recursive: true });
  for (const part of ['package.json', 'LICENSE', 'lib'])
    cpSync(join(source, part), join(target, part), { recursive: true });
  copyFileSync(addon, join(target, 'prebuilds', `${process.platform}-${process.arch}.node`));
}
