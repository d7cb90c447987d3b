// Entry of every npm script: sets the machine up with nothing but Node 20, then hands over to build/<command>.ts on Node 24.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNodePackages, NODE } from './node-packages.mjs';
import { BROWSER, ELECTRON_LIBRARIES, ensureSystemPackages, VIRTUAL_SCREEN } from './system-packages.mjs';

const hasScreen = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** The system packages each command needs. @type {Record<string, readonly string[]>} */
const COMMANDS = {
  start: [...ELECTRON_LIBRARIES, ...(hasScreen ? [] : VIRTUAL_SCREEN)],
  dev: [...ELECTRON_LIBRARIES, ...(hasScreen ? [] : VIRTUAL_SCREEN)],
  test: [...ELECTRON_LIBRARIES, ...VIRTUAL_SCREEN, ...BROWSER],
  'test-long': [...ELECTRON_LIBRARIES, ...VIRTUAL_SCREEN, ...BROWSER],
  e2e: [...ELECTRON_LIBRARIES, ...VIRTUAL_SCREEN, ...BROWSER],
  faults: process.argv.includes('--kills') ? [...ELECTRON_LIBRARIES, ...VIRTUAL_SCREEN] : [],
  bench: [...ELECTRON_LIBRARIES, ...(hasScreen ? [] : VIRTUAL_SCREEN)],
  measure: [...ELECTRON_LIBRARIES, ...VIRTUAL_SCREEN],
  package: [...ELECTRON_LIBRARIES, ...VIRTUAL_SCREEN],
  web: [],
  'add-engine': [],
  bundle: [],
  check: [],
  unit: [],
  files: [],
  format: [],
};

const [command = '', ...args] = process.argv.slice(2);
const systemPackages = COMMANDS[command];
if (!systemPackages) {
  console.error(`Unknown command “${command}”. One of: ${Object.keys(COMMANDS).join(', ')}`);
  process.exit(2);
}
ensureNodePackages();
ensureSystemPackages(systemPackages, `run “${asTyped(command)}”`);
handOver(join(dirname(fileURLToPath(import.meta.url)), `${command}.ts`));

/** @param {string} name */
function asTyped(name) {
  if (name === 'start' || name === 'test') return `npm ${name}`;
  return `npm run ${name === 'test-long' ? 'test:long' : name}`;
}

/** @param {string} script */
function handOver(script) {
  const env = { ...process.env, PATH: `${dirname(NODE)}${delimiter}${process.env.PATH}` };
  const child = spawn(NODE, [script, ...args], { stdio: 'inherit', env });
  // The child decides when it is done: it has windows to close and a screen to take down. Windows tells it of Ctrl+C by itself, and
  // `kill` would end it at once there.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => process.platform !== 'win32' && child.kill(signal));
  child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
