// Makes dist/app (pages and workers) and dist/electron (main process and preloads) out of the sources, when they changed.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineConfig } from 'vite';
import { collectPackages, LICENSES, writeLicenses } from './licenses.ts';
import { NATIVE_ENTRIES } from './native-entries.ts';
import { DIST, inRoot } from './paths.ts';
import { addThirdParty } from './third-party.ts';
import { fingerprint, isFresh, writeStamp } from './stamp.ts';
import { command } from './tool.ts';

/** Entry points of the main process and of the preloads. */
export const ELECTRON_ENTRIES = ['main.ts', 'preload.ts', 'host-preload.ts'];
const STAMP = join(DIST, '.bundle-stamp');

export async function ensureBundle(): Promise<void> {
  const sources = [
    'renderer',
    'worker',
    'shared',
    'electron',
    'build/targets.ts',
    'build/third-party.ts',
    'build/licenses.ts',
    'build/notices',
    'package.json',
    'package-lock.json',
  ];
  const now = fingerprint(
    sources.map((path) => inRoot(path)),
    (path) => !/\.test(-suite)?\.ts$/.test(path),
  );
  if (isFresh(STAMP, now)) return;
  const started = performance.now();
  await bundle();
  writeStamp(STAMP, now);
  // Standard output may be the output of a command.
  console.error(`Bundled in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** Call after a part of the bundle was replaced: the next `ensureBundle` rebuilds all of it. */
export function forgetBundle(): void {
  rmSync(STAMP, { force: true });
}

async function bundle(): Promise<void> {
  const entries = [
    'renderer/index.html',
    'worker/host.html',
    'worker/host.ts',
    'worker/worker.ts',
    ...NATIVE_ENTRIES.map((entry) => entry.join('/')),
    ...ELECTRON_ENTRIES.map((entry) => `electron/${entry}`),
  ];
  const missing = entries.filter((entry) => !existsSync(inRoot(entry)));
  if (missing.length > 0) throw new Error(`Nothing to bundle: ${missing.join(', ')} missing`);

  // Loaded only when there is work: the bundler costs more than half a second of a start.
  const [{ build, mergeConfig }, { electronConfig, nativeConfig, pageConfig }] = await Promise.all([
    import('vite'),
    import('./targets.ts'),
  ]);
  const next = join(DIST, `.next-${process.pid}`);
  const packages = new Set<string>();
  const collected = { plugins: [collectPackages(packages)], worker: { plugins: () => [collectPackages(packages)] } };
  const make = (config: InlineConfig): Promise<unknown> => build(mergeConfig(config, collected));
  try {
    await Promise.all([
      make(pageConfig('renderer', 'index.html', next)),
      make(pageConfig('worker', 'host.html', next)),
      ...ELECTRON_ENTRIES.map((entry) => make(electronConfig(entry, next))),
      ...NATIVE_ENTRIES.map((entry) => make(nativeConfig(entry, next))),
      addThirdParty(join(next, 'app', 'third-party')),
    ]);
    writeLicenses(join(next, 'app', LICENSES), packages);
    // A failed build leaves the last good one in place.
    for (const part of ['app', 'electron', 'native']) {
      mkdirSync(DIST, { recursive: true });
      rmSync(join(DIST, part), { recursive: true, force: true });
      renameSync(join(next, part), join(DIST, part));
    }
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

await command(import.meta, ensureBundle);
