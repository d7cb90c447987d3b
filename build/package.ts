// `npm run package`: the unpacked app, tried by the smoke test. `npm run package -- release`: this system's installers.
// `npm run package -- every`: all of them that this machine can make.
// `npm run package -- third-party`: the engines it is compared with, to be copied into the `resources` of an installation.
import { join } from 'node:path';
import { exitCodeOf } from './beside-stages.ts';
import { builderConfig, linuxTargets, PACKAGE_OUTPUT } from './builder.config.ts';
import { ensureBundle } from './bundle.ts';
import { add, one, type Counts } from './counts.ts';
import { DIST_APP, inRoot } from './paths.ts';
import { resolveRuntime, type Runtime } from './runtime.ts';
import { runSmokeTest } from './smoke.ts';
import { packThirdParty } from './third-party.ts';
import { command } from './tool.ts';

/** Makes each kind of package that this machine can make. */
async function packageEveryKind(): Promise<Counts> {
  const app = await runSmokeTest();
  await makeThirdParty();
  const made = add(app, one(true));
  const runtime = await resolveRuntime();
  if (runtime.origin === 'legacy') {
    console.log('Not made: installers, which take the pinned Electron');
    return made;
  }
  await makeInstallers(runtime);
  return add(made, one(true));
}

async function makeThirdParty(): Promise<void> {
  await ensureBundle();
  const folder = join(PACKAGE_OUTPUT, 'third-party');
  packThirdParty(join(DIST_APP, 'third-party'), folder);
  console.log(`Copy what is in ${folder} into the folder “resources” of an installation`);
}

async function makeInstallers(runtime: Runtime): Promise<void> {
  if (process.platform === 'linux' && !linuxTargets().includes('deb'))
    console.log('No Debian package is made: package.json names no homepage, which each of them states.');
  const { build } = await import('electron-builder');
  await build({ projectDir: inRoot(), config: builderConfig(runtime), publish: 'never' });
}

await command(import.meta, async ([target]) => {
  if (target === 'every') return exitCodeOf(await packageEveryKind());
  if (target === 'third-party') return await makeThirdParty();
  if (target !== 'release') return exitCodeOf(await runSmokeTest());
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  if (runtime.origin === 'legacy')
    throw new Error('The legacy runtime is never released; the pinned Electron is needed.');
  await makeInstallers(runtime);
});
