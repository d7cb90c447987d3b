// dist/native-legacy: what the legacy runtime loads in place of dist/native. Laid out as in the packaged app: the engine's package is beside
// the bundles.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
} from 'node:fs';
import { join, dirname } from 'node:path';
import { LEGACY_NATIVE, NATIVE_ENTRIES } from '../native-entries.ts';
import { DIST, inRoot, userCache } from '../paths.ts';
import { fingerprint, isFresh, writeStamp } from '../stamp.ts';
import { CPP_COMPILER, ensureSystemPackages } from '../system-packages.mjs';

const STAMP = join(DIST, `.${LEGACY_NATIVE}-stamp`);

export async function ensureLegacyNative(): Promise<void> {
  const sources = ['worker', 'shared', 'electron', 'build/targets.ts', 'build/legacy', 'package-lock.json'];
  const stamp = fingerprint(
    sources.map((path) => inRoot(path)),
    (path) => !/\.test(-suite)?\.ts$/.test(path),
  );
  const now = `${stamp} ${legacyAddon()}`;
  if (isFresh(STAMP, now)) return;
  const next = join(DIST, `.next-legacy-${process.pid}`);
  const made = join(next, LEGACY_NATIVE);
  try {
    const [addon] = await Promise.all([ensureLegacyAddon(), bundleLegacyNative(next)]);
    addEngine(made, addon);
    rmSync(join(DIST, LEGACY_NATIVE), { recursive: true, force: true });
    renameSync(made, join(DIST, LEGACY_NATIVE));
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  writeStamp(STAMP, now);
}

/** Call after a bundle was replaced: the next `ensureLegacyNative` rebuilds all of them. */
export function forgetLegacyNative(): void {
  rmSync(STAMP, { force: true });
}

async function bundleLegacyNative(outDir: string): Promise<void> {
  // Loaded only when there is work.
  const [{ build }, { legacyNativeConfig }] = await Promise.all([import('vite'), import('./config.ts')]);
  await Promise.all(NATIVE_ENTRIES.map((entry) => build(legacyNativeConfig(entry, outDir))));
  for (const [, entry] of NATIVE_ENTRIES) {
    const name = entry.replace(/^.*\/|\.ts$/g, '');
    // A utility process of Electron 22 starts with a script, not with a module.
    writeFileSync(join(outDir, LEGACY_NATIVE, `${name}.cjs`), `import('./${name}.mjs');\n`);
  }
}

function addEngine(folder: string, addon: string): void {
  const source = inRoot('node_modules', 'better-sqlite3');
  const target = join(folder, 'node_modules', 'better-sqlite3');
  mkdirSync(join(target, 'prebuilds'), { recursive: true });
  for (const part of ['package.json', 'LICENSE', 'lib'])
    cpSync(join(source, part), join(target, part), { recursive: true });
  copyFileSync(addon, join(target, 'prebuilds', `${process.platform}-${process.arch}.node`));
}

// better-sqlite3 for the legacy runtime, compiled from the package's own sources: what it publishes needs Node-API 10, and would end the
// process there. Done once for all checkouts, and only where the legacy runtime is used.

const PACKAGE = inRoot('node_modules', 'better-sqlite3');
const SHIM = join(import.meta.dirname, 'primitive-references.h');
const HEADERS = {
  'node-addon-api': inRoot('node_modules', 'node-addon-api'),
  'node-api-headers': inRoot('node_modules', 'node-api-headers'),
} as const;

/** Path of the binary, which may have to be compiled. */
function legacyAddon(): string {
  return userCache('runtimes', `better-sqlite3-${versionIn(PACKAGE)}-${recipe().fingerprint}`, 'better_sqlite3.node');
}

/** Path of the binary, which is compiled on first use and kept in the user's cache. @throws what is missing */
async function ensureLegacyAddon(): Promise<string> {
  const binary = legacyAddon();
  if (existsSync(binary)) return binary;
  const { steps } = recipe();
  ensureCompiler();
  console.error('Compiling better-sqlite3 for the legacy runtime (once)');
  const started = performance.now();
  const folder = dirname(binary);
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    await Promise.all(steps.compile.map((args) => run(args, work)));
    await run(steps.link, work);
    mkdirSync(folder, { recursive: true });
    // Another start may have been quicker; either is as good, and nobody sees a part of one.
    renameSync(join(work, 'better_sqlite3.node'), binary);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.error(`Compiled better-sqlite3 in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return binary;
}

type Arguments = readonly [program: string, ...args: string[]];

/** Commands, run in a folder for what they make, and a fingerprint of all that the result depends on. */
function recipe(): {
  readonly fingerprint: string;
  readonly steps: { readonly compile: readonly Arguments[]; readonly link: Arguments };
} {
  const common = ['-c', '-O2', '-fPIC', '-w'];
  const sqlite = join(PACKAGE, 'deps', 'sqlite3');
  const includes = [HEADERS['node-addon-api'], join(HEADERS['node-api-headers'], 'include'), sqlite, PACKAGE].map(
    (folder) => `-I${folder}`,
  );
  const steps = {
    compile: [
      ['gcc', '-std=gnu99', ...common, ...sqliteDefines(), join(sqlite, 'sqlite3.c'), '-o', 'sqlite3.o'],
      [
        'g++', '-std=c++20', ...common, '-fvisibility=hidden', '-include', SHIM, ...includes,
        '-DNAPI_VERSION=8', '-DNAPI_DISABLE_CPP_EXCEPTIONS', '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
        join(PACKAGE, 'src', 'better_sqlite3.cpp'), '-o', 'addon.o',
      ], // prettier-ignore
    ],
    // As the package links it: its SQLite must not be mixed up with one that the process has already.
    link: [
      'g++', '-shared', '-Wl,-Bsymbolic', '-Wl,--exclude-libs,ALL', '-o', 'better_sqlite3.node', 'addon.o', 'sqlite3.o',
      '-ldl', '-lpthread', '-lm',
    ], // prettier-ignore
  } as const satisfies { compile: readonly Arguments[]; link: Arguments };
  const hash = createHash('sha256').update(readFileSync(SHIM));
  for (const folder of [PACKAGE, ...Object.values(HEADERS)]) hash.update(`${versionIn(folder)}\0`);
  // Wherever the checkout is.
  hash.update(JSON.stringify(steps).replaceAll(JSON.stringify(inRoot()).slice(1, -1), ''));
  return { fingerprint: hash.digest('hex').slice(0, 12), steps };
}

/** The options with which the package compiles its SQLite. */
function sqliteDefines(): string[] {
  const list = readFileSync(join(PACKAGE, 'deps', 'defines.gypi'), 'utf8');
  const names = [...list.matchAll(/^\s*'(\w+(?:=[^']*)?)',$/gm)].map(([, define]) => `-D${define}`);
  if (!names.includes('-DSQLITE_ENABLE_COLUMN_METADATA'))
    throw new Error('The options of better-sqlite3 are unreadable.');
  return names;
}

function versionIn(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

function ensureCompiler(): void {
  if (process.platform !== 'linux') throw new Error('Versions of Electron before 36 run the app on Linux only.');
  const isThere = (): boolean =>
    (['gcc', 'g++'] as const).every((program) => spawnSync(program, ['--version']).status === 0);
  if (isThere()) return;
  ensureSystemPackages(CPP_COMPILER, 'compile the native engine for the legacy runtime');
  if (isThere()) return;
  throw new Error(
    `The legacy runtime needs a compiler for better-sqlite3: install the package ${CPP_COMPILER.join(', ')}.`,
  );
}

function run([program, ...args]: Arguments, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} could not compile better-sqlite3:\n${said.trim()}`)),
    );
  });
}
