// Starts the app from the sources, for `npm start` and `npm run dev`.
import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describeRuntime, type Runtime } from './runtime.ts';
import { hasScreen, openVirtualScreen } from './screen.ts';

/** Chromium's complaints about a machine without message bus and graphics card, and about its own windows' last moments. */
const NOISE =
  /:ERROR:(object_proxy|bus|viz_main_impl|gpu_memory_buffer_support_x11|command_buffer_proxy_impl|interface_endpoint_client)\.cc\(/;

/** The environment of an app on the screen there is, or on a virtual one. Says which Electron runs, and where to look. */
export async function appEnvironment(runtime: Promise<Runtime>): Promise<NodeJS.ProcessEnv> {
  const screen = hasScreen() ? null : await openVirtualScreen();
  console.log(describeRuntime(await runtime));
  if (!screen) return { ...process.env };
  const { display } = screen;
  console.log(`No screen here: the app is on a virtual one, ${display}. To see it:`);
  console.log(`  DISPLAY=${display} import -window root screenshot.png`);
  return { ...process.env, DISPLAY: display };
}

/** Shows what it says on standard error, without the noise. */
export function spawnApp(executable: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const app = spawn(executable, [...args], { env, stdio: ['inherit', 'inherit', 'pipe'] });
  createInterface({ input: app.stderr! }).on('line', (line) => {
    if (!NOISE.test(line)) console.error(line);
  });
  return app;
}

/** Resolves to the exit code. */
export function endOf(app: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    app.once('error', reject);
    app.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Chromium refuses to run as root inside its sandbox; for everyone else the sandbox stays. */
export function sandboxSwitches(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

/** npm runs scripts in the repository's folder; a file is meant from where the user stands. */
export function absolute(arg: string): string {
  return arg.startsWith('-') ? arg : resolve(process.env['INIT_CWD'] ?? process.cwd(), arg);
}
