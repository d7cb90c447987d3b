// `npm start [FILE …]`: opens the app from the sources.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureBundle } from './bundle.ts';
import { ROOT } from './paths.ts';
import { describeRuntime, resolveRuntime } from './runtime.ts';
import { hasScreen, openVirtualScreen } from './screen.ts';
import { command, endTogether } from './tool.ts';

/** Chromium's complaints about a machine without message bus and graphics card, and about its own windows' last moments. */
const NOISE =
  /:ERROR:(object_proxy|bus|viz_main_impl|gpu_memory_buffer_support_x11|command_buffer_proxy_impl|interface_endpoint_client)\.cc\(/;

await command(import.meta, async (args) => {
  const [runtime, screen] = await Promise.all([
    resolveRuntime(),
    hasScreen() ? null : openVirtualScreen(),
    ensureBundle(),
  ]);
  console.log(describeRuntime(runtime));
  const env = { ...process.env };
  if (screen) {
    const { display } = screen;
    env['DISPLAY'] = display;
    console.log(`No screen here: the app is on a virtual one, ${display}. To see it:`);
    console.log(`  DISPLAY=${display} import -window root screenshot.png`);
  }
  return runApp(runtime.executable, [ROOT, ...sandboxSwitches(), ...args.map(absolute)], env);
});

function runApp(executable: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const app = spawn(executable, args, { env, stdio: ['inherit', 'inherit', 'pipe'] });
  endTogether(app);
  createInterface({ input: app.stderr }).on('line', (line) => {
    if (!NOISE.test(line)) console.error(line);
  });
  return new Promise((resolve, reject) => {
    app.once('error', reject);
    app.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Chromium refuses to run as root inside its sandbox; for everyone else the sandbox stays. */
function sandboxSwitches(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

/** npm runs scripts in the repository's folder; a file is meant from where the person stands. */
function absolute(arg: string): string {
  return arg.startsWith('-') ? arg : resolve(process.env['INIT_CWD'] ?? process.cwd(), arg);
}
