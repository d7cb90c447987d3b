// `npm start [FILE …]`: opens the app from the sources. `npm start -- import …`: runs a command, which needs no Electron.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asksForCommand } from '#shared/command-names.ts';
import { absolute, appEnvironment, endOf, sandboxSwitches, spawnApp } from './app.ts';
import { ensureBundle } from './bundle.ts';
import { DIST, inRoot, ROOT } from './paths.ts';
import { resolveRuntime } from './runtime.ts';
import { command, endTogether } from './tool.ts';

await command(import.meta, async (args) => {
  if (asksForCommand(args)) return runCommand(args);
  const runtime = resolveRuntime();
  const [{ executable }, env] = await Promise.all([runtime, appEnvironment(runtime), ensureBundle()]);
  const app = spawnApp(executable, [ROOT, ...sandboxSwitches(), ...args.map(absolute)], env);
  endTogether(app);
  return endOf(app);
});

/** Works like the installed app: see electron/command/context.ts. */
async function runCommand(words: readonly string[]): Promise<number> {
  await ensureBundle();
  const scriptsIn = join(DIST, 'native');
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { version: string };
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  const context = JSON.stringify({ cwd, scriptsIn, packagesIn: ROOT, version });
  const child = spawn(process.execPath, [join(scriptsIn, 'command.mjs'), context, ...words], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return endOf(child);
}
