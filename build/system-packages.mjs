// Debian packages the app, its tests and its screen need: checked at once by dpkg, installed by apt when we are root.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Libraries that Chromium, and so Electron, links against. */
export const ELECTRON_LIBRARIES = [
  'ca-certificates',
  'fonts-dejavu-core',
  'libasound2',
  'libatk-bridge2.0-0',
  'libatk1.0-0',
  'libatspi2.0-0',
  'libcairo2',
  'libcups2',
  'libdbus-1-3',
  'libdrm2',
  'libexpat1',
  'libgbm1',
  'libgtk-3-0',
  'libnspr4',
  'libnss3',
  'libpango-1.0-0',
  'libx11-xcb1',
  'libxcb-dri3-0',
  'libxcomposite1',
  'libxdamage1',
  'libxfixes3',
  'libxkbcommon0',
  'libxrandr2',
  'libxshmfence1',
];

/** A screen for machines without one, and `import` to photograph it. */
export const VIRTUAL_SCREEN = ['xvfb', 'imagemagick'];

/** Today's engine, for the specs that also run in a plain browser. */
export const BROWSER = ['chromium'];

/** Compiles an engine that ships as source. */
export const COMPILER = ['g++', 'make', 'python3'];

/** Compiles the native engine for the legacy runtime; brings `gcc` along. */
export const CPP_COMPILER = ['g++'];

/** Fetches the legacy runtime. */
export const PYTHON = ['python3', 'python3-pip'];

/**
 * Installs what is missing, or says which line would. Elsewhere than on Debian and its kin nothing is checked.
 * @param {readonly string[]} names
 * @param {string} purpose completes “Needed to …”
 * @returns {boolean} whether everything is there now
 */
export function ensureSystemPackages(names, purpose) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/dpkg-query')) return true;
  const missing = missingPackages(names);
  if (missing.length === 0) return true;
  const install = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    console.error(`Needed to ${purpose}: ${missing.join(', ')}. Run this once:\n  sudo ${install}`);
    return false;
  }
  console.log(`Installing system packages to ${purpose}: ${missing.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string} */ args) =>
    spawnSync('apt-get', ['-q', ...args.split(' ')], { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  // A fresh image has no package lists; an old one has stale ones that name files long gone.
  if (apt('update') && apt(install.slice('apt-get '.length))) return true;
  console.error(`Could not install them. Try by hand:\n  apt-get update && ${install}`);
  return false;
}

/**
 * Releases after Debian 12 renamed some libraries (`libgtk-3-0t64`): either name will do.
 * @param {readonly string[]} names
 */
function missingPackages(names) {
  const format = '--showformat=${Package} ${db:Status-Status}\n';
  const query = spawnSync('dpkg-query', ['--show', format, ...names, ...names.map((name) => `${name}t64`)], {
    encoding: 'utf8',
  });
  const present = new Set(
    query.stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return names.filter((name) => !present.has(name) && !present.has(`${name}t64`));
}
