// `npm run package`: the unpacked app, tried by the smoke test. `npm run package -- release`: this system's installers.
// `npm run package -- third-party`: the engines it is compared with, to be copied into the `resources` of an installation.
import { join } from 'node:path';
import { builderConfig, linuxTargets, PACKAGE_OUTPUT } from './builder.config.ts';
import { ensureBundle } from './bundle.ts';
import { DIST_APP, inRoot } from './paths.ts';
import { packThirdParty } from './third-party.ts';
import { resolveRuntime } from './runtime.ts';
import { runSmokeTest } from './smoke.ts';
import { command } from './tool.ts';

await command(import.meta, async ([target]) => {
  if (target === 'third-party') {
    await ensureBundle();
    const folder = join(PACKAGE_OUTPUT, 'third-party');
    packThirdParty(join(DIST_APP, 'third-party'), folder);
    console.log(`Copy what is in ${folder} into the folder “resources” of an installation`);
    return 0;
  }
  if (target !== 'release') return (await runSmokeTest()).failed > 0 ? 1 : 0;
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  if (runtime.origin === 'legacy')
    throw new Error('The legacy runtime is never released; the pinned Electron is needed.');
  if (process.platform === 'linux' && !linuxTargets().includes('deb'))
    console.log('No Debian package is made: package.json names no homepage, which each of them states.');
  const { build } = await import('electron-builder');
  await build({ projectDir: inRoot(), config: builderConfig(runtime), publish: 'never' });
});
