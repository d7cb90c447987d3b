// `npm start [FILE …]`: opens the app from the sources.
import { absolute, appEnvironment, endOf, sandboxSwitches, spawnApp } from './app.ts';
import { ensureBundle } from './bundle.ts';
import { ROOT } from './paths.ts';
import { resolveRuntime } from './runtime.ts';
import { command, endTogether } from './tool.ts';

await command(import.meta, async (args) => {
  const runtime = resolveRuntime();
  const [{ executable }, env] = await Promise.all([runtime, appEnvironment(runtime), ensureBundle()]);
  const app = spawnApp(executable, [ROOT, ...sandboxSwitches(), ...args.map(absolute)], env);
  endTogether(app);
  return endOf(app);
});
