// The npm packages and the tool chain's own Node: present and as the lockfile says, or installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MODULES = join(ROOT, 'node_modules');
const NODE_PACKAGE = join(MODULES, 'node');

/** The Node that runs the tool chain; the machine's own may be too old for it. */
export const NODE = join(NODE_PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

export function ensureNodePackages() {
  const stamp = join(MODULES, '.sidelite-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock;
  if (isCurrent && existsSync(NODE)) return;
  if (!isCurrent) {
    console.log('Installing npm packages');
    runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  // This is the only install script needed: it fetches the Node binary for this machine.
  console.log('Installing Node for the tool chain');
  run(process.execPath, [join(NODE_PACKAGE, 'installArchSpecificPackage.js')], NODE_PACKAGE);
  writeFileSync(stamp, lock);
}

/**
 * Runs npm by its script where npm itself has started us. On Windows `npm` is a batch file, which needs a shell. Ends this process when it
 * fails.
 * @param {string[]} args
 * @param {string} cwd
 */
export function runNpm(args, cwd = ROOT) {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.c?js$/.test(script)) run(process.execPath, [script, ...args], cwd);
  else run('npm', args, cwd, process.platform === 'win32');
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @param {boolean} shell never for a path, which may contain spaces
 */
function run(command, args, cwd, shell = false) {
  // npm hands its own settings down to scripts; the one that pins the prefix would send the inner install elsewhere.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_config_(local_prefix|prefix|global_prefix)$/i.test(name),
  );
  const { status, error } = spawnSync(command, args, {
    cwd,
    env: Object.fromEntries(inherited),
    shell,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return;
  console.error(
    `${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}. Is the package registry reachable?`,
  );
  process.exit(1);
}
