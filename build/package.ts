// `npm run package`: the unpacked app, tried by the smoke test. `npm run package -- release`: this system's installers.
import { builderConfig } from './builder.config.ts';
import { ensureBundle } from './bundle.ts';
import { inRoot } from './paths.ts';
import { resolveRuntime } from './runtime.ts';
import { runSmokeTest } from './smoke.ts';
import { command } from './tool.ts';

await command(import.meta, async ([target]) => {
  if (target !== 'release') return runSmokeTest();
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  if (runtime.origin === 'bench')
    throw new Error('The bench runtime is never released; the pinned Electron is needed.');
  const { build } = await import('electron-builder');
  await build({ projectDir: inRoot(), config: builderConfig(runtime), publish: 'never' });
});
