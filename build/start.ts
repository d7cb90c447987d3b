// `npm start [FILE …]`: opens the app from the sources.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { ensureBundle } from './bundle.ts';
import { ROOT } from './paths.ts';
import { describeRuntime, resolveRuntime } from './runtime.ts';
import { hasScreen, openVirtualScreen } from './screen.ts';

const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
console.log(describeRuntime(runtime));

const env = { ...process.env };
if (!hasScreen()) {
  const { display } = await openVirtualScreen();
  env['DISPLAY'] = display;
  console.log(`No screen here: the app is on a virtual one, ${display}. To see it:`);
  console.log(`  DISPLAY=${display} import -window root screenshot.png`);
}

const app = spawn(runtime.executable, [ROOT, ...sandboxSwitches(), ...process.argv.slice(2).map(absolute)], {
  env,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.kill(signal));
app.once('error', (error) => {
  console.error(`Could not start ${runtime.executable}: ${error.message}`);
  process.exit(1);
});
app.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

/** Chromium refuses to run as root inside its sandbox; for everyone else the sandbox stays. */
function sandboxSwitches(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

/** npm runs scripts in the repository's folder; a file is meant from where the person stands. */
function absolute(arg: string): string {
  return arg.startsWith('-') ? arg : resolve(process.env['INIT_CWD'] ?? process.cwd(), arg);
}
